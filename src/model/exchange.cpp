#include "model/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <variant>

#include "base/text.h"
#include "base/workers.h"
#include "model/api_error.h"

namespace deputy::model {

namespace {

constexpr std::size_t kMaxErrorBody = 64UL * 1024;
// A stream is many times larger than its text: every token arrives in its own event.
constexpr std::size_t kMaxStream = 128UL * 1024 * 1024;
constexpr std::size_t kMaxMessage = 16UL * 1024 * 1024;
constexpr std::chrono::milliseconds kMaxWaitForTheEnd{200};

enum class Past { stop, fail };

/// Reads the body up to `most` bytes. Past that limit it stops or fails, as `past` says.
Task<Result<std::string>> read_body(net::ResponseStream& stream, std::size_t most, Past past) {
  std::string body;
  while (true) {
    CO_TRY(const std::string piece, co_await stream.read());
    if (piece.empty()) co_return body;
    body += piece;
    if (body.size() <= most) continue;
    if (past == Past::fail) co_return std::unexpected(malformed_reply(fmt::format("it has more than {} bytes", most)));
    body.resize(most);
    co_return body;
  }
}

enum class Content { events, json, page };

// Any other content type is read as events: servers name those in many ways.
Content content_of(const std::vector<net::Header>& headers) {
  const std::string_view named = net::find_header(headers, "content-type").value_or(std::string_view());
  const std::string type = to_lower(named.substr(0, named.find(';')));
  if (type.contains("json")) return Content::json;
  return type.contains("html") ? Content::page : Content::events;
}

Error web_page() {
  return {ErrorKind::upstream, "the address of the model's API answers with a web page",
          "check the API's address, and any proxy on the way to it"};
}

Task<Result<>> read_whole(net::ResponseStream& stream, EventReader& reader) {
  CO_TRY(std::string body, co_await read_body(stream, kMaxMessage, Past::fail));
  const Result<json::object> object = co_await parse_large_object(std::move(body));
  if (!object) co_return std::unexpected(malformed_reply("it is not a JSON object"));
  co_return reader.read_message(*object);
}

using Opened = std::variant<std::unique_ptr<net::ResponseStream>, Refused>;

/// Sends the request. Of the response it reads only the body of a refusal.
Task<Result<Opened>> open_exchange(net::HttpClient& http, net::Request request) {
  CO_TRY(std::unique_ptr<net::ResponseStream> stream, co_await http.open(std::move(request)));
  if (stream->status() == 200) co_return std::move(stream);
  // The status says enough; ignore a body that breaks off.
  const Result<std::string> body = co_await read_body(*stream, kMaxErrorBody, Past::stop);
  co_return Refused{stream->status(), stream->headers(), body.value_or(std::string())};
}

/// Feeds `reader` the server-sent events, or the one JSON object of a server that does not stream (by content type),
/// until the reader or the stream ends.
Task<Result<>> read_reply(net::ResponseStream& stream, EventReader& reader) {
  const Content content = content_of(stream.headers());
  if (content == Content::page) co_return std::unexpected(web_page());
  if (content == Content::json) {
    co_return co_await read_whole(stream, reader);
  }
  EventFeed feed(reader);
  while (!reader.has_ended()) {
    const Result<std::string> piece = co_await stream.read();
    if (!piece) {
      if (reader.is_whole()) co_return Result<>();
      co_return std::unexpected(piece.error());
    }
    if (piece->empty()) co_return Result<>();
    feed.add(*piece);
    for (;;) {
      CO_TRY(std::optional<std::string> event, feed.next());
      if (!event) break;
      const Result<json::object> parsed = co_await parse_large_object(*std::move(event));
      CO_TRY(feed.read(parsed));
    }
  }
  // The end of the body usually arrives with the last event. Read it, so that the connection can be reused.
  (void)co_await with_timeout(kMaxWaitForTheEnd, stream.read());
  co_return Result<>();
}

/// Leaves the server's text as it is; `exchange` removes the keys.
Task<Result<std::optional<Refused>>> exchange_as_is(net::HttpClient& http, net::Request request, EventReader& reader) {
  CO_TRY(Opened opened, co_await open_exchange(http, std::move(request)));
  if (auto* refused = std::get_if<Refused>(&opened)) co_return std::move(*refused);
  const std::unique_ptr<net::ResponseStream> stream = std::get<0>(std::move(opened));
  CO_TRY(co_await read_reply(*stream, reader));
  co_return std::nullopt;
}

// A key's first 12 characters identify it. Servers cut texts at the end, possibly inside a key that they repeat.
constexpr std::size_t kTellingPart = 12;

std::string without_keys(std::string said, const std::vector<net::Header>& sent) {
  constexpr std::string_view kBearer = "Bearer ";
  for (const std::string_view name : {"authorization", "x-api-key"}) {
    std::string_view key = net::find_header(sent, name).value_or("");
    if (key.starts_with(kBearer)) key.remove_prefix(kBearer.size());
    said = without_key(std::move(said), key);
  }
  return said;
}

}  // namespace

Task<Result<json::object>> parse_large_object(std::string text) {
  const std::size_t size = text.size();
  return off_loop_if_large<json::object>(size, [text = std::move(text)] { return parse_json_object(text); });
}

std::string without_key(std::string said, std::string_view key) {
  if (key.empty()) return said;
  const std::string_view beginning = key.substr(0, kTellingPart);
  std::string kept;
  std::size_t from = 0;
  for (std::size_t at = said.find(beginning); at != std::string::npos; at = said.find(beginning, from)) {
    kept.append(said, from, at - from).append("…");
    const auto repeated = std::ranges::mismatch(std::string_view(said).substr(at), key).in2 - key.begin();
    from = at + static_cast<std::size_t>(repeated);
  }
  return kept.append(said, from);
}

std::string join_url(std::string_view base, std::string_view path) {
  base = trim(base);
  while (base.ends_with('/')) base.remove_suffix(1);
  while (path.starts_with('/')) path.remove_prefix(1);
  return fmt::format("{}/{}", base, path);
}

std::string versioned_base(std::string_view address) {
  address = trim(address);
  while (address.ends_with('/')) address.remove_suffix(1);
  const std::size_t scheme = address.find("://");
  const bool has_path = scheme != std::string_view::npos && address.find('/', scheme + 3) != std::string_view::npos;
  return has_path ? std::string(address) : join_url(address, "v1");
}

net::Request json_post(std::string url, const json::object& body, const net::Timeouts& timeouts) {
  return {.method = "POST",
          .url = std::move(url),
          .headers = {{"content-type", "application/json"}, {"accept", "text/event-stream, application/json"}},
          .body = json::serialize(body),
          .timeouts = timeouts,
          .max_body = kMaxStream};
}

Task<Result<std::optional<Refused>>> exchange(net::HttpClient& http, net::Request request, EventReader& reader) {
  const std::vector<net::Header> sent = request.headers;
  Result<std::optional<Refused>> exchanged = co_await exchange_as_is(http, std::move(request), reader);
  if (!exchanged) {
    exchanged.error().message = without_keys(std::move(exchanged.error().message), sent);
  } else if (std::optional<Refused>& refused = *exchanged) {
    refused->body = without_keys(std::move(refused->body), sent);
  }
  co_return exchanged;
}

net::Request json_get(std::string url) {
  return {.method = "GET",
          .url = std::move(url),
          .headers = {{"accept", "application/json"}},
          .timeouts = {.connect = std::chrono::seconds(10),
                       .idle = std::chrono::seconds(10),
                       .total = std::chrono::seconds(15)},
          .max_body = kMaxMessage};
}

Task<Result<std::vector<std::string>>> read_model_list(net::HttpClient& http, net::Request request) {
  CO_TRY(Opened opened, co_await open_exchange(http, std::move(request)));
  if (const auto* refused = std::get_if<Refused>(&opened))
    co_return fail(ErrorKind::upstream, fmt::format("the list of models was refused with status {}", refused->status));
  const std::unique_ptr<net::ResponseStream> stream = std::get<0>(std::move(opened));
  CO_TRY(std::string body, co_await read_body(*stream, kMaxMessage, Past::fail));
  const Result<json::object> list = co_await parse_large_object(std::move(body));
  const json::value* data = list ? list->if_contains("data") : nullptr;
  if (data == nullptr || !data->is_array()) co_return fail(ErrorKind::upstream, "the list of models cannot be read");
  std::vector<std::string> names;
  for (const json::value& model : data->get_array()) {
    if (model.is_object()) names.push_back(text_at(model.get_object(), "id"));
  }
  std::erase(names, std::string());
  co_return names;
}

}  // namespace deputy::model
