#include "clients/aws/s3.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "clients/aws/settings.h"
#include "clients/aws/signed_client.h"

namespace deputy::clients::aws {

namespace {

constexpr net::SigningOptions kSigning{.path = net::CanonicalPath::as_sent,
                                       .payload_hash = net::PayloadHash::in_a_header};

bool is_small(char c) { return is_lower(c) || is_digit(c); }

bool is_bucket(std::string_view name) {
  const auto allowed = [](char c) { return is_small(c) || is_upper(c) || c == '-' || c == '.' || c == '_'; };
  return name.size() >= 3 && name.size() <= 255 && std::ranges::all_of(name, allowed) && !name.contains("..");
}

// A certificate for *.s3.region.amazonaws.com covers a single part only.
bool is_host_part(std::string_view bucket) {
  const auto allowed = [](char c) { return is_small(c) || c == '-'; };
  return bucket.size() <= 63 && std::ranges::all_of(bucket, allowed) && is_small(bucket.front()) &&
         is_small(bucket.back());
}

std::string encoded_key(std::string_view key) {
  std::string path;
  for (const std::string_view part : split(key, "/")) path += "/" + net::percent_encode(part);
  return path;
}

Error refusal(const S3Object& object, const net::Response& response, Timestamp now) {
  const ServiceError refused = read_service_error(response.headers, response.body);
  Error error = as_error(fmt::format("S3, asked for s3://{}/{},", object.bucket, cut_with_mark(object.key, 200)),
                         response.status, response.headers, refused, now);
  if (error.kind == ErrorKind::permission) {
    error.hint =
        "allow s3:GetObject for the key or role that Deputy uses; without s3:ListBucket a missing object is refused "
        "the same way";
  }
  return error;
}

Error no_answer(Error error) {
  if (error.kind == ErrorKind::cancelled) return error;
  error.message = "S3: " + error.message;
  if (error.kind == ErrorKind::upstream) error.hint = "use a smaller object, and check aws.endpoint_url";
  if (error.hint.empty()) error.hint = "check aws.region and aws.endpoint_url, and that S3 can be reached from here";
  return error;
}

// The bucket's region, when the request was refused because it is another one; else empty.
std::string region_elsewhere(const net::Response& response, std::string_view region) {
  const bool may_be = response.status == 301 || response.status == 307 || response.status == 400;
  const std::string_view named = net::find_header(response.headers, "x-amz-bucket-region").value_or("");
  return may_be && named != region && is_region(named) ? std::string(named) : std::string();
}

}  // namespace

Result<S3Object> parse_s3_url(std::string_view url) {
  constexpr std::string_view kScheme = "s3://";
  const std::string_view rest = url.starts_with(kScheme) ? url.substr(kScheme.size()) : std::string_view();
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  S3Object object{std::string(rest.substr(0, slash)), std::string(rest.substr(std::min(slash + 1, rest.size())))};
  if (!is_bucket(object.bucket) || object.key.empty() || object.key.size() > 1024 || !is_valid_utf8(object.key)) {
    return fail(ErrorKind::invalid_input, "this is not the URL of an S3 object", "write it as s3://bucket/some/key");
  }
  return object;
}

void check_s3_url(const std::string& url, FieldReader& reader) {
  if (url.empty()) return;
  if (const auto object = parse_s3_url(url); !object) reader.problem(object.error().message, object.error().hint);
}

Result<std::string> object_url(const Settings& settings, std::string_view region, const S3Object& object) {
  const std::string path = encoded_key(object.key);
  TRY(const std::string base, endpoint(settings, Service::s3, region));
  const bool is_set = !set_endpoint(settings, Service::s3).empty();
  if (is_set || !is_host_part(object.bucket)) return fmt::format("{}/{}{}", base, object.bucket, path);
  return fmt::format("https://{}.s3.{}.{}{}", object.bucket, region, domain_of(region), path);
}

Task<Result<std::string>> get_object(SignedClient& client, Settings settings, std::string region, S3Object object,
                                     std::size_t most) {
  for (bool may_move = true;; may_move = false) {
    CO_TRY(std::string url, object_url(settings, region, object));
    net::Request request{.url = std::move(url), .headers = {}, .max_body = std::max(most, std::size_t{64 * 1024})};
    Result<net::Response> response = co_await client.send(std::move(request), {region, "s3"}, kSigning);
    if (!response) co_return std::unexpected(no_answer(std::move(response).error()));
    if (response->status == 200) {
      if (response->body.size() <= most) co_return std::move(response->body);
      co_return fail(
          ErrorKind::upstream,
          fmt::format("s3://{}/{} is larger than {} bytes", object.bucket, cut_with_mark(object.key, 200), most),
          "use a smaller object");
    }
    std::string elsewhere = region_elsewhere(*response, region);
    if (!may_move || elsewhere.empty()) co_return std::unexpected(refusal(object, *response, client.clock().now()));
    region = std::move(elsewhere);
  }
}

}  // namespace deputy::clients::aws
