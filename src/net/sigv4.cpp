#include "net/sigv4.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "base/json.h"
#include "base/secret.h"
#include "base/text.h"
#include "net/url.h"

namespace deputy::net {

namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

// Proxies and clients change these, or they hold the signature itself.
constexpr auto kUnsigned = std::to_array<std::string_view>(
    {"authorization", "connection", "expect", "transfer-encoding", "user-agent", "x-amzn-trace-id"});

// The headers that `sign` adds.
constexpr auto kOfASigning =
    std::to_array<std::string_view>({"authorization", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"});

std::string stamp(Timestamp now) {
  return fmt::format("{:%Y%m%dT%H%M%SZ}", std::chrono::floor<std::chrono::seconds>(now));
}

std::string scope_text(const SigningScope& scope, Timestamp now) {
  return fmt::format("{}/{}/{}/aws4_request", stamp(now).substr(0, 8), scope.region, scope.service);
}

bool is_unreserved(char c) { return is_letter_or_digit(c) || std::string_view("-_.~").contains(c); }

std::string encode(std::string_view text, std::string_view kept) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c) || kept.contains(c)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const std::string_view digits = text.substr(std::min(i + 1, text.size()), 2);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (text[i] == '%' && digits.size() == 2 && code == std::errc() && end == digits.data() + 2) {
      decoded += static_cast<char>(value);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::string without_dots(std::string_view path) {
  std::vector<std::string> kept;
  std::string_view last;
  for (const std::string_view segment : split(path, "/")) {
    last = segment;
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (!segment.empty() && segment != ".") {
      kept.emplace_back(segment);
    }
  }
  const bool is_folder = last.empty() || last == "." || last == "..";
  return "/" + join(kept, "/") + (is_folder && !kept.empty() ? "/" : "");
}

std::string canonical_path(std::string_view path, CanonicalPath form) {
  if (path.empty()) return "/";
  switch (form) {
    case CanonicalPath::normal:
      return encode(without_dots(path), "/");
    case CanonicalPath::encoded:
      return encode(path, "/");
    case CanonicalPath::as_sent:
      break;
  }
  return std::string(path);
}

std::string canonical_query(std::string_view query) {
  if (query.empty()) return {};
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string_view part : split(query, "&")) {
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view value = part.substr(std::min(equals + 1, part.size()));
    pairs.emplace_back(encode(decode(part.substr(0, equals)), ""), encode(decode(value), ""));
  }
  std::ranges::sort(pairs);
  std::string text;
  for (const auto& [name, value] : pairs) text += fmt::format("{}{}={}", text.empty() ? "" : "&", name, value);
  return text;
}

// Collapses runs of spaces into one.
std::string canonical_value(std::string_view value) {
  std::string text;
  for (const char c : trim(value)) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space) {
      text += c;
    } else if (!text.ends_with(' ')) {
      text += ' ';
    }
  }
  return text;
}

std::map<std::string, std::string> canonical_headers(const std::vector<Header>& headers) {
  std::map<std::string, std::string> sorted;
  for (const Header& header : headers) {
    if (contains(kUnsigned, to_lower(header.name))) continue;
    const auto [at, is_new] = sorted.try_emplace(to_lower(header.name));
    at->second += (is_new ? "" : ",") + canonical_value(header.value);
  }
  return sorted;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_unreserved(c) && c != '~'; });
}

Result<> check(const SigningKey& key, const SigningScope& scope) {
  if (!is_name(scope.region) || !is_name(scope.service)) {
    return fail(ErrorKind::not_configured, "a request to AWS needs a region, such as eu-central-1",
                "set the region in the settings or in AWS_REGION");
  }
  if (!is_name(key.access_key_id) || key.secret.empty()) {
    return fail(ErrorKind::authentication, "the AWS access key has no id, no secret, or invalid characters");
  }
  return {};
}

// The same as libcurl sends.
std::string host_header(const Url& url) {
  const int usual = url.scheme == "https" ? 443 : 80;
  const std::string host = url.host.contains(':') ? fmt::format("[{}]", url.host) : url.host;
  return url.port == usual ? host : fmt::format("{}:{}", host, url.port);
}

Signable signable(const Request& request, const Url& url) {
  Signable wire{.method = request.method, .headers = request.headers, .payload_hash = sha256_hex(request.body)};
  const std::size_t path = std::min(url.text.find('/', url.scheme.size() + 3), url.text.size());
  const std::size_t query = std::min(url.text.find('?', path), url.text.size());
  wire.path = url.text.substr(path, query - path);
  wire.query = url.text.substr(std::min(query + 1, url.text.size()));
  wire.headers.push_back({"host", host_header(url)});
  return wire;
}

}  // namespace

std::string percent_encode(std::string_view text) { return encode(text, ""); }

std::string signed_headers(const std::vector<Header>& headers) {
  std::string names;
  for (const auto& [name, value] : canonical_headers(headers)) names += (names.empty() ? "" : ";") + name;
  return names;
}

std::string canonical_request(const Signable& request, CanonicalPath path) {
  std::string headers;
  for (const auto& [name, value] : canonical_headers(request.headers)) headers += fmt::format("{}:{}\n", name, value);
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, canonical_path(request.path, path),
                     canonical_query(request.query), headers, signed_headers(request.headers), request.payload_hash);
}

std::string string_to_sign(std::string_view canonical, const SigningScope& scope, Timestamp now) {
  return fmt::format("{}\n{}\n{}\n{}", kAlgorithm, stamp(now), scope_text(scope, now), sha256_hex(canonical));
}

std::string signature(std::string_view text, const SigningKey& key, const SigningScope& scope, Timestamp now) {
  Secret derived = hmac_sha256(Secret("AWS4" + key.secret.reveal()), stamp(now).substr(0, 8));
  for (const std::string_view part :
       {std::string_view(scope.region), std::string_view(scope.service), std::string_view("aws4_request")}) {
    derived = hmac_sha256(derived, part);
  }
  return to_hex(hmac_sha256(derived, text).reveal());
}

Result<> sign(Request& request, const SigningKey& key, const SigningScope& scope, Timestamp now,
              SigningOptions options) {
  TRY(check(key, scope));
  TRY(const Url url, parse_url(request.url, UrlPath::as_is));
  request.url = url.text;
  request.path = UrlPath::as_is;
  std::erase_if(request.headers, [](const Header& header) { return contains(kOfASigning, to_lower(header.name)); });
  request.headers.push_back({"x-amz-date", stamp(now)});
  const bool has_token = !key.session_token.empty();
  const Header token{"x-amz-security-token", key.session_token.reveal()};
  if (has_token && options.session_token == SessionToken::is_signed) request.headers.push_back(token);
  if (options.payload_hash == PayloadHash::in_a_header) {
    request.headers.push_back({"x-amz-content-sha256", sha256_hex(request.body)});
  }
  const Signable wire = signable(request, url);
  const std::string text = string_to_sign(canonical_request(wire, options.path), scope, now);
  request.headers.push_back(
      {"Authorization",
       fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kAlgorithm, key.access_key_id,
                   scope_text(scope, now), signed_headers(wire.headers), signature(text, key, scope, now))});
  if (has_token && options.session_token == SessionToken::added_after) request.headers.push_back(token);
  return {};
}

}  // namespace deputy::net
