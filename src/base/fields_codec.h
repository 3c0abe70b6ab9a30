// Codecs: how a field of each type is read from JSON or settings, written, and described. First the single values
// (scalars, enums, free-form JSON), then the types made of others (optional, list, map, struct), which use the codecs
// of their parts. To add a type, specialise FieldCodec.
#pragma once

#include <cmath>
#include <limits>

#include "base/clock.h"
#include "base/fields.h"
#include "base/text.h"

namespace deputy {

/// Read a scalar; false, with a problem reported, when `value` is not one.
bool read_bool(const json::value& value, bool& into, FieldReader& reader);
bool read_whole(const json::value& value, std::int64_t& into, FieldReader& reader, const FieldRules& rules);
bool read_number(const json::value& value, double& into, FieldReader& reader, const FieldRules& rules);
bool read_text(const json::value& value, std::string& into, FieldReader& reader);
bool check_number(double number, FieldReader& reader, const FieldRules& rules);
void check_text(std::string_view text, FieldReader& reader, const FieldRules& rules);

/// Reports that the field must be `what`, and shows the value that was given.
void must_be(FieldReader& reader, std::string_view what, const json::value& value);

/// The list or object in a value. In settings it may be written as one scalar: as JSON, or a list as items between
/// commas; the unpacked value is then kept in `room`. Null, with a problem reported, when it is neither or holds too
/// many values.
const json::array* list_in(const json::value& value, FieldReader& reader, json::value& room);
const json::object* object_in(const json::value& value, FieldReader& reader, json::value& room);

/// Guesses the JSON of plain settings text whose field gives no type: true, 4, 1.5, null, or text. 007 is text.
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
  // Values outside the type's range are out of range too, and the schema says so. 64-bit limits are left to read_whole:
  // a double cannot represent them exactly.
  static FieldRules within_type(const FieldRules& rules) {
    constexpr auto kLeast = static_cast<double>(std::numeric_limits<N>::min());
    constexpr auto kMax = static_cast<double>(std::numeric_limits<N>::max());
    FieldRules within;
    within.min = rules.min;
    within.max = rules.max;
    if constexpr (sizeof(N) < sizeof(std::int64_t) || std::is_unsigned_v<N>)
      within.min = std::max(rules.min.value_or(kLeast), kLeast);
    if constexpr (sizeof(N) < sizeof(std::int64_t)) within.max = std::min(rules.max.value_or(kMax), kMax);
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

/// A relative path starts from the folder of the file that sets it.
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
      reader.problem("this must be text");  // does not show the value: it may be the secret
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

/// An enum can be a field when `constexpr auto choices_of(E)` returns an array of {value, name}.
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

// Types made of others. They nest at most as deep as JSON is parsed.

template <class T>
struct FieldCodec<std::optional<T>> {
  static void read(const json::value& value, std::optional<T>& into, FieldReader& reader, const FieldRules& rules) {
    T read{};
    FieldCodec<T>::read(value, read, reader, rules);
    into = std::move(read);
  }
  static json::value write(const std::optional<T>& value) {
    return value ? json::value(FieldCodec<T>::write(*value)) : json::value(nullptr);
  }
  static json::object schema(const FieldRules& rules) { return FieldCodec<T>::schema(rules); }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    FieldCodec<T>::describe(path, info, docs);
  }
};

template <class T>
struct FieldCodec<std::vector<T>> {
  static void read(const json::value& given, std::vector<T>& into, FieldReader& reader, const FieldRules& rules) {
    json::value room;
    const json::array* list = list_in(given, reader, room);
    if (list == nullptr) return;
    if (rules.min_items && list->size() < *rules.min_items) {
      reader.problem(fmt::format("this must have at least {}, not {}",
                                 count_of(static_cast<std::int64_t>(*rules.min_items), "item"), list->size()));
    }
    if (rules.max_items && list->size() > *rules.max_items) {
      reader.problem(fmt::format("this must have at most {}, not {}",
                                 count_of(static_cast<std::int64_t>(*rules.max_items), "item"), list->size()));
      return;  // nobody reads the problems of thousands of items
    }
    std::vector<T> items;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const FieldReader::Deeper deeper(reader, fmt::format("[{}]", i));
      T item{};
      FieldCodec<T>::read((*list)[i], item, reader, rules);
      items.push_back(std::move(item));
    }
    into = std::move(items);
  }
  static json::value write(const std::vector<T>& items) {
    json::array list;
    for (const T& item : items) list.push_back(FieldCodec<T>::write(item));
    return list;
  }
  static json::object schema(const FieldRules& rules) {
    json::object schema{{"type", "array"}, {"items", FieldCodec<T>::schema(rules)}};
    if (rules.min_items) schema["minItems"] = *rules.min_items;
    if (rules.max_items) schema["maxItems"] = *rules.max_items;
    return schema;
  }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    if constexpr (HasFields<T>) {
      docs.push_back(doc_of(path, info, "list of objects"));
      FieldCodec<T>::describe(path + "[]", info, docs);
    } else {
      const std::size_t first = docs.size();
      FieldCodec<T>::describe(path, info, docs);
      docs[first].type = "list of " + docs[first].type;
    }
  }
};

template <class T, class Less>
struct FieldCodec<std::map<std::string, T, Less>> {
  using Map = std::map<std::string, T, Less>;

  static void read(const json::value& given, Map& into, FieldReader& reader, const FieldRules& rules) {
    json::value room;
    const json::object* object = object_in(given, reader, room);
    if (object == nullptr) return;
    Map members;
    for (const auto& member : *object) {
      const FieldReader::Deeper deeper(reader, as_view(member.key()));
      T item{};
      FieldCodec<T>::read(member.value(), item, reader, rules);
      members.emplace(as_view(member.key()), std::move(item));
    }
    into = std::move(members);
  }
  static json::value write(const Map& members) {
    json::object object;
    for (const auto& [key, item] : members) object[key] = FieldCodec<T>::write(item);
    return object;
  }
  static json::object schema(const FieldRules& rules) {
    return {{"type", "object"}, {"additionalProperties", FieldCodec<T>::schema(rules)}};
  }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    FieldCodec<T>::describe(join_path(path, "<name>"), info, docs);
  }
};

template <HasFields T>
struct FieldCodec<T> {
  static void read(const json::value& given, T& into, FieldReader& reader, const FieldRules&) {
    json::value room;
    if (const json::object* object = object_in(given, reader, room)) read_object(*object, into, reader);
  }

  static void read_object(const json::object& object, T& into, FieldReader& reader) {
    const FieldList<T>& list = fields_of<T>();
    const std::size_t found_before = reader.problems_found();
    json::object unnamed;
    for (const auto& member : object) {
      if (list.find(as_view(member.key())) != nullptr) continue;
      if (list.rest() != nullptr) {
        unnamed[member.key()] = member.value();
      } else if (const std::string* instead = list.instead_of(as_view(member.key()))) {
        report_retired_key(reader, as_view(member.key()), *instead);
      } else {
        report_unknown_key(reader, as_view(member.key()), list.names());
      }
    }
    for (const auto& field : list.fields()) {
      if (field.get() == list.rest()) {
        field->read(unnamed, into, reader, field->info);
        continue;
      }
      const json::value* value = object.if_contains(field->info.name);
      const FieldReader::Deeper deeper(reader, field->info.name);
      if (value != nullptr && !value->is_null()) {
        field->read(*value, into, reader, field->info);
      } else if (field->info.required) {
        reader.problem("this is required and missing", field->info.doc);
      } else if (!field->info.default_value.is_null()) {
        apply_default(*field, into);
      }
    }
    if constexpr (requires { into.check(reader); }) {
      // Rules between fields need fields that could be read; a problem elsewhere in the document does not skip them.
      if (reader.problems_found() == found_before) into.check(reader);
    }
    if constexpr (requires { into.check_parts(reader); }) into.check_parts(reader);
  }

  static json::value write(const T& value) {
    json::object object;
    const FieldList<T>& list = fields_of<T>();
    for (const auto& field : list.fields()) {
      json::value written = field->write(value);
      if (field.get() == list.rest()) {
        for (auto& member : written.get_object()) object[member.key()] = std::move(member.value());
      } else {
        object[field->info.name] = std::move(written);
      }
    }
    return object;
  }

  static json::object schema(const FieldRules&) {
    json::object properties;
    json::array required;
    const FieldList<T>& list = fields_of<T>();
    json::value additional = false;
    for (const auto& field : list.fields()) {
      json::object schema = field->schema(field->info);
      if (field.get() == list.rest()) {
        additional = schema.at("additionalProperties");
        continue;
      }
      schema["description"] = field->info.doc;
      if (!field->info.default_value.is_null()) schema["default"] = field->info.default_value;
      if (field->info.required) required.emplace_back(field->info.name);
      properties[field->info.name] = std::move(schema);
    }
    json::object schema{
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", std::move(additional)}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
  }

  static void describe(const std::string& path, const FieldInfo&, std::vector<FieldDoc>& docs) {
    const FieldList<T>& list = fields_of<T>();
    for (const auto& field : list.fields()) {
      if (field->described_elsewhere) continue;
      const bool is_rest = field.get() == list.rest();
      // A map describes itself as "<name>"; the rest of a struct is a map whose placeholder the struct chose.
      const std::size_t first = docs.size();
      field->describe(is_rest ? path : join_path(path, field->info.name), field->info, docs);
      if (is_rest) {
        for (std::size_t i = first; i < docs.size(); ++i) {
          const std::size_t at = docs[i].path.find("<name>", path.size());
          if (at != std::string::npos) docs[i].path.replace(at, 6, field->info.name);
        }
      }
    }
  }

 private:
  // A default was written by the codec, so it always reads back.
  static void apply_default(const typename FieldList<T>::Field& field, T& into) {
    FieldReader trusting(FieldReader::Scalars::typed);
    field.read(field.info.default_value, into, trusting, field.info);
  }
};

}  // namespace deputy
