#include "net/request_check.h"

#include <algorithm>
#include <array>

#include "base/characters.h"
#include "base/contains.h"
#include "base/text.h"

namespace deputy::net {

namespace {

constexpr std::size_t kMostHeaders = 100;
constexpr std::size_t kLongestHeader = 32'000;

// What the client makes from the rest of the request, or what belongs to one connection and not to a request.
constexpr auto kOurs =
    std::to_array<std::string_view>({"connection", "content-length", "expect", "host", "proxy-authorization", "te",
                                     "trailer", "transfer-encoding", "upgrade"});

bool is_token(std::string_view text) {
  const auto allowed = [](char c) { return is_letter_or_digit(c) || std::string_view("!#$%&'*+-.^_`|~").contains(c); };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_value(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; });
}

}  // namespace

Result<> check_request(const Request& request) {
  if (!is_token(request.method) || request.method.size() > 20) {
    return fail(ErrorKind::invalid_input, "the method of a request is one word, like GET");
  }
  if (request.headers.size() > kMostHeaders) return fail(ErrorKind::invalid_input, "the request has too many headers");
  for (const Header& header : request.headers) {
    if (!is_token(header.name) || header.name.size() > 200) {
      return fail(ErrorKind::invalid_input, "the name of a header has characters that no header has");
    }
    if (header.value.size() > kLongestHeader || !is_value(header.value)) {
      return fail(ErrorKind::invalid_input,
                  fmt::format("the value of the header `{}` is too long or has a line end or another control "
                              "character in it",
                              header.name));
    }
    if (contains(kOurs, to_lower(header.name))) {
      return fail(ErrorKind::invalid_input, fmt::format("the header `{}` is the client's to set", header.name));
    }
  }
  return {};
}

}  // namespace deputy::net
