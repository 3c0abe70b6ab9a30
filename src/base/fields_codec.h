// How each type of field that is one value is read from JSON or settings, written, and described: scalars, enums and
// free-form JSON. What is made of others (optional, list, map, struct) is in fields_codec_parts.h. To add a type,
// specialise FieldCodec in one of them.
#pragma once

#include <cmath>
#include <limits>

#include "base/clock.h"
#include "base/fields.h"

namespace deputy {

/// Reading scalars: false when `value` is no such thing; the problem is then reported.
bool read_bool(const json::value& value, bool& into, FieldReader& reader);
bool read_whole(const json::value& value, std::int64_t& into, FieldReader& reader, const FieldRules& rules);
bool read_number(const json::value& value, double& into, FieldReader& reader, const FieldRules& rules);
bool read_text(const json::value& value, std::string& into, FieldReader& reader);
bool check_number(double number, FieldReader& reader, const FieldRules& rules);
void check_text(std::string_view text, FieldReader& reader, const FieldRules& rules);

/// Reports that the field must be `what`, and what it is instead.
void must_be(FieldReader& reader, std::string_view what, const json::value& value);

/// The list or the object that a value is. In settings it may stand in one scalar: as JSON, or a list as items between
/// commas; what that spreads to is kept in `room`. Null when it is none or holds too much: the problem is then
/// reported.
const json::array* list_in(const json::value& value, FieldReader& reader, json::value& room);
const json::object* object_in(const json::value& value, FieldReader& reader, json::value& room);

/// The JSON that plain text of a settings file means where no field says its type: true, 4, 1.5, null, or text. 007 is
/// text.
json::value guess_scalars(const json::value& value);

void add_text_rules(json::object& schema, const FieldRules& rules);
void add_number_rules(json::object& schema, const FieldRules& rules);
FieldDoc doc_of(const std::string& path, const FieldInfo& info, std::string type);
std::string join_path(const std::string& path, std::string_view key);

template <>
struct FieldCodec<bool> {
  static void read(const json::value& value, bool& into, FieldReader& reader, const FieldRules&) {
    read_bool(value, into, reader);
  }
  static json::value write(bool value) { return value; }
  static json::object schema(const FieldRules&) { return {{"type", "boolean"}}; }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "true or false"));
  }
};

template <std::integral N>
struct FieldCodec<N> {
  static void read(const json::value& value, N& into, FieldReader& reader, const FieldRules& rules) {
    std::int64_t whole = 0;
    if (read_whole(value, whole, reader, rules) &&
        check_number(static_cast<double>(whole), reader, within_type(rules))) {
      into = static_cast<N>(whole);
    }
  }
  static json::value write(N value) { return static_cast<std::int64_t>(value); }
  static json::object schema(const FieldRules& rules) {
    json::object schema{{"type", "integer"}};
    add_number_rules(schema, within_type(rules));
    return schema;
  }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "whole number"));
  }

 private:
  // What the type cannot hold is out of range too, and the schema says so. 64 bits are left to read_whole: a double
  // cannot tell their ends.
  static FieldRules within_type(const FieldRules& rules) {
    constexpr auto kLeast = static_cast<double>(std::numeric_limits<N>::min());
    constexpr auto kMost = static_cast<double>(std::numeric_limits<N>::max());
    FieldRules within;
    within.min = rules.min;
    within.max = rules.max;
    if constexpr (sizeof(N) < sizeof(std::int64_t) || std::is_unsigned_v<N>)
      within.min = std::max(rules.min.value_or(kLeast), kLeast);
    if constexpr (sizeof(N) < sizeof(std::int64_t)) within.max = std::min(rules.max.value_or(kMost), kMost);
    return within;
  }
};

template <>
struct FieldCodec<double> {
  static void read(const json::value& value, double& into, FieldReader& reader, const FieldRules& rules) {
    read_number(value, into, reader, rules);
  }
  static json::value write(double value) { return value; }
  static json::object schema(const FieldRules& rules) {
    json::object schema{{"type", "number"}};
    add_number_rules(schema, rules);
    return schema;
  }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "number"));
  }
};

template <>
struct FieldCodec<std::string> {
  static void read(const json::value& value, std::string& into, FieldReader& reader, const FieldRules& rules) {
    if (read_text(value, into, reader)) check_text(into, reader, rules);
  }
  static json::value write(const std::string& value) { return json::value(value); }
  static json::object schema(const FieldRules& rules) {
    json::object schema{{"type", "string"}};
    add_text_rules(schema, rules);
    return schema;
  }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "text"));
  }
};

/// A relative one starts from the folder of the file that says it.
template <>
struct FieldCodec<std::filesystem::path> {
  static void read(const json::value& value, std::filesystem::path& into, FieldReader& reader,
                   const FieldRules& rules) {
    std::string text;
    FieldCodec<std::string>::read(value, text, reader, rules);
    into = reader.resolve_path(text);
  }
  static json::value write(const std::filesystem::path& value) { return json::value(value.string()); }
  static json::object schema(const FieldRules& rules) { return FieldCodec<std::string>::schema(rules); }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "path"));
  }
};

template <>
struct FieldCodec<Secret> {
  static void read(const json::value& value, Secret& into, FieldReader& reader, const FieldRules&) {
    if (!value.is_string()) {
      reader.problem("this must be text");  // without what it is: it may be the secret
      return;
    }
    if (auto resolved = reader.resolve_secret(std::string(as_view(value.get_string())))) {
      into = *std::move(resolved);
    } else {
      reader.problem(resolved.error().message, resolved.error().hint);
    }
  }
  static json::value write(const Secret& value) {
    return value.empty() ? json::value(nullptr) : json::value("(secret)");
  }
  static json::object schema(const FieldRules&) { return {{"type", "string"}}; }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "secret (`env:NAME`, `file:PATH`, `cmd:…`)"));
  }
};

template <>
struct FieldCodec<std::chrono::milliseconds> {
  static void read(const json::value& value, std::chrono::milliseconds& into, FieldReader& reader, const FieldRules&) {
    std::string text;
    if (!read_text(value, text, reader)) return;
    if (auto duration = parse_duration(text)) {
      into = *duration;
    } else {
      reader.problem(duration.error().message, duration.error().hint);
    }
  }
  static json::value write(std::chrono::milliseconds value) { return json::value(format_duration(value)); }
  static json::object schema(const FieldRules&) {
    return {{"type", "string"}, {"minLength", 2}, {"pattern", "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$"}};
  }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "duration (`30d`, `1h30m`, `90s`)"));
  }
};

template <>
struct FieldCodec<Timestamp> {
  static void read(const json::value& value, Timestamp& into, FieldReader& reader, const FieldRules&) {
    std::string text;
    if (!read_text(value, text, reader)) return;
    if (auto at = parse_timestamp(text)) {
      into = *at;
    } else {
      reader.problem(at.error().message, at.error().hint);
    }
  }
  static json::value write(Timestamp value) { return json::value(format_timestamp(value)); }
  static json::object schema(const FieldRules&) { return {{"type", "string"}, {"format", "date-time"}}; }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "time (`2026-11-15T04:10:02Z`)"));
  }
};

/// An enum is a field when `constexpr auto choices_of(E)` gives an array of {value, name}.
template <class E>
  requires std::is_enum_v<E>
struct FieldCodec<E> {
  static void read(const json::value& value, E& into, FieldReader& reader, const FieldRules&) {
    std::string text;
    if (!read_text(value, text, reader)) return;
    for (const auto& [choice, choice_name] : choices_of(E{})) {
      if (text == choice_name) {
        into = choice;
        return;
      }
    }
    check_text(text, reader, rules());
  }
  static json::value write(E value) {
    for (const auto& [choice, choice_name] : choices_of(E{})) {
      if (value == choice) return json::value(json::string_view(choice_name.data(), choice_name.size()));
    }
    return nullptr;
  }
  static json::object schema(const FieldRules&) { return FieldCodec<std::string>::schema(rules()); }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    FieldInfo with_choices = info;
    with_choices.rules = rules();
    docs.push_back(doc_of(path, with_choices, "text"));
  }

 private:
  static FieldRules rules() {
    FieldRules rules;
    for (const auto& [choice, choice_name] : choices_of(E{})) rules.choices.emplace_back(choice_name);
    return rules;
  }
};

/// Free-form JSON, kept as it is.
template <>
struct FieldCodec<json::value> {
  static void read(const json::value& value, json::value& into, FieldReader& reader, const FieldRules&) {
    into = reader.scalars_are_text() ? guess_scalars(value) : value;
  }
  static json::value write(const json::value& value) { return value; }
  static json::object schema(const FieldRules&) { return {}; }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "anything"));
  }
};

template <>
struct FieldCodec<json::object> {
  static void read(const json::value& given, json::object& into, FieldReader& reader, const FieldRules&) {
    json::value room;
    const json::object* object = object_in(given, reader, room);
    if (object == nullptr) return;
    into = reader.scalars_are_text() ? guess_scalars(*object).get_object() : *object;
  }
  static json::value write(const json::object& value) { return value; }
  static json::object schema(const FieldRules&) { return {{"type", "object"}}; }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    docs.push_back(doc_of(path, info, "object"));
  }
};

}  // namespace deputy

#include "base/fields_codec_parts.h"  // IWYU pragma: export
