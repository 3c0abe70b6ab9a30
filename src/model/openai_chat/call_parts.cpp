#include "model/openai_chat/call_parts.h"

#include <algorithm>
#include <ranges>

#include "base/text.h"

namespace deputy::model::openai_chat {

void ObjectEnd::read(std::string_view part) {
  for (const char c : part) {
    if (in_text_) {
      if (!is_escaped_ && c == '"') in_text_ = false;
      is_escaped_ = !is_escaped_ && c == '\\';
    } else if (c == '"') {
      in_text_ = true;
    } else if (c == '{') {
      ++depth_;
    } else if (c == '}' && --depth_ == 0) {
      is_whole_ = true;
    }
  }
}

std::size_t CallParts::add(const json::object& fragment, Among among) {
  Part part = read(fragment);
  const std::size_t bytes = part.id.size() + part.name.size() + part.arguments.size();
  PartedCall* call = call_of(part);
  if (call != nullptr && is_said_again(*call, part)) return bytes;
  const bool is_one_of_several = among == Among::others && !part.index && !part.name.empty();
  if (call == nullptr || is_one_of_several || begins_another(*call, part)) {
    if (part.name.empty() && call != nullptr) part.name = call->name;
    call = &calls_.emplace_back(PartedCall{.index = part.index});
  }
  if (call->id.empty()) call->id = std::move(part.id);
  if (call->arguments.empty()) add_name(call->name, part.name);
  call->arguments += part.arguments;
  call->end.read(part.arguments);
  return bytes;
}

CallParts::Part CallParts::read(const json::object& part) {
  Part read{.index = std::nullopt, .id = text_at(part, "id"), .name = {}, .arguments = {}};
  if (const json::value* index = part.if_contains("index")) read.index = as_whole(*index);
  const json::object* function = find_object(part, "function");
  const json::object& of_call = function == nullptr ? part : *function;
  read.name = text_at(of_call, "name");
  if (const json::value* arguments = of_call.if_contains("arguments"); arguments != nullptr && !arguments->is_null())
    read.arguments = as_text(*arguments);
  return read;
}

/// The call that a part would go on with.
PartedCall* CallParts::call_of(const Part& part) {
  auto backwards = calls_ | std::views::reverse;
  if (!part.id.empty()) {
    const auto same = std::ranges::find(backwards, part.id, &PartedCall::id);
    if (same != backwards.end()) return &*same;
  }
  if (part.index) {
    const auto same = std::ranges::find(backwards, part.index, &PartedCall::index);
    return same == backwards.end() ? nullptr : &*same;
  }
  return calls_.empty() ? nullptr : &calls_.back();
}

// Some servers end with the whole of what they have streamed.
bool CallParts::is_said_again(const PartedCall& call, const Part& part) {
  return call.end.is_whole() && !part.id.empty() && part.id == call.id && part.arguments == call.arguments;
}

bool CallParts::begins_another(const PartedCall& call, const Part& part) {
  // An id without a name says nothing: vLLM made a new one for every part.
  const bool has_another_id = !part.id.empty() && !call.id.empty() && part.id != call.id && !part.name.empty();
  const bool has_another_name = !part.name.empty() && part.name != call.name && !call.arguments.empty();
  const bool has_more_than_fits = call.end.is_whole() && trim(part.arguments).starts_with('{');
  return has_another_id || has_another_name || has_more_than_fits;
}

// The whole name once, again each time, piece by piece, or more of it each time.
void CallParts::add_name(std::string& name, const std::string& part) {
  if (part.starts_with(name)) {
    name = part;
  } else {
    name += part;
  }
}

}  // namespace deputy::model::openai_chat
