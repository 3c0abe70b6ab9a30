#include "net/http_request.h"

#include <fmt/chrono.h>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>

#include "base/text.h"

namespace deputy::net {

namespace {

namespace http = boost::beast::http;

Refusal refusal_of(const boost::system::error_code& error) {
  if (error == http::error::header_limit) return {431, "the headers are too large"};
  if (error == http::error::body_limit) return {413, "the body is too large"};
  if (error == http::error::bad_version) return {505, "only HTTP/1.0 and HTTP/1.1 are spoken here"};
  if (error == http::error::bad_content_length) return {400, "the length of the body is not clear"};
  if (error == http::error::bad_transfer_encoding) return {400, "the length of the body is not clear"};
  return {400, "this is not a valid HTTP request"};
}

constexpr Refusal kBadChunk{400, "a chunk of the body is not valid"};

std::string text_of(boost::core::string_view text) { return {text.data(), text.size()}; }

// The path and query of a request's target; proxies may send a whole URL.
std::optional<std::pair<std::string, std::string>> take_apart(std::string_view target) {
  const std::string beginning = to_lower(target.substr(0, 8));
  if (beginning.starts_with("http://") || beginning == "https://") {
    const std::size_t host = target.find("//") + 2;
    target.remove_prefix(std::min(target.find_first_of("/?", host), target.size()));
    if (!target.starts_with('/')) {
      return std::pair("/", std::string(target.substr(target.empty() ? 0 : 1)));
    }
  }
  if (!target.starts_with('/') && target != "*") return std::nullopt;
  const std::size_t mark = std::min(target.find('?'), target.size());
  return std::pair(std::string(target.substr(0, mark)), std::string(target.substr(std::min(mark + 1, target.size()))));
}

}  // namespace

struct RequestReader::Parser {
  enum class Awaits { head, bytes, chunk_size, chunk, chunk_end, trailers, nothing };

  http::request_parser<http::string_body> parser;  // reads the head only
  ReadRequest read;
  Awaits awaits = Awaits::head;
  std::size_t next_line = 0;  // of the head: where the line begins that is not there yet
  std::size_t left = 0;       // bytes of the body or chunk, then of the trailers
  bool wishes_to_continue = false;
};

RequestReader::RequestReader(const ServerLimits& limits)
    : header_bytes_(limits.header_bytes), body_bytes_(limits.body_bytes) {}

RequestReader::~RequestReader() = default;

bool RequestReader::is_between_requests() const { return !parser_ && buffer_.empty(); }

bool RequestReader::take_wish_to_continue() { return parser_ && std::exchange(parser_->wishes_to_continue, false); }

std::expected<std::optional<ReadRequest>, Refusal> RequestReader::next() {
  if (!parser_) {
    // Empty lines before a request are skipped: some clients send one after a body.
    buffer_.erase(0, std::min(buffer_.find_first_not_of("\r\n"), buffer_.size()));
    if (buffer_.empty()) return std::nullopt;
    parser_ = std::make_unique<Parser>();
    parser_->parser.header_limit(static_cast<std::uint32_t>(header_bytes_));
    parser_->parser.body_limit(body_bytes_);
  }
  if (parser_->awaits == Parser::Awaits::head) {
    const auto size = find_head();
    if (!size) return std::unexpected(size.error());
    if (*size == 0) return std::nullopt;
    boost::system::error_code error;
    parser_->parser.put(boost::asio::buffer(buffer_, *size), error);
    if (error) return std::unexpected(refusal_of(error));
    buffer_.erase(0, *size);
    if (const auto begun = begin_body(); !begun) return std::unexpected(begun.error());
  }
  while (parser_->awaits != Parser::Awaits::nothing) {
    const auto went_on = parser_->awaits == Parser::Awaits::bytes || parser_->awaits == Parser::Awaits::chunk
                             ? take_bytes()
                             : take_line();
    if (!went_on) return std::unexpected(went_on.error());
    if (!*went_on) return std::nullopt;
  }
  ReadRequest read = std::move(parser_->read);
  parser_.reset();
  return read;
}

// The size of the head once all of it is there, else 0. The parser gets it whole and nothing after it, so that how it
// came cannot matter.
std::expected<std::size_t, Refusal> RequestReader::find_head() {
  std::size_t& line = parser_->next_line;
  for (std::size_t end = buffer_.find('\n', line); end < header_bytes_; end = buffer_.find('\n', line)) {
    if (end == 0 || buffer_[end - 1] != '\r') return std::unexpected(Refusal{400, "a line of the head ends badly"});
    const bool is_empty = end == line + 1;
    line = end + 1;
    if (is_empty) return line;
  }
  if (buffer_.size() >= header_bytes_) return std::unexpected(Refusal{431, "the headers are too large"});
  return 0;
}

// Takes bytes of the body; false when more are missing.
std::expected<bool, Refusal> RequestReader::take_bytes() {
  const std::size_t size = std::min(parser_->left, buffer_.size());
  parser_->read.request.body.append(buffer_, 0, size);
  buffer_.erase(0, size);
  parser_->left -= size;
  if (parser_->left > 0) return false;
  const bool was_chunk = parser_->awaits == Parser::Awaits::chunk;
  parser_->awaits = was_chunk ? Parser::Awaits::chunk_end : Parser::Awaits::nothing;
  return true;
}

// Takes a line between chunks; false when it is not whole. Beast's own reading of chunks asserts on some cuts.
std::expected<bool, Refusal> RequestReader::take_line() {
  const std::size_t end = buffer_.find('\n');
  if (std::min(end, buffer_.size()) >= header_bytes_) {
    return std::unexpected(Refusal{431, "the headers are too large"});
  }
  if (end == std::string::npos) return false;
  if (end == 0 || buffer_[end - 1] != '\r') return std::unexpected(kBadChunk);
  const std::string line = buffer_.substr(0, end - 1);
  buffer_.erase(0, end + 1);
  if (parser_->awaits == Parser::Awaits::chunk_size) return begin_chunk(line);
  if (parser_->awaits == Parser::Awaits::chunk_end) {
    if (!line.empty()) return std::unexpected(kBadChunk);
    parser_->awaits = Parser::Awaits::chunk_size;
    return true;
  }
  if (line.empty()) parser_->awaits = Parser::Awaits::nothing;
  parser_->left += line.size();
  if (parser_->left > header_bytes_) return std::unexpected(Refusal{431, "the headers are too large"});
  return true;
}

// "1a3;name=value": a number in hex and extensions, which nobody uses.
std::expected<bool, Refusal> RequestReader::begin_chunk(std::string_view line) {
  const std::string_view number = line.substr(0, line.find(';'));
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), size, 16);
  if (error != std::errc() || end != number.data() + number.size()) return std::unexpected(kBadChunk);
  if (size > body_bytes_ - parser_->read.request.body.size()) {
    return std::unexpected(Refusal{413, "the body is too large"});
  }
  parser_->left = size;
  parser_->awaits = size == 0 ? Parser::Awaits::trailers : Parser::Awaits::chunk;
  return true;
}

// Checks the head and takes what it says.
std::expected<void, Refusal> RequestReader::begin_body() {
  const auto& message = parser_->parser.get();
  ReadRequest& read = parser_->read;
  for (const auto& field : message) {
    read.request.headers.push_back({text_of(field.name_string()), text_of(field.value())});
  }
  const std::string length = text_of(message[http::field::content_length]);
  if (message.count(http::field::content_length) > 1 || !std::ranges::all_of(length, is_digit)) {
    return std::unexpected(Refusal{400, "the length of the body is not clear"});
  }
  if (message.count(http::field::transfer_encoding) > 0 &&
      (message.count(http::field::transfer_encoding) > 1 || message.version() != 11 ||
       to_lower(text_of(message[http::field::transfer_encoding])) != "chunked")) {
    return std::unexpected(Refusal{400, "the only transfer encoding spoken here is `chunked`"});
  }
  const std::size_t hosts = message.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && message.version() == 11)) {
    return std::unexpected(Refusal{400, "a request has one `Host` header"});
  }
  auto target = take_apart(text_of(message.target()));
  if (!target) return std::unexpected(Refusal{400, "the target of a request is a path"});
  std::tie(read.request.path, read.request.query) = *std::move(target);
  read.request.method = text_of(message.method_string());
  read.version = static_cast<int>(message.version());
  const bool keeps = read.version == 11 && message.keep_alive();
  read.connection = keeps ? Connection::keep : Connection::close;
  parser_->left = parser_->parser.content_length().value_or(0);
  parser_->awaits = parser_->parser.chunked() ? Parser::Awaits::chunk_size
                    : parser_->left > 0       ? Parser::Awaits::bytes
                                              : Parser::Awaits::nothing;
  if (message.count(http::field::expect) > 0) {
    if (to_lower(text_of(message[http::field::expect])) != "100-continue") {
      return std::unexpected(Refusal{417, "the only expectation known here is `100-continue`"});
    }
    parser_->wishes_to_continue = read.version == 11 && parser_->awaits != Parser::Awaits::nothing;
  }
  return {};
}

std::string response_head(int status, std::span<const Header> headers, BodyForm form, std::size_t body_bytes,
                          Connection connection) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  std::string head = fmt::format("HTTP/1.1 {} {}\r\nDate: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", status,
                                 text_of(http::obsolete_reason(static_cast<http::status>(status))), fmt::gmtime(now));
  for (const Header& header : headers) head += fmt::format("{}: {}\r\n", header.name, header.value);
  if (form == BodyForm::whole) head += fmt::format("Content-Length: {}\r\n", body_bytes);
  if (form == BodyForm::chunked) head += "Transfer-Encoding: chunked\r\n";
  if (connection == Connection::close) head += "Connection: close\r\n";
  return head + "\r\n";
}

bool is_without_body(int status) { return status < 200 || status == 204 || status == 304; }

std::string chunk(std::string_view text) { return fmt::format("{:x}\r\n{}\r\n", text.size(), text); }

}  // namespace deputy::net
