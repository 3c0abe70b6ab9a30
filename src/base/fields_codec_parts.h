// How fields that are made of others are read, written and described: an optional one, a list, a map, a struct. Each
// asks the codec of its parts, at most as deep as JSON is parsed.
#pragma once

#include "base/fields_codec.h"

namespace deputy {

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
      reader.problem(fmt::format("at least {} items are needed, there are {}", *rules.min_items, list->size()));
    }
    if (rules.max_items && list->size() > *rules.max_items) {
      reader.problem(fmt::format("at most {} items are allowed, there are {}", *rules.max_items, list->size()));
      return;  // what else is wrong with thousands of items nobody reads
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
      // Rules between fields hold of fields that could be read; a problem elsewhere in the document does not hide
      // theirs.
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
      // A map describes its own "<name>"; the rest of a struct is a map whose placeholder the struct chose.
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
  // A default is our own value: it is written by the codec, so it reads back.
  static void apply_default(const typename FieldList<T>::Field& field, T& into) {
    FieldReader trusting(FieldReader::Scalars::typed);
    field.read(field.info.default_value, into, trusting, field.info);
  }
};

}  // namespace deputy
