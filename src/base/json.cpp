#include "base/json.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <vector>

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
  } else if (value.is_double() || value.is_uint64()) {
    boost::system::error_code inexact;
    const auto whole = value.to_number<std::int64_t>(inexact);
    if (!inexact) value = whole;
  }
}

}  // namespace

Result<json::value> parse_json(std::string_view text) {
  json::stream_parser parser;
  boost::system::error_code error;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && parser.done() && text.find_first_not_of(" \t\r\n", read) != std::string_view::npos) {
    error = json::error::extra_data;
  }
  if (!error) parser.finish(error);
  if (error) {
    return fail(ErrorKind::invalid_input, fmt::format("not valid JSON near byte {}: {}", read, error.message()));
  }
  return parser.release();
}

Result<json::object> parse_json_object(std::string_view text) {
  TRY(json::value value, parse_json(text));
  if (!value.is_object()) {
    return fail(ErrorKind::invalid_input, fmt::format("a JSON object is needed, this is a {}", kind_in_words(value)));
  }
  return std::move(value.get_object());
}

std::string canonical_json(const json::value& value) {
  json::value copy = sorted(value);
  unify_numbers(copy);
  return json::serialize(copy);
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
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace deputy
