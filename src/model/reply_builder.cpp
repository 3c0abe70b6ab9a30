#include "model/reply_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/api_error.h"

namespace deputy::model {

namespace {

constexpr const char* kNoName = "the call names no tool; send it again with the name of one";
constexpr const char* kBroken = "the calls of this turn could not be read, and none was run; send them again";
constexpr std::string_view kSendAnObject =
    R"(send them as one JSON object, such as {"name": "value"}, or {} where there are none)";

bool is_call(const Block& block) { return std::holds_alternative<Call>(block); }

// Models and servers write "no arguments" in all these ways.
Result<json::object> read_arguments(std::string_view text) {
  text = trim(text);
  if (text.empty() || text == "null") return json::object();
  return parse_json_object(text);
}

}  // namespace

Result<> ReplyBuilder::count(std::size_t bytes) {
  bytes_ += std::min(bytes, kMaxBytes + 1);
  if (bytes_ > kMaxBytes) return std::unexpected(malformed_reply(fmt::format("it has more than {} bytes", kMaxBytes)));
  return {};
}

Result<> ReplyBuilder::say(std::string_view text) {
  if (text.empty()) return {};
  TRY(count(text.size()));
  ends_in_call_ = false;
  if (reply_.blocks.empty() || !std::holds_alternative<Text>(reply_.blocks.back())) reply_.blocks.emplace_back(Text{});
  std::get<Text>(reply_.blocks.back()).text += text;
  if (on_text_) on_text_(text);
  return {};
}

void ReplyBuilder::unsay() {
  std::erase_if(reply_.blocks, [](const Block& block) { return std::holds_alternative<Text>(block); });
}

void ReplyBuilder::think(json::object part, std::string summary) {
  ends_in_call_ = false;
  reply_.blocks.emplace_back(Thinking{std::move(part), std::move(summary)});
}

Result<> ReplyBuilder::call(std::string id, std::string tool, std::string_view arguments) {
  if (++count_of_calls_ > kMaxCalls)
    return std::unexpected(malformed_reply(fmt::format("it has more than {} calls", kMaxCalls)));
  ends_in_call_ = true;
  Call call{.id = free_id(std::move(id)), .tool = std::move(tool), .arguments = {}};
  if (Result<json::object> read = read_arguments(arguments)) {
    call.arguments = *std::move(read);
  } else {
    unreadable_.insert(call.id);
    call.fault = fmt::format("the arguments cannot be read: {}; {}", read.error().message, kSendAnObject);
  }
  if (trim(call.tool).empty()) {
    call = {.id = std::move(call.id), .tool = std::string(kUnnamedTool), .arguments = {}, .fault = kNoName};
  }
  reply_.blocks.emplace_back(std::move(call));
  return {};
}

Result<Reply> ReplyBuilder::finish(Ending ending, const Usage& usage) && {
  reply_.usage = usage;
  if (ending == Ending::refusal || ending == Ending::overflow) {
    drop_calls();
    reply_.stop = ending == Ending::refusal ? Stop::refusal : Stop::overflow;
    return std::move(reply_);
  }
  if (ending == Ending::broken_call) TRY(break_calls());
  const bool is_cut = ending == Ending::max_tokens;
  const bool has_cut_call = is_cut && drop_cut_calls();
  if (calls_ == Calls::none) drop_calls();
  const bool has_calls = std::ranges::any_of(reply_.blocks, is_call);
  if (has_cut_call && calls_ != Calls::none) {
    reply_.stop = Stop::cut_call;
  } else if (has_calls) {
    reply_.stop = Stop::calls;
  } else {
    reply_.stop = is_cut ? Stop::max_tokens : Stop::end_turn;
  }
  return std::move(reply_);
}

std::string ReplyBuilder::free_id(std::string id) {
  if (!id.empty() && ids_.insert(id).second) return id;
  for (std::size_t number = count_of_calls_;; ++number) {
    std::string made = fmt::format("call_{}", number);
    if (ids_.insert(made).second) return made;
  }
}

Result<> ReplyBuilder::break_calls() {
  if (std::ranges::none_of(reply_.blocks, is_call)) return call({}, {}, {});
  for (Block& block : reply_.blocks) {
    Call* call = std::get_if<Call>(&block);
    if (call == nullptr || call->fault) continue;
    call->arguments.clear();
    call->fault = kBroken;
  }
  return {};
}

void ReplyBuilder::drop_calls() { std::erase_if(reply_.blocks, is_call); }

// Returns true if it dropped any.
bool ReplyBuilder::drop_cut_calls() {
  const std::size_t before = reply_.blocks.size();
  if (ends_in_call_) reply_.blocks.pop_back();
  std::erase_if(reply_.blocks, [&](const Block& block) {
    const Call* call = std::get_if<Call>(&block);
    return call != nullptr && unreadable_.contains(call->id);
  });
  return reply_.blocks.size() < before;
}

const json::object& object_at(const json::object& holder, std::string_view key) {
  static const json::object kNone;
  const json::object* found = find_object(holder, key);
  return found == nullptr ? kNone : *found;
}

std::int64_t index_at(const json::object& event, std::string_view key) {
  const json::value* index = event.if_contains(key);
  return index != nullptr ? as_whole(*index).value_or(-1) : 0;
}

std::int64_t tokens_at(const json::object& usage, std::string_view key, std::int64_t otherwise) {
  const json::value* value = usage.if_contains(key);
  const auto whole = value != nullptr ? as_whole(*value) : std::nullopt;
  return whole ? std::clamp<std::int64_t>(*whole, 0, 1'000'000'000'000) : otherwise;
}

Usage estimated_usage(const Request& request, const Reply& reply) {
  constexpr std::size_t kCharactersAToken = 4;
  std::size_t written = 0;
  for (const Block& block : reply.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) written += text->text.size();
    if (const auto* call = std::get_if<Call>(&block))
      written += call->tool.size() + json::serialize(call->arguments).size();
    if (const auto* thinking = std::get_if<Thinking>(&block)) written += json::serialize(thinking->part).size();
  }
  return {.input_tokens = static_cast<std::int64_t>(characters_of(request) / kCharactersAToken + 1),
          .output_tokens = static_cast<std::int64_t>(written / kCharactersAToken + 1)};
}

Result<std::optional<std::string>> EventFeed::next() {
  while (!reader_.has_ended()) {
    TRY(const auto event, events_.next());
    if (!event) break;
    const std::string_view data = trim(event->data);
    if (data.empty()) continue;
    if (data == "[DONE]") {
      reader_.end();
      break;
    }
    return std::string(data);
  }
  return std::nullopt;
}

Result<> EventFeed::read(const Result<json::object>& event) {
  if (!event) return std::unexpected(malformed_reply("an event is not a JSON object"));
  return reader_.read(*event);
}

}  // namespace deputy::model
