#include "chaos/slack/case_model.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "base/json.h"

namespace deputy::chaos {

namespace {

constexpr std::array<std::string_view, kCaseKinds> kNames = {"plain", "read", "write", "denied", "form"};

struct Case {
  int number = 0;
  CaseKind kind = CaseKind::plain;
};

/// The case that a request is about: the first that it names.
std::optional<Case> case_in(std::string_view messages) {
  constexpr std::string_view kWord = "case ";
  const std::size_t at = messages.find(kWord);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = messages.substr(at + kWord.size());
  Case found;
  const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), found.number);
  if (failed != std::errc()) return std::nullopt;
  const std::string_view word = rest.substr(static_cast<std::size_t>(end - rest.data()) + 1);
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (word.starts_with(kNames[i])) return Case{found.number, static_cast<CaseKind>(i)};
  }
  return std::nullopt;
}

json::object call(std::string_view tool, json::object arguments, int number) {
  return {{"type", "tool_use"}, {"id", fmt::format("toolu_{}", number)}, {"name", tool}, {"input", arguments}};
}

/// What the call came to.
std::optional<std::string> result_in(const json::array& messages) {
  for (const json::value& message : messages) {
    const json::array* blocks = message.at("content").if_array();
    if (blocks == nullptr) continue;
    for (const json::value& block : *blocks) {
      if (text_at(block.as_object(), "type") == "tool_result") return json::serialize(block.at("content"));
    }
  }
  return std::nullopt;
}

/// The block that the model says: a call first, where its kind needs one, then the answer.
json::object block_for(const Case& asked, const std::optional<std::string>& result) {
  if (result || asked.kind == CaseKind::plain) {
    // The result tells whoever looks at a failed test why.
    const std::string why = result ? fmt::format(" It came to `{}`", result->substr(0, 300)) : "";
    return {{"type", "text"}, {"text", answer_of(asked.number) + why}};
  }
  if (asked.kind == CaseKind::read) return call("list_slack_channels", {{"limit", 3}}, asked.number);
  if (asked.kind == CaseKind::form) {
    const json::array options{json::object{{"label", "prod"}}, json::object{{"label", "staging"}}};
    const json::object question{
        {"label", "Where"}, {"question", "Which environment?"}, {"options", options}, {"allow_custom", false}};
    return call("ask_user", {{"questions", json::array{question}}}, asked.number);
  }
  return call("post_slack_message", {{"channel", kWritesTo}, {"text", written_by(asked.number)}}, asked.number);
}

void add_event(std::string& body, std::string_view type, json::object event) {
  event["type"] = type;
  body += fmt::format("event: {}\ndata: {}\n\n", type, json::serialize(event));
}

std::string stream_of(const json::object& block) {
  const bool is_call = text_at(block, "type") == "tool_use";
  json::object begin = block;
  json::object delta{{"type", "text_delta"}, {"text", text_at(block, "text")}};
  if (is_call) {
    begin["input"] = json::object();
    delta = {{"type", "input_json_delta"}, {"partial_json", json::serialize(block.at("input"))}};
  } else {
    begin["text"] = "";
  }
  std::string body;
  add_event(body, "message_start",
            {{"message",
              {{"id", "msg_1"},
               {"type", "message"},
               {"role", "assistant"},
               {"model", "case"},
               {"content", json::array()},
               {"usage", {{"input_tokens", 10}, {"output_tokens", 1}}}}}});
  add_event(body, "content_block_start", {{"index", 0}, {"content_block", begin}});
  add_event(body, "content_block_delta", {{"index", 0}, {"delta", delta}});
  add_event(body, "content_block_stop", {{"index", 0}});
  add_event(body, "message_delta",
            {{"delta", {{"stop_reason", is_call ? "tool_use" : "end_turn"}}}, {"usage", {{"output_tokens", 5}}}});
  add_event(body, "message_stop", {});
  return body;
}

Task<net::Answer> reply_to(net::ServerRequest request) {
  const Result<json::object> body = parse_json_object(request.body);
  const json::value* messages = body ? body->if_contains("messages") : nullptr;
  const std::optional<Case> asked = messages == nullptr ? std::nullopt : case_in(json::serialize(*messages));
  if (!asked) co_return net::Response{400, {{"Content-Type", "application/json"}}, R"({"type": "error"})"};
  const json::object said = block_for(*asked, result_in(messages->as_array()));
  co_return net::Response{200, {{"Content-Type", "text/event-stream"}}, stream_of(said)};
}

}  // namespace

std::string request_of(int number, CaseKind kind) {
  return fmt::format("case {} {}", number, kNames.at(static_cast<std::size_t>(kind)));
}
std::string answer_of(int number) { return fmt::format("That was number {}.", number); }
std::string written_by(int number) { return fmt::format("Written by number {}.", number); }

Result<std::unique_ptr<CaseModel>> CaseModel::start(const asio::any_io_executor& executor) {
  auto model = std::make_unique<CaseModel>();
  TRY(model->server_, net::Server::listen(executor, {}, reply_to));
  return model;
}

std::string CaseModel::url() const { return fmt::format("http://127.0.0.1:{}", server_->port()); }

}  // namespace deputy::chaos
