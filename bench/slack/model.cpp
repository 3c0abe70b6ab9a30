#include "slack/model.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/text.h"

namespace deputy::bench {

namespace {

std::string event(std::string_view type, json::object data) {
  data["type"] = type;
  return fmt::format("event: {}\ndata: {}\n\n", type, json::serialize(data));
}

json::object usage(int output) {
  return {{"input_tokens", 500},
          {"cache_creation_input_tokens", 0},
          {"cache_read_input_tokens", 0},
          {"output_tokens", output}};
}

std::string begin() {
  return event("message_start", {{"message",
                                  {{"id", "msg_01"},
                                   {"type", "message"},
                                   {"role", "assistant"},
                                   {"model", "claude-sonnet-5-5"},
                                   {"content", json::array()},
                                   {"stop_reason", nullptr},
                                   {"stop_sequence", nullptr},
                                   {"usage", usage(1)}}}});
}

std::string delta(json::object change) {
  return event("content_block_delta", {{"index", 0}, {"delta", std::move(change)}});
}

std::string end(std::string_view why) {
  return event("content_block_stop", {{"index", 0}}) +
         event("message_delta",
               {{"delta", {{"stop_reason", why}, {"stop_sequence", nullptr}}}, {"usage", {{"output_tokens", 20}}}}) +
         event("message_stop", {});
}

std::string call_of_the_tool() {
  const json::object block = {{"type", "tool_use"}, {"id", "toolu_01"}, {"name", kTool}, {"input", json::object()}};
  return begin() + event("content_block_start", {{"index", 0}, {"content_block", block}}) +
         delta({{"type", "input_json_delta"}, {"partial_json", ""}}) + end("tool_use");
}

/// A word an event, as models write.
std::string answer_in_words() {
  const json::object block = {{"type", "text"}, {"text", ""}};
  std::string events = begin() + event("content_block_start", {{"index", 0}, {"content_block", block}});
  std::string_view gap = "";
  for (const std::string_view word : split(kAnswer, " ")) {
    events += delta({{"type", "text_delta"}, {"text", fmt::format("{}{}", gap, word)}});
    gap = " ";
  }
  return events + end("end_turn");
}

}  // namespace

Result<std::unique_ptr<ModelStandIn>> ModelStandIn::listen(const asio::any_io_executor& loop, ModelOptions options) {
  std::unique_ptr<ModelStandIn> model(new ModelStandIn(std::move(options)));
  net::ServerOptions server{.certificate = model->options_.certificate, .key = model->options_.key};
  server.limits.connections = 10'000;
  TRY(model->server_,
      net::Server::listen(
          loop, std::move(server),
          [self = model.get()](net::ServerRequest request) { return self->answer(std::move(request)); }));
  return model;
}

std::string ModelStandIn::address() const {
  return fmt::format("{}://localhost:{}", options_.certificate.empty() ? "http" : "https", server_->port());
}

Task<net::Answer> ModelStandIn::answer(net::ServerRequest request) {
  static const std::string kCall = call_of_the_tool();
  static const std::string kText = answer_in_words();
  if (request.method != "POST" || request.path != "/v1/messages")
    co_return net::Response{404, {{"Content-Type", "text/plain"}}, "not found"};
  ++requests_;
  if (options_.takes.count() > 0) co_await sleep_for(options_.takes);
  const bool has_result = request.body.contains("\"tool_result\"");
  co_return net::Response{200, {{"Content-Type", "text/event-stream; charset=utf-8"}}, has_result ? kText : kCall};
}

}  // namespace deputy::bench
