#include "net/base_url.h"

#include "net/address.h"

namespace deputy::net {

bool is_this_machine(const Url& url) {
  const auto address = url.address();
  return address ? kind_of(*address) == AddressKind::loopback : url.host == "localhost";
}

Result<> allow_base_url(std::string_view url) {
  TRY(const Url parsed, parse_url(url));
  if (parsed.text.contains('?')) return fail(ErrorKind::invalid_input, "the address of an API has no query");
  if (parsed.scheme == "https" || is_this_machine(parsed)) return {};
  return fail(ErrorKind::invalid_input, "plain http is only spoken to this machine", "write the address with https://");
}

void check_base_url(const std::string& url, FieldReader& reader) {
  if (url.empty()) return;
  if (const Result<> allowed = allow_base_url(url); !allowed)
    reader.problem(allowed.error().message, allowed.error().hint);
}

}  // namespace deputy::net
