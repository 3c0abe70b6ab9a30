#include "base/json.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "base/secret.h"

namespace deputy {

namespace {

json::value sorted(const json::value& value) {
  if (const auto* list = value.if_array()) {
    json::array copy;
    copy.reserve(list->size());
    for (const json::value& item : *list) copy.push_back(sorted(item));
    return copy;
  }
  if (const auto* object = value.if_object()) {
    std::vector<const json::key_value_pair*> members;
    members.reserve(object->size());
    for (const auto& member : *object) members.push_back(&member);
    std::ranges::sort(members, {}, [](const auto* member) { return as_view(member->key()); });
    json::object copy;
    copy.reserve(object->size());
    for (const auto* member : members) copy.emplace(member->key(), sorted(member->value()));
    return copy;
  }
  return value;
}

// A number has one spelling whatever type it was parsed to: 4, 4.0 and unsigned 4 are the same value.
void unify_numbers(json::value& value) {
  if (auto* list = value.if_array()) {
    for (json::value& item : *list) unify_numbers(item);
  } else if (auto* object = value.if_object()) {
    for (auto& member : *object) unify_numbers(member.value());
  } else if (const auto whole = as_whole(value)) {
    value = *whole;
  } else if (const auto* number = value.if_double();
             number != nullptr && *number >= kTwoTo63 && *number < 2 * kTwoTo63) {
    value = static_cast<std::uint64_t>(*number);
  }
}

// Builds the value from parser events. Boost's own handler uses the parser's doubles, which are sometimes off by a bit;
// a value that changes when it is written and read again would change its digest too.
struct Builder {
  using Text = json::string_view;
  using Code = boost::system::error_code;
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code&) { return true; }
  bool on_object_end(std::size_t size, Code&) {
    return push([&] { stack.push_object(size); });
  }
  bool on_array_begin(Code&) { return true; }
  bool on_array_end(std::size_t size, Code&) {
    return push([&] { stack.push_array(size); });
  }
  bool on_key_part(Text part, std::size_t, Code&) {
    return push([&] { stack.push_chars(part); });
  }
  bool on_key(Text last_part, std::size_t, Code&) {
    return push([&] { stack.push_key(last_part); });
  }
  bool on_string_part(Text part, std::size_t, Code&) {
    return push([&] { stack.push_chars(part); });
  }
  bool on_string(Text last_part, std::size_t, Code&) {
    return push([&] { stack.push_string(last_part); });
  }
  bool on_number_part(Text, Code&) { return true; }  // the document comes in one buffer, so each number is whole
  bool on_int64(std::int64_t number, Text, Code&) {
    return push([&] { stack.push_int64(number); });
  }
  bool on_uint64(std::uint64_t number, Text, Code&) {
    return push([&] { stack.push_uint64(number); });
  }
  bool on_double(double roughly, Text text, Code& error) {
    double number = roughly;
    std::from_chars(text.data(), text.data() + text.size(),
                    number);  // leaves a number too small for a double at zero
    if (!std::isfinite(number)) {
      error = json::error::exponent_overflow;
      return false;
    }
    return push([&] { stack.push_double(number); });
  }
  bool on_bool(bool value, Code&) {
    return push([&] { stack.push_bool(value); });
  }
  bool on_null(Code&) {
    return push([&] { stack.push_null(); });
  }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }

  static bool push(const auto& what) {
    what();
    return true;
  }

  json::value_stack stack;
};

}  // namespace

Result<json::value> parse_json(std::string_view text) {
  json::basic_parser<Builder> parser(json::parse_options{});
  parser.handler().stack.reset();
  boost::system::error_code error;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), error);
  if (!error && read < text.size()) error = json::error::extra_data;
  if (error) {
    return fail(ErrorKind::invalid_input, fmt::format("not valid JSON near byte {}: {}", read, error.message()));
  }
  return parser.handler().stack.release();
}

Result<json::object> parse_json_object(std::string_view text) {
  TRY(json::value value, parse_json(text));
  if (!value.is_object()) {
    return fail(ErrorKind::invalid_input, fmt::format("expected a JSON object, got: {}", kind_in_words(value)));
  }
  return std::move(value.get_object());
}

std::string canonical_json(const json::value& value) {
  json::value copy = sorted(value);
  unify_numbers(copy);
  return json::serialize(copy);
}

std::optional<std::int64_t> as_whole(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64()) {
    if (value.get_uint64() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return std::nullopt;
    return static_cast<std::int64_t>(value.get_uint64());
  }
  const auto* number = value.if_double();
  // Compared as a double first: converting one that does not fit is undefined.
  if (number == nullptr || !(*number >= -kTwoTo63 && *number < kTwoTo63) || *number != std::floor(*number))
    return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

const json::object* find_object(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

std::string text_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(as_view(value->get_string())) : std::string();
}

std::string as_text(const json::value& value) {
  return value.is_string() ? std::string(as_view(value.get_string())) : json::serialize(value);
}

std::string_view kind_in_words(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "true or false";
    case json::kind::int64:
    case json::kind::uint64:
      return "whole number";
    case json::kind::double_:
      return "number";
    case json::kind::string:
      return "text";
    case json::kind::array:
      return "list";
    case json::kind::object:
      return "object";
  }
  return "value";
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace deputy
