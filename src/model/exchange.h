// One HTTP exchange with a model's API: a JSON body goes out; a stream, one JSON object or a refusal comes back. Shared
// by the providers, which know what the bodies mean.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/task.h"
#include "model/reply_builder.h"
#include "net/http.h"

namespace deputy::model {

/// Reasoning models may be silent for minutes, and a local server may have to load its model first.
inline constexpr net::Timeouts kModelTimeouts{
    .connect = std::chrono::seconds(10), .idle = std::chrono::minutes(5), .total = std::chrono::minutes(10)};

/// A response whose status is not 200: the start of its body, without the keys we sent.
struct Refused {
  int status = 0;
  std::vector<net::Header> headers;
  std::string body;
};

/// Parses a text that may be large: then on a worker.
Task<Result<json::object>> parse_large_object(std::string text);

/// Removes the key, and any beginning of it, from a server's text: some servers repeat it.
std::string without_key(std::string said, std::string_view key);

/// Joins `base` and `path` with exactly one slash: "https://a/" and "v1/messages".
std::string join_url(std::string_view base, std::string_view path);

/// Trims a typed address and its trailing slash; adds `/v1` if it has no path.
std::string versioned_base(std::string_view address);

/// A POST of this body with a bounded response. The caller adds its API's headers.
net::Request json_post(std::string url, const json::object& body, const net::Timeouts& timeouts);

/// Sends the request and feeds `reader` until the reader or the stream ends. The response is read as server-sent
/// events, or as one JSON object if its content type says so. Returns nothing when the reader was fed (ask it for the
/// reply), else the refusal. Errors come from the client or the reader, without the keys we sent.
Task<Result<std::optional<Refused>>> exchange(net::HttpClient& http, net::Request request, EventReader& reader);

/// A GET of a small JSON document.
net::Request json_get(std::string url);

/// Reads the model ids from `{"data": [{"id": …}]}`, the format that vendors use.
Task<Result<std::vector<std::string>>> read_model_list(net::HttpClient& http, net::Request request);

}  // namespace deputy::model
