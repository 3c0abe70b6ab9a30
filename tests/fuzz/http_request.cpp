// HTTP requests: whatever comes, and however it is cut, the requests are the same and within the limits.
#include "net/http_request.h"

#include <cstdint>

#include "fuzz/complain.h"

namespace {

using namespace deputy;

const net::ServerLimits kLimits{.header_bytes = 512, .body_bytes = 256};

struct Heard {
  std::vector<std::string> requests;
  int refused = 0;

  bool operator==(const Heard&) const = default;
};

std::string in_full(const net::ReadRequest& read) {
  const net::ServerRequest& request = read.request;
  std::string text = request.method + " " + request.path + "?" + request.query + "\n";
  std::size_t lengths = 0;
  std::size_t encodings = 0;
  for (const net::Header& header : request.headers) {
    text += header.name + ": " + header.value + "\n";
    if (header.name.contains('\n') || header.value.contains('\n')) complain("a header has a line end", text);
    lengths += net::find_header({{header}}, "content-length") ? 1 : 0;
    encodings += net::find_header({{header}}, "transfer-encoding") ? 1 : 0;
  }
  if (lengths + encodings > 1) complain("the length is not clear", text);
  if (lengths + encodings == 0 && !request.body.empty()) complain("a body without a length", text);
  if (request.body.size() > kLimits.body_bytes) complain("a body is too large", text);
  if (text.size() > 2 * kLimits.header_bytes) complain("headers are too large", text);
  if (!request.path.starts_with('/') && request.path != "*") complain("the path is not one", text);
  return text + request.body;
}

Heard read(std::string_view bytes, std::size_t step) {
  net::RequestReader reader(kLimits);
  Heard heard;
  for (;;) {
    const auto next = reader.next();
    if (!next) {
      heard.refused = next.error().status;
      return heard;
    }
    if (const std::optional<net::ReadRequest>& read = *next) {
      heard.requests.push_back(in_full(*read));
    } else if (bytes.empty()) {
      return heard;
    } else {
      reader.add(bytes.substr(0, step));
      bytes.remove_prefix(std::min(step, bytes.size()));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Heard whole = read(bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t step : {1, 3, 50}) {
    const Heard cut = read(bytes, step);
    if (cut.requests != whole.requests) complain("the cut changes the requests");
    if ((cut.refused == 0) != (whole.refused == 0)) complain("the cut changes what is refused");
  }
  return 0;
}
