#include "support/rich_fields.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace deputy::test {

namespace {

json::value without_patterns(const json::value& schema) {
  if (const auto* list = schema.if_array()) {
    json::array copy;
    for (const json::value& item : *list) copy.push_back(without_patterns(item));
    return copy;
  }
  const auto* object = schema.if_object();
  if (object == nullptr) return schema;
  json::object copy;
  for (const auto& member : *object) {
    if (member.key() != "pattern") copy.emplace(member.key(), without_patterns(member.value()));
  }
  return copy;
}

// The one thing the schema of a duration cannot say: its sum has an end.
bool fits_64_bits(re2::StringPiece duration) {
  static const RE2 part("0*([0-9]*)(d|h|ms|m|s)");
  static const std::map<std::string, std::int64_t> units{
      {"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}};
  __int128 total = 0;
  std::string digits;
  std::string unit;
  while (RE2::Consume(&duration, part, &digits, &unit)) {
    if (digits.size() > 19) return false;
    total += __int128{digits.empty() ? 0 : std::stoull(digits)} * units.at(unit);
  }
  return total <= std::numeric_limits<std::int64_t>::max();
}

bool matches(const std::string& text, const std::string& pattern) {
  return RE2::FullMatch(text, RE2(pattern)) && fits_64_bits(text);
}

// Bridges what valijson (draft 7, measured with its Boost.JSON adapter) and the standard see differently: 4.0 is an
// integer, a NUL is a character. To us a null member is a missing one. Patterns are checked here, because valijson uses
// std::regex. False when one fails.
bool prepare(json::value& value, const json::object& schema) {
  if (auto* text = value.if_string()) {
    const json::value* pattern = schema.if_contains("pattern");
    if (pattern != nullptr && !matches(std::string(as_view(*text)), std::string(as_view(pattern->get_string()))))
      return false;
    std::ranges::replace(*text, '\0', '\x01');
  } else if (const auto* number = value.if_double()) {
    if (std::abs(*number) < 9e18 && *number == std::floor(*number)) value = static_cast<std::int64_t>(*number);
  } else if (const auto* large = value.if_uint64()) {
    value = static_cast<double>(*large);
  } else if (auto* list = value.if_array()) {
    const json::value* items = schema.if_contains("items");
    for (json::value& item : *list) {
      if (!prepare(item, items == nullptr ? json::object{} : items->get_object())) return false;
    }
  } else if (auto* object = value.if_object()) {
    const json::value* properties = schema.if_contains("properties");
    const json::value* additional = schema.if_contains("additionalProperties");
    json::object kept;
    for (auto& member : *object) {
      const json::value* named = properties == nullptr ? nullptr : properties->get_object().if_contains(member.key());
      if (named != nullptr && member.value().is_null()) continue;
      if (named == nullptr && additional != nullptr && additional->is_object()) named = additional;
      if (!prepare(member.value(), named == nullptr ? json::object{} : named->get_object())) return false;
      kept.emplace(member.key(), std::move(member.value()));
    }
    *object = std::move(kept);
  }
  return true;
}

}  // namespace

bool judge_accepts(const json::object& arguments) {
  static const json::object schema =
      json::parse(json::serialize(json_schema<RichFields>())).as_object();  // as it goes out: by its text
  static const auto compiled = [] {
    auto made = std::make_unique<valijson::Schema>();
    const json::value stripped = without_patterns(schema);
    valijson::SchemaParser().populateSchema(valijson::adapters::BoostJsonAdapter(stripped), *made);
    return made;
  }();
  json::value prepared = arguments;
  if (!prepare(prepared, schema)) return false;
  return valijson::Validator().validate(*compiled, valijson::adapters::BoostJsonAdapter(prepared), nullptr);
}

}  // namespace deputy::test
