#include "clients/aws/sts.h"

#include <fmt/format.h>

#include "base/random.h"
#include "clients/aws/endpoints.h"
#include "clients/aws/service_error.h"
#include "clients/aws/signed_client.h"
#include "clients/aws/xml.h"
#include "net/http_date.h"

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

Result<net::Request> request_of(const Surroundings& around, const Role& role, std::string body) {
  TRY(const std::string base, endpoint(around.settings, Service::sts, role.region));
  return net::Request{.method = "POST",
                      .url = base + "/",
                      .headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}},
                      .body = std::move(body),
                      .timeouts = {.connect = std::chrono::seconds(5),
                                   .idle = std::chrono::seconds(10),
                                   .total = std::chrono::seconds(20)},
                      .most_body = kMostXml};
}

// Keys that somebody holds already: there are no others to be had.
class HeldKey final : public CredentialSource {
 public:
  explicit HeldKey(net::SigningKey key) : held_{std::move(key), {}, {}} {}
  Task<Result<Credentials>> get() override { co_return held_; }
  void refused(const Credentials&) override {}

 private:
  Credentials held_;
};

// A time of theirs as our clock will show it. Dates are of whole seconds: a small difference means nothing.
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

Task<Result<Credentials>> assume_role(const Surroundings& around, net::SigningKey key, Role role) {
  CO_TRY(net::Request request, request_of(around, role, encoded(form_of("AssumeRole", role))));
  HeldKey held(std::move(key));
  SignedClient client(around.http, held, around.clock);
  CO_TRY(const net::Response response, co_await client.send(std::move(request), {role.region, "sts"}));
  co_return read_credentials(response, role, around.clock.now());
}

Task<Result<Credentials>> assume_role_with_web_identity(const Surroundings& around, Role role, Secret token) {
  Form form = form_of("AssumeRoleWithWebIdentity", role);
  form.emplace_back("WebIdentityToken", token.reveal());
  CO_TRY(net::Request request, request_of(around, role, encoded(form)));
  CO_TRY(const net::Response response, co_await around.http.send(std::move(request)));
  co_return read_credentials(response, role, around.clock.now());
}

}  // namespace deputy::clients::aws
