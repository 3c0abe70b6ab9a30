#include "clients/aws/roles.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/secret.h"
#include "base/text.h"
#include "clients/aws/chain.h"
#include "clients/aws/settings.h"
#include "clients/aws/signed_client.h"
#include "clients/aws/xml.h"
#include "config/files.h"
#include "net/retry_after.h"

namespace deputy::clients::aws {

namespace {

using Form = std::vector<std::pair<std::string_view, std::string>>;

std::string encoded(const Form& form) {
  std::string body;
  for (const auto& [name, value] : form) {
    body += fmt::format("{}{}={}", body.empty() ? "" : "&", name, net::percent_encode(value));
  }
  return body;
}

Form form_of(std::string_view action, const Role& role) {
  Form form{{"Action", std::string(action)},
            {"Version", "2011-06-15"},
            {"RoleArn", role.arn},
            {"RoleSessionName", role.session_name}};
  if (!role.external_id.empty()) form.emplace_back("ExternalId", role.external_id);
  if (role.duration_seconds) form.emplace_back("DurationSeconds", std::to_string(*role.duration_seconds));
  return form;
}

Result<net::Request> request_of(const AwsContext& around, const Role& role, std::string body) {
  TRY(const std::string base, endpoint(around.settings, Service::sts, role.region));
  return net::Request{.method = "POST",
                      .url = base + "/",
                      .headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}},
                      .body = std::move(body),
                      .timeouts = {.connect = std::chrono::seconds(5),
                                   .idle = std::chrono::seconds(10),
                                   .total = std::chrono::seconds(20)},
                      .max_body = kMaxXml};
}

// Keys that are already there and cannot be renewed.
class HeldKey final : public CredentialSource {
 public:
  explicit HeldKey(net::SigningKey key) : held_{std::move(key), {}, {}} {}
  Task<Result<Credentials>> get() override { co_return held_; }
  void refused(const Credentials&) override {}

 private:
  Credentials held_;
};

// Converts a time of theirs to our clock. Dates have whole seconds, so a small difference is ignored.
Timestamp by_our_clock(Timestamp theirs, const std::vector<net::Header>& headers, Timestamp now) {
  const auto their_now = net::parse_http_date(net::find_header(headers, "date").value_or(""));
  if (!their_now || std::chrono::abs(*their_now - now) < std::chrono::minutes(1)) return theirs;
  return theirs - (*their_now - now);
}

Result<Credentials> read_credentials(const net::Response& response, const Role& role, Timestamp now) {
  if (response.status != 200) {
    return std::unexpected(as_error(fmt::format("AWS STS, asked for the role `{}`,", role.arn), response.status,
                                    response.headers, read_service_error(response.headers, response.body), now));
  }
  TRY(const auto texts, read_xml(response.body));
  const auto id = find_text(texts, "Credentials/AccessKeyId");
  const auto secret = find_text(texts, "Credentials/SecretAccessKey");
  const auto token = find_text(texts, "Credentials/SessionToken");
  const auto expires = parse_timestamp(find_text(texts, "Credentials/Expiration").value_or(""));
  if (!id || !secret || !token || id->empty() || secret->empty() || token->empty() || !expires) {
    return fail(ErrorKind::upstream, "AWS STS answered without credentials");
  }
  return Credentials{{std::string(*id), Secret(std::string(*secret)), Secret(std::string(*token))},
                     by_our_clock(*expires, response.headers, now),
                     fmt::format("the role `{}`", role.arn)};
}

}  // namespace

std::string usual_session_name() {
  static const std::string name = [] {
    std::string made = "deputy-";
    for (const char byte : random_bytes(6)) made += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return made;
  }();
  return name;
}

Task<Result<Credentials>> assume_role(const AwsContext& around, net::SigningKey key, Role role) {
  CO_TRY(net::Request request, request_of(around, role, encoded(form_of("AssumeRole", role))));
  HeldKey held(std::move(key));
  SignedClient client(around.http, held, around.clock);
  CO_TRY(const net::Response response, co_await client.send(std::move(request), {role.region, "sts"}));
  co_return read_credentials(response, role, around.clock.now());
}

Task<Result<Credentials>> assume_role_with_web_identity(const AwsContext& around, Role role, Secret token) {
  Form form = form_of("AssumeRoleWithWebIdentity", role);
  form.emplace_back("WebIdentityToken", token.reveal());
  CO_TRY(net::Request request, request_of(around, role, encoded(form)));
  CO_TRY(const net::Response response, co_await around.http.send(std::move(request)));
  co_return read_credentials(response, role, around.clock.now());
}

// The role of a profile: assumed with the keys of another profile (source_profile), which may itself have a role, or
// with those of the environment, the container or the instance (credential_source).

namespace {

constexpr std::size_t kMaxRoles = 5;

std::unexpected<Error> wrong(std::string_view profile, std::string_view what) {
  return fail(ErrorKind::not_configured, fmt::format("the AWS profile `{}` {}", cut_with_mark(profile, 60), what),
              "see the AWS config file");
}

Result<Role> role_of(const AwsContext& around, const Profiles& profiles, const std::string& profile) {
  Role role{.arn = profiles.value(profile, "role_arn"),
            .session_name = profiles.value(profile, "role_session_name"),
            .external_id = profiles.value(profile, "external_id")};
  if (role.session_name.empty()) role.session_name = usual_session_name();
  if (const std::string text = profiles.value(profile, "duration_seconds"); !text.empty()) {
    std::int64_t seconds = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (code != std::errc() || end != text.data() + text.size())
      return wrong(profile, "has an invalid duration_seconds");
    role.duration_seconds = seconds;
  }
  if (!profiles.value(profile, "mfa_serial").empty()) {
    return wrong(profile, "needs an MFA code (mfa_serial), which Deputy cannot enter");
  }
  TRY(role.region, find_region(around.environment, around.settings));
  return role;
}

bool has_keys(const Profiles& profiles, const std::string& profile) {
  return !profiles.value(profile, "aws_access_key_id").empty();
}

// The profiles whose roles are assumed, the chosen one first; the last one has keys or a credential_source.
Result<std::vector<std::string>> roles_from(const Profiles& profiles) {
  std::vector<std::string> way{profiles.chosen};
  for (;;) {
    const std::string source = profiles.value(way.back(), "source_profile");
    const bool has_other = !profiles.value(way.back(), "credential_source").empty();
    if (source.empty() == !has_other) {
      return wrong(way.back(), "has a role and needs either source_profile or credential_source");
    }
    if (source.empty()) return way;
    if (!profiles.has(source)) return wrong(way.back(), "names a source_profile that does not exist");
    // A profile may name itself when it has its own keys.
    const bool ends =
        profiles.value(source, "role_arn").empty() || (source == way.back() && has_keys(profiles, source));
    if (!ends && (contains(way, source) || way.size() >= kMaxRoles)) {
      return wrong(way.back(), "has a source_profile chain that is circular or too long");
    }
    if (ends) return way;
    way.push_back(source);
  }
}

Result<MaybeCredentials> source_keys(const Profiles& profiles, const std::string& source) {
  TRY(MaybeCredentials found, keys_of_section(profiles.credentials, source, "credentials"));
  if (!found) {
    TRY(found, keys_of_section(profiles.config, source, "config"));
  }
  if (found) return found;
  for (const LeftOut way : kAllLeftOut) TRY(refuse(way, profiles, source));
  return found;
}

Task<Result<MaybeCredentials>> first_keys(const AwsContext& around, const Profiles& profiles, std::string profile) {
  const std::string kind = profiles.value(profile, "credential_source");
  if (kind == "Environment") co_return keys_of_environment(around.environment);
  if (kind == "EcsContainer") co_return co_await from_container(around, profiles);
  if (kind == "Ec2InstanceMetadata") co_return co_await from_instance(around, profiles);
  if (!kind.empty()) co_return wrong(profile, "has an unknown credential_source");
  co_return source_keys(profiles, profiles.value(profile, "source_profile"));
}

}  // namespace

Task<Result<MaybeCredentials>> from_role(const AwsContext& around, const Profiles& profiles) {
  if (profiles.value(profiles.chosen, "role_arn").empty() ||
      !profiles.value(profiles.chosen, "web_identity_token_file").empty()) {
    co_return MaybeCredentials{};
  }
  CO_TRY(const std::vector<std::string> way, roles_from(profiles));
  CO_TRY(MaybeCredentials held, co_await first_keys(around, profiles, way.back()));
  if (!held) co_return wrong(way.back(), "has no keys to assume its role with");
  for (auto profile = way.rbegin(); profile != way.rend(); ++profile) {
    CO_TRY(Role role, role_of(around, profiles, *profile));
    net::SigningKey key = held->key;
    CO_TRY(held, co_await assume_role(around, std::move(key), std::move(role)));
  }
  co_return held;
}

// A role for the identity in a token file, such as a Kubernetes service account: from the environment, unless settings
// name a profile, else from the profile. The file is read each time, because the token is rotated.

namespace {

constexpr std::size_t kMaxToken = 20'000;

struct Identity {
  std::string token_file, role_arn, session_name;
};

Identity identity_of(const AwsContext& around, const Profiles& profiles) {
  const auto variable = [&](std::string_view name) {
    const std::string* value = config::find_variable(around.environment, name);
    return value == nullptr ? std::string() : *value;
  };
  if (Identity set{variable("AWS_WEB_IDENTITY_TOKEN_FILE"), variable("AWS_ROLE_ARN"),
                   variable("AWS_ROLE_SESSION_NAME")};
      !set.token_file.empty() && !is_profile_of_settings(around)) {
    return set;
  }
  const auto value = [&](std::string_view key) { return profiles.value(profiles.chosen, key); };
  return {value("web_identity_token_file"), value("role_arn"), value("role_session_name")};
}

}  // namespace

Task<Result<MaybeCredentials>> from_web_identity(const AwsContext& around, const Profiles& profiles) {
  Identity identity = identity_of(around, profiles);
  if (identity.token_file.empty()) co_return MaybeCredentials{};
  if (identity.role_arn.empty()) {
    co_return fail(ErrorKind::not_configured, "an AWS web identity token is set but no role",
                   "set AWS_ROLE_ARN together with AWS_WEB_IDENTITY_TOKEN_FILE");
  }
  CO_TRY(const config::FileContent content, config::read_bounded(identity.token_file, kMaxToken));
  Secret token{std::string(trim(content.text))};
  if (token.empty()) {
    co_return fail(ErrorKind::not_configured, fmt::format("{} is empty", identity.token_file),
                   "AWS_WEB_IDENTITY_TOKEN_FILE must name a file that contains a token");
  }
  Role role{.arn = identity.role_arn,
            .session_name = identity.session_name.empty() ? usual_session_name() : identity.session_name};
  CO_TRY(role.region, find_region(around.environment, around.settings));
  co_return co_await assume_role_with_web_identity(around, std::move(role), std::move(token));
}

}  // namespace deputy::clients::aws
