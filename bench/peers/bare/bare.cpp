// The floor: the HTTP calls and frames of a flow and nothing else. No journal, no checks, no retries; a request of the
// model is a fixed text. It stands on the same HTTP client and WebSocket as Deputy.
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <iostream>

#include "base/json.h"
#include "net/client.h"
#include "net/form.h"
#include "net/websocket.h"

namespace {

using namespace deputy;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Bare {
  explicit Bare(const asio::any_io_executor& loop)
      : slack_http(loop, {}),
        model_http(loop,
                   {.ca_file = variable("SSL_CERT_FILE"), .max_connections_per_host = 5000, .max_connections = 5000}) {}

  Task<json::object> slack(std::string method, std::string token, std::vector<net::FormField> fields) {
    net::Request request{.method = "POST", .url = api + method, .headers = {}, .body = net::build_form(fields)};
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Authorization", "Bearer " + token}};
    const Result<net::Response> response = co_await slack_http.send(std::move(request));
    if (!response) fail(method + ": " + describe(response.error()));
    Result<json::object> reply = parse_json_object(response->body);
    if (!reply || !reply->contains("ok") || reply->at("ok") != true) fail(method + ": " + response->body);
    co_return *std::move(reply);
  }

  Task<> ask_model(std::string body) {
    net::Request request{.method = "POST", .url = model + "/v1/messages", .headers = {}, .body = std::move(body)};
    request.headers = {{"Content-Type", "application/json"}};
    const Result<net::Response> response = co_await model_http.send(std::move(request));
    if (!response) fail("model: " + describe(response.error()));
  }

  Task<> answer(json::object event) {
    const std::string channel = text_at(event, "channel");
    const std::string thread = text_at(event, "thread_ts");
    const json::object posted = co_await slack(
        "chat.postMessage", bot, {{"channel", channel}, {"thread_ts", thread}, {"text", "Working on it…"}});
    const json::object replies = co_await slack("conversations.replies", bot, {{"channel", channel}, {"ts", thread}});
    const json::object person = co_await slack("users.info", bot, {{"user", text_at(event, "user")}});
    co_await ask_model(R"({"messages": ["a question"]})");
    co_await ask_model(R"({"messages": ["a question", {"type":"tool_result"}]})");
    const json::object changed = co_await slack(
        "chat.update", bot, {{"channel", channel}, {"ts", text_at(posted, "ts")}, {"text", variable("BARE_ANSWER")}});
  }

  Task<> run() {
    const json::object opened = co_await slack("apps.connections.open", variable("SLACK_APP_TOKEN"), {});
    const auto socket = co_await net::WebSocket::connect(text_at(opened, "url"), {}, {});
    if (!socket) fail(describe(socket.error()));
    const auto executor = co_await asio::this_coro::executor;
    while (true) {
      const Result<net::WebSocketMessage> message = co_await (*socket)->read();
      if (!message) fail(describe(message.error()));
      const Result<json::object> frame = parse_json_object(message->bytes);
      if (!frame || !frame->contains("envelope_id")) continue;
      const Result<> written =
          co_await (*socket)->write(json::serialize(json::object{{"envelope_id", frame->at("envelope_id")}}));
      if (!written) fail(describe(written.error()));
      const json::object& event = frame->at("payload").at("event").as_object();
      if (text_at(event, "type") == "app_mention") spawn(executor, "flow", answer(event));
    }
  }

  [[noreturn]] static void fail(const std::string& why) {
    std::cerr << "bare: " << why << "\n";
    std::exit(1);
  }

  std::string api = variable("SLACK_API_URL");
  std::string bot = variable("SLACK_BOT_TOKEN");
  std::string model = variable("ANTHROPIC_BASE_URL");
  net::Client slack_http;
  net::Client model_http;
};

}  // namespace

int main() {
  asio::io_context loop;
  Bare bare(loop.get_executor());
  spawn(loop.get_executor(), "bare", bare.run());
  loop.run();
  return 0;
}
