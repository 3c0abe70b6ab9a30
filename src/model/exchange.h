// One exchange with a model's API over HTTP: a JSON body goes out, a stream comes back, or a refusal. Shared by the
// providers; what the bodies mean is theirs to know.
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

/// Models that reason may say nothing for minutes while they do, and a server of one's own may load its model first.
inline constexpr net::Timeouts kModelTimeouts{
    .connect = std::chrono::seconds(10), .idle = std::chrono::minutes(5), .total = std::chrono::minutes(10)};

/// A response whose status is not 200. Of its body the beginning, without the keys that were sent.
struct Refused {
  int status = 0;
  std::vector<net::Header> headers;
  std::string body;
};

/// What a server said, without the key that it was sent and without the beginning of it: some repeat it.
std::string without_key(std::string said, std::string_view key);

/// `base` with `path` behind it, one slash between them: "https://a/" and "v1/messages".
std::string join_url(std::string_view base, std::string_view path);

/// An address as people write it, without a slash at its end; one without a path gets `/v1`.
std::string versioned_base(std::string_view address);

/// A POST of this body that bounds what may come back. The caller adds the headers of its API.
net::Request json_post(std::string url, const json::object& body, const net::Timeouts& timeouts);

/// Sends it and feeds `reader` the server-sent events of the response, or the one JSON object that a server which does
/// not stream sends (by its content type), until the reader or the stream has ended. Nothing: the reader was fed, ask
/// it; else why there is no reply. Errors are those of the client and of the reader, without the keys that were sent.
Task<Result<std::optional<Refused>>> exchange(net::HttpClient& http, net::Request request, EventReader& reader);

/// A GET of a small JSON document.
net::Request json_get(std::string url);

/// The `id`s of the models in `{"data": [{"id": …}]}`, as the vendors list them.
Task<Result<std::vector<std::string>>> read_model_list(net::HttpClient& http, net::Request request);

}  // namespace deputy::model
