#include "model/openai_chat/reply_reader.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "base/text.h"
#include "model/api_error.h"
#include "model/openai_errors.h"

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

/// The existing call that a part continues.
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

// Some servers end by repeating everything they streamed.
bool CallParts::is_said_again(const PartedCall& call, const Part& part) {
  return call.end.is_whole() && !part.id.empty() && part.id == call.id && part.arguments == call.arguments;
}

bool CallParts::begins_another(const PartedCall& call, const Part& part) {
  // Ignore a new id without a name: vLLM created one for every part.
  const bool has_another_id = !part.id.empty() && !call.id.empty() && part.id != call.id && !part.name.empty();
  const bool has_another_name = !part.name.empty() && part.name != call.name && !call.arguments.empty();
  const bool has_more_than_fits = call.end.is_whole() && trim(part.arguments).starts_with('{');
  return has_another_id || has_another_name || has_more_than_fits;
}

// A name arrives once, repeated each time, in pieces, or longer each time.
void CallParts::add_name(std::string& name, const std::string& part) {
  if (part.starts_with(name)) {
    name = part;
  } else {
    name += part;
  }
}

namespace {

struct Reason {
  std::string_view word;
  Ending ending;
};
// All other reasons end the turn: stop, tool_calls, function_call, eos …
constexpr auto kReasons = std::to_array<Reason>({
    {"length", Ending::max_tokens},
    {"max_tokens", Ending::max_tokens},
    {"model_length", Ending::max_tokens},
    {"content_filter", Ending::refusal},
    {"refusal", Ending::refusal},
    {"safety", Ending::refusal},
});

Ending ending_of(std::string_view reason) {
  const auto* found = std::ranges::find(kReasons, to_lower(reason), &Reason::word);
  return found == kReasons.end() ? Ending::done : found->ending;
}

bool is_failure(std::string_view reason) { return reason == "error" || reason == "abort"; }

constexpr std::string_view kOpens = "<think>";
constexpr std::string_view kCloses = "</think>";

// The number of bytes at the end of `text` that could start `tag`.
std::size_t end_that_begins(std::string_view text, std::string_view tag) {
  for (std::size_t size = std::min(text.size(), tag.size() - 1); size > 0; --size) {
    if (text.ends_with(tag.substr(0, size))) return size;
  }
  return 0;
}

}  // namespace

ThinkTags::Split ThinkTags::feed(std::string_view part) {
  Split split;
  held_ += part;
  for (;;) {
    if (place_ == Place::text) {
      const std::size_t end = has_thought_ ? std::string::npos : held_.find(kCloses);
      if (end != std::string::npos) {
        split = {.all_before_was_thinking = true};
        held_ = std::string(begun_text(std::string_view(held_).substr(end + kCloses.size())));
        has_thought_ = true;
      }
      // The text so far may end in the start of a tag.
      const std::size_t kept = has_thought_ ? 0 : end_that_begins(held_, kCloses);
      split.text += held_.substr(0, held_.size() - kept);
      held_.erase(0, held_.size() - kept);
      return split;
    }
    if (place_ == Place::thinking) {
      const std::size_t end = held_.find(kCloses);
      if (end == std::string::npos) {
        const std::size_t known = held_.size() - std::min(held_.size(), kCloses.size() - 1);
        split.thinking += held_.substr(0, known);
        held_.erase(0, known);
        return split;
      }
      split.thinking += held_.substr(0, end);
      held_.erase(0, end + kCloses.size());
      place_ = Place::beginning;
    }
    const std::string_view begun = trim(held_);
    if (begun.starts_with(kOpens)) {
      held_.erase(0, held_.find(kOpens) + kOpens.size());
      place_ = Place::thinking;
    } else if (kOpens.starts_with(begun)) {  // it may still become a tag
      constexpr std::size_t kMaxBlanks = 64;
      if (begun.empty()) held_.resize(std::min(held_.size(), kMaxBlanks));
      return split;
    } else {
      if (has_thought_) held_ = std::string(begun_text(held_));
      place_ = Place::text;
    }
    has_thought_ = has_thought_ || place_ == Place::thinking;
  }
}

std::string ThinkTags::finish() { return place_ == Place::thinking ? std::string() : std::exchange(held_, {}); }

std::string_view ThinkTags::begun_text(std::string_view held) {
  return held.substr(std::min(held.find_first_not_of(" \t\r\n"), held.size()));
}

Result<> ReplyReader::read(const json::object& chunk) {
  const json::value* error = chunk.if_contains("error");
  if ((error != nullptr && !error->is_null()) || text_at(chunk, "object") == "error") return read_error(chunk);
  read_usage(chunk);
  const json::value* choices = chunk.if_contains("choices");
  const json::array* list = choices != nullptr ? choices->if_array() : nullptr;
  if (list == nullptr || list->empty() || !list->front().is_object()) return {};
  return read_choice(list->front().get_object());
}

Result<> ReplyReader::read_message(const json::object& message) {
  TRY(read(message));
  if (!message.contains("choices") && !is_overflow_) return std::unexpected(malformed_reply("it has no choices"));
  end();
  return {};
}

Result<Reply> ReplyReader::finish() {
  if (!is_whole()) return std::unexpected(broken_off());
  if (is_failure(finish_reason_)) return std::unexpected(broken_off());
  TRY(builder_.say(tags_.finish()));
  // First, because the call that a limit cut is expected last.
  for (std::size_t i = 0; i < calls_without_form_; ++i) TRY(builder_.call({}, {}, {}));
  for (const PartedCall& call : parts_.calls()) TRY(builder_.call(call.id, call.name, call.arguments));
  if (!ends_in_call_) builder_.end_calls();
  Ending ending = ending_of(finish_reason_);
  if (is_refusal_) ending = Ending::refusal;
  if (is_overflow_) ending = Ending::overflow;
  return std::move(builder_).finish(ending, usage_);
}

Result<> ReplyReader::read_error(const json::object& chunk) {
  const std::string body = json::serialize(chunk);
  if (!openai_errors::is_overflow(200, body)) return std::unexpected(openai_errors::error_of(200, {}, body, {}));
  is_overflow_ = has_ended_ = true;
  return {};
}

Result<> ReplyReader::read_choice(const json::object& choice) {
  const json::value* delta = choice.if_contains("delta");
  const bool is_streamed = delta != nullptr && delta->is_object();
  TRY(read_delta(object_at(choice, is_streamed ? "delta" : "message")));
  if (const std::string reason = text_at(choice, "finish_reason"); !reason.empty()) finish_reason_ = reason;
  return {};
}

Result<> ReplyReader::read_delta(const json::object& delta) {
  for (const std::string_view key : {"reasoning_content", "reasoning"}) builder_.tell_thinking(text_at(delta, key));
  if (const json::value* content = delta.if_contains("content")) TRY(read_content(*content));
  if (const std::string refusal = text_at(delta, "refusal"); !refusal.empty()) {
    is_refusal_ = true;
    TRY(say(refusal));
  }
  if (const json::object& older = object_at(delta, "function_call"); !older.empty()) TRY(add_part(older));
  const json::value* calls = delta.if_contains("tool_calls");
  if (calls == nullptr) return {};
  if (calls->is_object()) return add_part(*calls);
  if (!calls->is_array()) return {};
  const json::array& parts = calls->get_array();
  const auto among = parts.size() > 1 ? CallParts::Among::others : CallParts::Among::none;
  for (const json::value& part : parts) TRY(add_part(part, among));
  return {};
}

Result<> ReplyReader::read_content(const json::value& content) {
  if (content.is_string()) return say(as_view(content.get_string()));
  if (!content.is_array()) return {};
  for (const json::value& part : content.get_array()) {
    if (part.is_string()) TRY(say(as_view(part.get_string())));
    const json::object* object = part.if_object();
    if (object == nullptr) continue;
    const std::string type = text_at(*object, "type");
    if (type.empty() || type == "text" || type == "output_text") TRY(say(text_at(*object, "text")));
  }
  return {};
}

// Blank text does not end a call: servers insert it anywhere.
Result<> ReplyReader::say(std::string_view text) {
  const ThinkTags::Split split = tags_.feed(text);
  builder_.tell_thinking(split.thinking);
  if (split.all_before_was_thinking) builder_.unsay();
  if (!trim(split.text).empty()) ends_in_call_ = false;
  return builder_.say(split.text);
}

Result<> ReplyReader::add_part(const json::value& part, CallParts::Among among) {
  const json::object* object = part.if_object();
  ends_in_call_ = true;
  if (object == nullptr) {
    ++calls_without_form_;
  } else {
    TRY(builder_.count(parts_.add(*object, among)));
  }
  if (parts_.calls().size() + calls_without_form_ > ReplyBuilder::kMaxCalls)
    return std::unexpected(malformed_reply("it has too many calls"));
  return {};
}

// The API counts cached tokens as part of the prompt; Usage counts them separately.
void ReplyReader::read_usage(const json::object& chunk) {
  const json::object& usage = object_at(chunk, "usage");
  if (usage.empty()) return;
  const std::int64_t prompt = tokens_at(usage, "prompt_tokens", usage_.input_tokens + usage_.cache_read_tokens);
  usage_.output_tokens = tokens_at(usage, "completion_tokens", usage_.output_tokens);
  const std::int64_t cached = tokens_at(object_at(usage, "prompt_tokens_details"), "cached_tokens", 0);
  usage_.cache_read_tokens = std::min(cached, prompt);
  usage_.input_tokens = prompt - usage_.cache_read_tokens;
}

}  // namespace deputy::model::openai_chat
