#include "clients/aws/issued.h"

#include <fmt/format.h>

#include "base/json.h"

namespace deputy::clients::aws {

Result<Credentials> read_issued(std::string_view text, std::string origin) {
  const auto broken = [&] { return fail(ErrorKind::upstream, fmt::format("{} gave no AWS credentials", origin)); };
  const auto object = parse_json_object(text);
  if (!object) return broken();
  Credentials credentials{
      {text_at(*object, "AccessKeyId"), Secret(text_at(*object, "SecretAccessKey")), Secret(text_at(*object, "Token"))},
      {},
      origin};
  if (credentials.key.access_key_id.empty() || credentials.key.secret.empty()) return broken();
  if (const std::string expires = text_at(*object, "Expiration"); !expires.empty()) {
    const auto at = parse_timestamp(expires);
    if (!at) return broken();
    credentials.expires = *at;
  }
  return credentials;
}

}  // namespace deputy::clients::aws
