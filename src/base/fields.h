// One list of fields, many readers. A struct says once what it consists of:
//
//   struct SearchLogsParams {
//     std::string query;
//     std::optional<int> hours_back;
//
//     template <class Fields> static void fields(Fields& f) {
//       using P = SearchLogsParams;
//       f.required(&P::query, "query", "Words to look for, or a regular expression between slashes");
//       f.optional(&P::hours_back, "hours_back", "How far back to look, in hours").in_range(1, 336).default_is(4);
//     }
//   };
//
// From that list come its JSON Schema (`json_schema<T>`), the argument parser with messages a model can act on
// (`parse_arguments<T>`), validated settings (config/), its JSON (`to_json`), and the reference docs
// (`describe_fields<T>`). fields_codec.h has the types a field may have.
//
// A field may have a rule of its own (`check_with`), and a struct `void check(FieldReader&) const` for rules between
// its fields. A struct of many parts has `void check_parts(FieldReader&) const` instead: it is called even after a
// problem, and asks `reader.clean_in` about the fields that a rule needs, so that a problem in one part does not hide
// those of the others.
#pragma once

#include <chrono>
#include <concepts>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/secret.h"

namespace deputy {

/// Limits of a value beyond its type. On a list, `min_items` and `max_items` apply to the list and the rest to each
/// item.
struct FieldRules {
  std::optional<double> min, max;
  std::optional<std::size_t> min_length, max_length;  // in characters
  std::optional<std::size_t> min_items, max_items;
  std::vector<std::string> choices;
};

class FieldReader;

/// Everything a list says about one field, for every reader.
struct FieldInfo {
  std::string name;
  std::string doc;
  bool required = false;
  FieldRules rules;
  json::value default_value;  // null: none
  std::string variable;       // the vendor's usual environment variable, for settings
  std::string kind;           // what the value is, in the words of whoever lists the field; empty: not said
  std::function<void(const void* value, FieldReader&)>
      check;  // called with each value that could be read; see FieldBuilder::check_with
};

/// One thing that is wrong with a document, and its path, such as "tools.log_tools.timeout".
struct Problem {
  std::string path;
  std::string message;
  std::string hint;

  bool operator==(const Problem&) const = default;
};

/// Most values that one settings file may hold, and that one load may unpack from text (`list_in`, `object_in`).
inline constexpr std::size_t kMaxValues = 20'000;

/// One line of reference documentation.
struct FieldDoc {
  std::string path;  // with <placeholders> for open keys, [] for items of a list
  std::string type;  // for people: "whole number", "list of text"
  std::string doc;
  json::value default_value;
  std::vector<std::string> choices;
  std::string variable;
  bool required = false;
};

/// Walks one document. It tracks the current path and collects every problem instead of stopping at the first.
class FieldReader {
 public:
  enum class Scalars {
    typed,  // JSON: a number is a number
    text,   // settings and environment: a scalar is text, parsed as the field's type requires
  };
  /// Turns the text of a secret ("env:NAME", "file:PATH", a literal) into its value.
  using SecretResolver = std::function<Result<Secret>(const std::string& path, const std::string& text)>;

  explicit FieldReader(Scalars scalars, std::string noun = "parameter", std::size_t max_problems = 50)
      : scalars_(scalars), noun_(std::move(noun)), max_problems_(max_problems) {}

  /// The folder that a relative path at `path` of the document is relative to.
  using FolderOf = std::function<std::filesystem::path(const std::string& path)>;

  void resolve_secrets_with(SecretResolver resolver) { resolver_ = std::move(resolver); }
  Result<Secret> resolve_secret(const std::string& text) const;
  void resolve_paths_from(FolderOf folder_of) { folder_of_ = std::move(folder_of); }
  std::filesystem::path resolve_path(const std::string& text) const;

  bool scalars_are_text() const { return scalars_ == Scalars::text; }
  const std::string& noun() const { return noun_; }
  const std::string& path() const { return path_; }

  void problem(std::string message, std::string hint = {});
  /// Adds a problem that was found by other means; its path is relative to the current one.
  void add(Problem found);
  /// The problems in the order they were found; when there are too many, the last one gives the number left out.
  std::vector<Problem> take_problems();
  std::size_t problems_found() const { return found_; }
  bool clean() const { return found_ == 0; }
  /// The known name a person most likely meant. Empty when none is near, or after so many problems that searching would
  /// only cost time.
  std::string_view suggest(std::string_view word, std::span<const std::string> known) const;
  /// Counts values unpacked from text; reports a problem and returns false when they pass kMaxValues in all.
  bool take_in(std::size_t values);
  /// True when these fields of the struct being read have no problem so far.
  bool clean_in(std::initializer_list<std::string_view> fields) const;

  /// Reports problems one level deeper while it lives.
  class Deeper {
   public:
    Deeper(FieldReader& reader, std::string_view key);
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { reader_.path_.resize(length_before_); }

   private:
    FieldReader& reader_;
    std::size_t length_before_;
  };

 private:
  Scalars scalars_;
  std::string noun_;
  std::size_t max_problems_;
  std::string path_;
  SecretResolver resolver_;
  FolderOf folder_of_;
  std::vector<Problem> problems_;
  std::size_t found_ = 0;  // includes those that were not kept
  std::size_t taken_in_ = 0;
};

/// Reads, writes and describes a type; specialised in fields_codec.h.
template <class T>
struct FieldCodec;

template <class P>
class FieldList;

template <class T>
concept HasFields = requires(FieldList<T>& list) { T::fields(list); };

/// Adds details to the field just listed.
template <class M>
class FieldBuilder {
 public:
  explicit FieldBuilder(FieldInfo& info) : info_(info) {}

  FieldBuilder& in_range(double min, double max) {
    info_.rules.min = min;
    info_.rules.max = max;
    return *this;
  }
  FieldBuilder& at_least(double min) {
    info_.rules.min = min;
    return *this;
  }
  FieldBuilder& characters(std::size_t min, std::size_t max) {
    info_.rules.min_length = min;
    info_.rules.max_length = max;
    return *this;
  }
  FieldBuilder& items(std::size_t min, std::size_t max) {
    info_.rules.min_items = min;
    info_.rules.max_items = max;
    return *this;
  }
  FieldBuilder& one_of(std::vector<std::string> choices) {
    info_.rules.choices = std::move(choices);
    return *this;
  }
  FieldBuilder& default_is(M value) {
    info_.default_value = FieldCodec<M>::write(value);
    return *this;
  }
  /// What the value is beyond its type: a choice of an enum that the reader of the list knows.
  template <class E>
    requires std::is_enum_v<E>
  FieldBuilder& kind(E value) {
    for (const auto& [choice, name] : choices_of(value)) {
      if (choice == value) info_.kind = name;
    }
    return *this;
  }
  /// A rule for this field, called with each value that could be read.
  FieldBuilder& check_with(void (*rule)(const M&, FieldReader&)) {
    info_.check = [rule](const void* value, FieldReader& reader) { rule(*static_cast<const M*>(value), reader); };
    return *this;
  }
  /// The environment variable the vendor's own tools read.
  FieldBuilder& from_variable(std::string name) {
    info_.variable = std::move(name);
    return *this;
  }

 private:
  FieldInfo& info_;
};

/// The fields of P, in order, with everything a reader needs.
template <class P>
class FieldList {
 public:
  struct Field {
    FieldInfo info;
    std::function<void(const json::value&, P&, FieldReader&, const FieldInfo&)> read;
    std::function<json::value(const P&)> write;
    std::function<json::object(const FieldInfo&)> schema;
    std::function<void(const std::string& path, const FieldInfo&, std::vector<FieldDoc>&)> describe;
    bool described_elsewhere = false;
  };

  // `Owner` is P or a base of P: P lists its base's fields with `Base::fields(f)`.
  template <class M, class Owner>
    requires std::derived_from<P, Owner>
  FieldBuilder<M> required(M Owner::* member, std::string_view name, std::string_view doc) {
    FieldInfo& info = add<M>(member, name, doc);
    info.required = true;
    return FieldBuilder<M>(info);
  }

  /// A field that may be missing: it then keeps the struct's own value, or the one given to `default_is`.
  template <class M, class Owner>
    requires std::derived_from<P, Owner>
  FieldBuilder<M> optional(M Owner::* member, std::string_view name, std::string_view doc) {
    FieldInfo& info = add<M>(member, name, doc);
    info.default_value = FieldCodec<M>::write(P{}.*member);
    return FieldBuilder<M>(info);
  }

  /// Takes every key that no other field names; the docs show `placeholder` for it.
  template <class M, class Owner>
    requires std::derived_from<P, Owner>
  void rest(std::map<std::string, M> Owner::* member, std::string_view placeholder, std::string_view doc) {
    add<std::map<std::string, M>>(member, placeholder, doc);
    rest_ = fields_.back().get();
  }

  /// A key that no longer exists: people who still use it are told what to write instead.
  void retired(std::string_view name, std::string_view instead) { retired_.emplace_back(name, instead); }
  const std::string* instead_of(std::string_view name) const {
    for (const auto& [key, instead] : retired_) {
      if (key == name) return &instead;
    }
    return nullptr;
  }

  /// The fields of a base that several structs share; the docs describe them once, elsewhere.
  template <class Base>
    requires std::derived_from<P, Base>
  void shared() {
    const std::size_t first = fields_.size();
    Base::fields(*this);
    for (std::size_t i = first; i < fields_.size(); ++i) fields_[i]->described_elsewhere = true;
  }

  const std::vector<std::unique_ptr<Field>>& fields() const { return fields_; }
  const Field* rest() const { return rest_; }
  const Field* find(std::string_view name) const {
    for (const auto& field : fields_) {
      if (field.get() != rest_ && field->info.name == name) return field.get();
    }
    return nullptr;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& field : fields_) {
      if (field.get() != rest_) names.push_back(field->info.name);
    }
    return names;
  }

 private:
  template <class M>
  FieldInfo& add(M P::* member, std::string_view name, std::string_view doc) {
    using Codec = FieldCodec<M>;
    auto field = std::make_unique<Field>();
    field->info.name = name;
    field->info.doc = doc;
    field->read = [member](const json::value& value, P& into, FieldReader& reader, const FieldInfo& info) {
      const std::size_t problems_before = reader.problems_found();
      Codec::read(value, into.*member, reader, info.rules);
      if (info.check && reader.problems_found() == problems_before) info.check(&(into.*member), reader);
    };
    field->write = [member](const P& from) { return Codec::write(from.*member); };
    field->schema = [](const FieldInfo& info) { return Codec::schema(info.rules); };
    field->describe = [](const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
      Codec::describe(path, info, docs);
    };
    fields_.push_back(std::move(field));
    return fields_.back()->info;
  }

  std::vector<std::unique_ptr<Field>> fields_;
  std::vector<std::pair<std::string, std::string>> retired_;
  const Field* rest_ = nullptr;
};

/// The field list of T, built once.
template <HasFields T>
const FieldList<T>& fields_of() {
  static const FieldList<T> list = [] {
    FieldList<T> made;
    T::fields(made);
    return made;
  }();
  return list;
}

/// All problems as one invalid_input error; a shared hint appears once.
Error as_error(const std::vector<Problem>& problems);

/// Reports that a key no longer exists and what to write instead.
void report_retired_key(FieldReader& reader, std::string_view key, const std::string& instead);

/// Reports "there is no key `lmit`; did you mean `limit`?".
void report_unknown_key(FieldReader& reader, std::string_view key, const std::vector<std::string>& known);

template <HasFields T>
json::object json_schema() {
  return FieldCodec<T>::schema(FieldRules{});
}

template <HasFields T>
json::object to_json(const T& value) {
  return std::move(FieldCodec<T>::write(value).get_object());
}

/// Parses a call's arguments, which are strictly typed JSON; the error names every problem and the valid choices.
template <HasFields T>
Result<T> parse_arguments(const json::object& arguments) {
  FieldReader reader(FieldReader::Scalars::typed);
  T parsed{};
  FieldCodec<T>::read_object(arguments, parsed, reader);
  if (!reader.clean()) return std::unexpected(as_error(reader.take_problems()));
  return parsed;
}

template <HasFields T>
std::vector<FieldDoc> describe_fields() {
  std::vector<FieldDoc> docs;
  FieldCodec<T>::describe({}, FieldInfo{}, docs);
  return docs;
}

/// A rule for FieldBuilder::check_with that several settings share.
void at_least_a_second(const std::chrono::milliseconds& time, FieldReader& reader);

}  // namespace deputy

#include "base/fields_codec.h"  // IWYU pragma: export
