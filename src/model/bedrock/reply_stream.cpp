#include "model/bedrock/reply_stream.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/api_error.h"
#include "net/retry_after.h"

namespace deputy::model::bedrock {

namespace {

// OpenSSL accepts white space and counts padding as bytes; this corrects both.
std::optional<std::string> from_base64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0 || text.size() > net::kMaxEventPayload) return std::nullopt;
  if (text.find_first_of(" \t\r\n") != std::string_view::npos) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

std::variant<std::unique_ptr<MessagesReader>, ConverseReader> reader_for(ApiForm form, Calls calls, OnText on_text) {
  if (form == ApiForm::messages) return reader_of_messages(calls, std::move(on_text));
  return ConverseReader(calls, std::move(on_text));
}

// One of Anthropic's events inside a Bedrock chunk.
Result<json::object> parse_chunk(const json::object& chunk) {
  const auto bytes = from_base64(text_at(chunk, "bytes"));
  auto event = bytes ? parse_json_object(*bytes) : fail(ErrorKind::upstream, "no base64");
  if (!event) return std::unexpected(malformed_reply("a chunk contains no event"));
  return event;
}

std::string_view type_of(const net::EventFrame& frame) { return frame.header(":event-type").value_or(""); }

// Error codes and the status they stand for: a frame has no status, and some responses have a vaguer one.
struct StatusOfCode {
  std::string_view code;
  int status;
};
constexpr auto kStatuses = std::to_array<StatusOfCode>({
    {"accessdeniedexception", 403},
    {"expiredtokenexception", 401},
    {"incompletesignature", 401},
    {"incompletesignatureexception", 401},
    {"internalservererror", 500},
    {"internalserverexception", 500},
    {"invalidsignatureexception", 401},
    {"missingauthenticationtoken", 401},
    {"modelerrorexception", 500},
    {"modelnotreadyexception", 503},
    {"modelstreamerrorexception", 500},
    {"modeltimeoutexception", 504},
    {"resourcenotfoundexception", 404},
    {"servicequotaexceededexception", 429},
    {"serviceunavailableexception", 503},
    {"throttlingexception", 429},
    {"unrecognizedclientexception", 401},
    {"validationexception", 400},
});

int status_of(int status, std::string_view code) {
  const auto* const found = std::ranges::find(kStatuses, to_lower(code), &StatusOfCode::code);
  if (found != kStatuses.end()) return found->status;
  return status == 0 || status == 424 ? 500 : status;
}

bool does_not_fit(int status, std::string_view message) {
  constexpr auto kOverflows = std::to_array<std::string_view>(
      {"too many tokens", "too many input tokens", "maximum number of tokens", "exceeds the maximum input"});
  // A throttled account is told about too many tokens too.
  return status == 413 || (status == 400 && says_it_does_not_fit(message, kOverflows));
}

}  // namespace

ReplyStream::ReplyStream(ApiForm form, Calls calls, OnText on_text)
    : reader_(reader_for(form, calls, std::move(on_text))) {}

Result<json::object> parse_event(ApiForm form, const net::EventFrame& frame) {
  auto data = parse_json_object(frame.payload);
  if (!data) return std::unexpected(malformed_reply("an event is not a JSON object"));
  return form == ApiForm::messages && type_of(frame) == "chunk" ? parse_chunk(*data) : data;
}

Result<std::optional<net::EventFrame>> ReplyStream::next() {
  if (has_ended()) return std::nullopt;
  return frames_.next();
}

Result<> ReplyStream::read(const net::EventFrame& frame, const Result<json::object>& event, Timestamp now) {
  const std::string_view kind = frame.header(":message-type").value_or("");
  if (kind == "event") return read_event(type_of(frame), event);
  clients::aws::ServiceError refused = clients::aws::read_service_error({}, frame.payload);
  if (kind == "exception") {
    refused.code = clients::aws::bare_code(frame.header(":exception-type").value_or(""));
  } else if (kind == "error") {
    refused = {std::string(frame.header(":error-code").value_or("")),
               std::string(frame.header(":error-message").value_or(""))};
  } else {
    return std::unexpected(malformed_reply("a frame has no known type"));
  }
  TRY(overflow_, refusal(0, refused, {}, now));
  return {};
}

Result<> ReplyStream::read_event(std::string_view type, const Result<json::object>& event) {
  if (!event) return std::unexpected(event.error());
  if (auto* converse = std::get_if<ConverseReader>(&reader_)) return converse->read(type, *event);
  return type == "chunk" ? std::get<0>(reader_)->read(*event) : Result<>{};
}

Result<> ReplyStream::read_message(const json::object& message) {
  if (auto* converse = std::get_if<ConverseReader>(&reader_)) return converse->read_message(message);
  return std::get<0>(reader_)->read_message(message);
}

bool ReplyStream::has_ended() const {
  if (overflow_) return true;
  if (const auto* converse = std::get_if<ConverseReader>(&reader_)) return converse->has_ended();
  return std::get<0>(reader_)->has_ended();
}

bool ReplyStream::is_whole() const {
  if (overflow_) return true;
  if (const auto* converse = std::get_if<ConverseReader>(&reader_)) return converse->is_whole();
  return std::get<0>(reader_)->is_whole();
}

Result<Reply> ReplyStream::finish() {
  if (overflow_) return *std::move(overflow_);
  if (!is_whole()) TRY(frames_.finish());
  if (auto* converse = std::get_if<ConverseReader>(&reader_)) return converse->finish();
  return std::get<0>(reader_)->finish();
}

Result<Reply> refusal(int status, const clients::aws::ServiceError& refused, const std::vector<net::Header>& headers,
                      Timestamp now) {
  const int meant = status_of(status, refused.code);
  if (does_not_fit(meant, refused.message)) return Reply{.blocks = {}, .stop = Stop::overflow, .usage = {}};
  Error error = error_of({.status = meant, .code = refused.code, .words = refused.message}, headers, now);
  if (error.kind == ErrorKind::authentication) {
    error.message = "Bedrock does not accept the AWS credentials";
    error.hint = "check the AWS keys and the region, or the Bedrock API key";
  }
  if (error.kind == ErrorKind::permission) {
    error.hint =
        "allow bedrock:InvokeModelWithResponseStream to Deputy's role, and ask for access to the model in the "
        "Bedrock console";
  }
  if (error.retryable && !error.retry_after) error.retry_after = net::retry_after(headers, now);
  return std::unexpected(std::move(error));
}

}  // namespace deputy::model::bedrock
