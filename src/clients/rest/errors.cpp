#include "clients/rest/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json_pointer.h"
#include "base/text.h"
#include "net/retry_after.h"

namespace deputy::clients::rest {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxMessage = 300;
constexpr std::size_t kMaxCode = 100;
constexpr std::size_t kMaxErrorBody = 64UL * 1024;
constexpr milliseconds kUnknownWait{1000};  // it refused and did not say for how long
constexpr milliseconds kLongestWait = std::chrono::hours(24);
constexpr std::int64_t kFirstTime = 1'000'000'000;  // a smaller number is a wait in seconds, not a time

std::string first_text(const json::value& document, std::initializer_list<std::string_view> pointers) {
  for (const std::string_view pointer : pointers) {
    if (std::string text = text_in(document, pointer); !trim(text).empty()) return text;
  }
  return {};
}

std::string one_line(std::string_view text) {
  std::string line = to_valid_utf8(std::string(trim(text)));
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return cut_with_mark(line, kMaxMessage);
}

/// Jira names what is wrong by field: {"errors": {"summary": "is required"}}.
std::string first_field_error(const json::value& document) {
  const json::value* errors = find_in(document, "/errors");
  if (errors == nullptr || !errors->is_object() || errors->get_object().empty()) return {};
  const auto& [field, text] = *errors->get_object().begin();
  return fmt::format("{}: {}", as_view(field), as_text(text));
}

Meaning by_status(int status) {
  if (status == 401) return {.kind = ErrorKind::authentication, .message = "it does not accept the credentials"};
  if (status == 403) return {.kind = ErrorKind::permission, .message = "the account lacks the right for this"};
  if (status == 404) return {.kind = ErrorKind::not_found, .message = "there is no such thing, or it is hidden"};
  if (status == 409 || status == 412) return {.kind = ErrorKind::conflict, .message = "the state does not allow this"};
  if (status == 410) return {.kind = ErrorKind::not_found, .message = "it no longer offers this"};
  if (status == 413 || status == 400 || status == 422) return {.kind = ErrorKind::invalid_input};
  if (status == 408 || status == 504) return {.kind = ErrorKind::timeout, .message = "it took too long"};
  if (status >= 300 && status < 400) return {.kind = ErrorKind::upstream, .message = "it redirects elsewhere"};
  if (status >= 400 && status < 500) return {.kind = ErrorKind::invalid_input};
  return {.kind = ErrorKind::upstream, .message = "it failed on its side"};
}

std::string usual_hint(const VendorName& vendor, ErrorKind kind, int status) {
  switch (kind) {
    case ErrorKind::authentication:
      return vendor.token_setting.empty()
                 ? fmt::format("{} wants credentials: check {}", vendor.name, vendor.address_setting)
                 : fmt::format("check that {} is set, correct and not expired", vendor.token_setting);
    case ErrorKind::permission:
      return vendor.token_setting.empty() ? fmt::format("let this machine reach {}", vendor.name)
                                          : fmt::format("give the account of {} this right", vendor.token_setting);
    case ErrorKind::not_found:
      return status == 410 ? fmt::format("check {}: it may need another version", vendor.address_setting)
                           : "check the name, and that Deputy's account can see it";
    case ErrorKind::invalid_input:
      return "correct the arguments as the message says";
    case ErrorKind::conflict:
      return "read its state again before another try";
    case ErrorKind::rate_limit:
      return "wait and retry, or ask for less";
    case ErrorKind::timeout:
      return "ask for less, such as a shorter time range, or try again later";
    case ErrorKind::network:
      return fmt::format("check {} and that it can be reached from here", vendor.address_setting);
    default:
      return status >= 300 && status < 400 ? fmt::format("check {}", vendor.address_setting)
                                           : fmt::format("try again later; check that {} is well", vendor.name);
  }
}

const Meaning* find_meaning(std::span<const Meaning> table, int status, std::string_view code) {
  const auto found = std::ranges::find_if(table, [&](const Meaning& row) {
    return (row.status == 0 || row.status == status) && (row.code.empty() || row.code == code);
  });
  return found == table.end() ? nullptr : &*found;
}

VendorError error_in(const VendorName& vendor, const net::Response& response) {
  return vendor.read_error != nullptr ? vendor.read_error(response) : read_vendor_error(response.body);
}

}  // namespace

VendorError read_vendor_error(std::string_view body) {
  body = trim(body.substr(0, kMaxErrorBody));
  // A page for browsers comes from something in between, and says nothing in a line.
  if (body.empty() || body.starts_with('<')) return {};
  const Result<json::value> document = parse_json(body);
  if (!document) return {"", body.starts_with('{') || body.starts_with('[') ? "" : one_line(body)};
  if (document->is_string()) return {"", one_line(as_view(document->get_string()))};
  std::string code = first_text(*document, {"/error/type", "/error/code", "/errorType", "/reason", "/code"});
  std::string message =
      first_text(*document, {"/error/message", "/error/reason", "/message", "/error", "/errorMessages/0",
                             "/errors/0/message", "/errors/0", "/detail", "/title"});
  if (message.empty()) message = first_field_error(*document);
  return {std::string(cut_characters(code, kMaxCode)), one_line(message)};
}

std::optional<milliseconds> rate_limit_wait(const net::Response& response, Timestamp now) {
  const auto header = [&](std::string_view name) { return net::find_header(response.headers, name); };
  const auto told = net::retry_after(response.headers, now);
  const bool says_so = told.has_value() || header("x-ratelimit-remaining") == "0";
  if (response.status != 429 && !(response.status == 403 && says_so)) return std::nullopt;
  if (told) return std::max(*told, milliseconds(1));
  for (const std::string_view name : {"x-ratelimit-reset", "ratelimit-reset"}) {
    const std::string_view text = trim(header(name).value_or(""));
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || seconds < 0 || seconds > kFirstTime * 10) continue;
    const milliseconds wait = seconds < kFirstTime ? milliseconds(seconds * 1000) : from_millis(seconds * 1000) - now;
    return std::clamp(wait, milliseconds(1), kLongestWait);
  }
  return kUnknownWait;
}

std::optional<milliseconds> rate_limit_wait(const VendorName& vendor, const net::Response& response, Timestamp now) {
  if (const auto wait = rate_limit_wait(response, now)) return wait;
  const bool has_own = contains(vendor.meanings, ErrorKind::rate_limit, &Meaning::kind);
  if (!has_own || response.status < 400) return std::nullopt;
  const Meaning* known = find_meaning(vendor.meanings, response.status, error_in(vendor, response).code);
  if (known == nullptr || known->kind != ErrorKind::rate_limit) return std::nullopt;
  return std::max(net::retry_after(response.headers, now).value_or(kUnknownWait), milliseconds(1));
}

Error refusal(const VendorName& vendor, const net::Response& response, Timestamp now) {
  if (const auto wait = rate_limit_wait(vendor, response, now)) return rate_limited(vendor, *wait);
  const VendorError theirs = error_in(vendor, response);
  const Meaning* known = find_meaning(vendor.meanings, response.status, theirs.code);
  const Meaning meaning = known != nullptr ? *known : by_status(response.status);
  std::string message = fmt::format("{} answered {}", vendor.name, response.status);
  if (!meaning.message.empty()) message += fmt::format(": {}", meaning.message);
  // What is said of a wrong token may repeat it.
  const bool may_quote = meaning.kind != ErrorKind::authentication && !theirs.message.empty();
  if (may_quote) message += meaning.message.empty() ? ": " + theirs.message : " (" + theirs.message + ")";
  std::string hint =
      meaning.hint.empty() ? usual_hint(vendor, meaning.kind, response.status) : std::string(meaning.hint);
  const auto rights =
      vendor.rights_header.empty() ? std::nullopt : net::find_header(response.headers, vendor.rights_header);
  if (meaning.kind == ErrorKind::permission && rights && !trim(*rights).empty())
    hint = fmt::format("give {} the permission {}", vendor.token_setting, one_line(*rights));
  const bool may_help = meaning.kind == ErrorKind::upstream || meaning.kind == ErrorKind::timeout;
  return {meaning.kind, std::move(message), std::move(hint), may_help && response.status >= 400};
}

Error no_response(const VendorName& vendor, Error error) {
  if (error.kind == ErrorKind::cancelled) return error;
  error.message = fmt::format("{}: {}", vendor.name, error.message);
  if (error.kind == ErrorKind::upstream) {  // too large, or not HTTP
    error.hint = fmt::format("ask for less, such as a shorter time range or a smaller limit; else check {}",
                             vendor.address_setting);
  }
  if (error.hint.empty()) error.hint = usual_hint(vendor, error.kind, 0);
  return error;
}

Error unusable(const VendorName& vendor, std::string_view what) {
  return {ErrorKind::upstream, fmt::format("{} {}", vendor.name, what),
          fmt::format("check that {} is the address of its API", vendor.address_setting)};
}

Error rate_limited(const VendorName& vendor, milliseconds wait) {
  return {ErrorKind::rate_limit, fmt::format("the rate limit of Deputy's account at {} is used up", vendor.name),
          usual_hint(vendor, ErrorKind::rate_limit, 429), true, wait};
}

}  // namespace deputy::clients::rest
