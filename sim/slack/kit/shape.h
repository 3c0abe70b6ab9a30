// Shapes: what a JSON object may hold, as tables. A Walk checks a value against its shape and collects what is wrong
// with it, in Slack's sentences. It knows nothing of Block Kit or manifests: those are tables (block_shapes.h,
// manifest.cpp) and the rules that the tables name.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace deputy::sim::slack {

/// One thing Slack refuses: its sentence, where it is, and the method's `error` for it.
struct BlockProblem {
  std::string error;    // "must be less than 3001 characters"
  std::string pointer;  // "/blocks/0/text/text"
  std::string code = "invalid_blocks";

  bool operator==(const BlockProblem&) const = default;
};

/// As Slack writes it in `response_metadata.messages`, without its "[ERROR] ":
/// "must be less than 3001 characters [json-pointer:/blocks/0/text/text]".
std::string as_sentence(const BlockProblem& problem);

/// Where a shape or a field may be used: a sum of these.
using Surfaces = unsigned;
constexpr Surfaces kOnMessages = 1, kOnModals = 2, kOnHomes = 4;
constexpr Surfaces kAnywhere = kOnMessages | kOnModals | kOnHomes;

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kTextObjectCharacters = 3000;

enum class Kind {
  text,         // a string of least..most characters
  word,         // a string that is one of `of`
  flag,         // true or false
  whole,        // a whole number in least..most
  decimal,      // any number
  text_object,  // an object of one of the shapes `of`; a text object among them has at most `most` characters
  object,       // an object of one of the shapes `of`
  objects,      // a list of least..most such objects; text objects in it have at most `each` characters
  texts,        // a list of least..most strings of at most `each` characters, all of them in `of` unless that is empty
  rows,         // a list of least..most lists of 1..each objects
};

/// A further condition on a string, and the sentence for one that breaks it.
struct Format {
  std::string_view sentence;
  bool (*matches)(std::string_view) = nullptr;
};

/// Where no second field of this name may have the same value.
enum class Unique { nowhere, in_block, in_document };

struct Field {
  std::string_view name;
  Kind kind = Kind::text;
  std::string_view of;  // names of shapes, or words; separated by spaces
  std::int64_t least = 0;
  std::int64_t most = kUnlimited;
  std::int64_t each = kUnlimited;
  Format format = {};
  Unique unique = Unique::nowhere;
  Surfaces surfaces = kAnywhere;
  bool is_required = false;
  bool is_shown = false;  // counts towards the text of the whole message

  constexpr Field required(this Field field) { return field.is_required = true, field; }
  constexpr Field shown(this Field field) { return field.is_shown = true, field; }
  constexpr Field on(this Field field, Surfaces where) { return field.surfaces = where, field; }
  constexpr Field like(this Field field, Format wanted) { return field.format = wanted, field; }
  constexpr Field unique_in(this Field field, Unique scope) { return field.unique = scope, field; }
  constexpr Field each_up_to(this Field field, std::int64_t limit) { return field.each = limit, field; }
};

// The fields of the tables.
constexpr Field text(std::string_view name, std::int64_t most, std::int64_t least = 1) {
  return {.name = name, .kind = Kind::text, .least = least, .most = most};
}
constexpr Field word(std::string_view name, std::string_view words) {
  return {.name = name, .kind = Kind::word, .of = words};
}
constexpr Field flag(std::string_view name) { return {.name = name, .kind = Kind::flag}; }
constexpr Field whole(std::string_view name, std::int64_t least, std::int64_t most) {
  return {.name = name, .kind = Kind::whole, .least = least, .most = most};
}
constexpr Field decimal(std::string_view name) { return {.name = name, .kind = Kind::decimal}; }
constexpr Field object(std::string_view name, std::string_view shapes) {
  return {.name = name, .kind = Kind::object, .of = shapes};
}
constexpr Field objects(std::string_view name, std::string_view shapes, std::int64_t least, std::int64_t most) {
  return {.name = name, .kind = Kind::objects, .of = shapes, .least = least, .most = most};
}
constexpr Field texts(std::string_view name, std::int64_t least, std::int64_t most, std::string_view words = {}) {
  return {.name = name, .kind = Kind::texts, .of = words, .least = least, .most = most};
}
constexpr Field rows(std::string_view name, std::string_view shapes, std::int64_t least, std::int64_t most) {
  return {.name = name, .kind = Kind::rows, .of = shapes, .least = least, .most = most};
}
constexpr Field plain_text(std::string_view name, std::int64_t most) {
  return {.name = name, .kind = Kind::text_object, .of = "text/plain_text", .most = most};
}
constexpr Field mrkdwn(std::string_view name, std::int64_t most) {
  return {.name = name, .kind = Kind::text_object, .of = "text/mrkdwn", .most = most};
}
constexpr Field any_text(std::string_view name, std::int64_t most) {
  return {.name = name, .kind = Kind::text_object, .of = "text/plain_text text/mrkdwn", .most = most};
}

class Walk;

/// What the fields cannot say: how they depend on each other. Called with an object of the shape, before its fields are
/// checked (`enter`) or after (`leave`); they may hold anything.
using Rule = void (*)(Walk& walk, const json::object& object, const std::string& pointer);

/// An object's shape. Its name is "group/type", and the object says its `type`, except in the group `part`. Objects of
/// the group `block` are what `Unique::in_block` means.
struct Shape {
  std::string_view name;
  std::span<const Field> fields;
  Surfaces surfaces = kAnywhere;
  Rule enter = nullptr;
  Rule leave = nullptr;
};

/// Checks values against shapes and remembers what was seen on the way.
class Walk {
 public:
  Walk(std::span<const Shape> shapes, Surfaces surface, std::string_view code);

  /// Checks a value that must be an object of one of the shapes.
  void check_object(const json::value& value, std::string_view shapes, const std::string& pointer,
                    std::int64_t text_limit = kTextObjectCharacters);
  /// Checks a value that stands at `pointer` as the value of this field.
  void check_value(const json::value& value, const Field& field, const std::string& pointer);

  void complain(std::string sentence, std::string pointer);
  void complain(std::string sentence, std::string pointer, std::string_view code);
  std::vector<BlockProblem> take_problems() && { return std::move(problems_); }
  bool found_problems() const { return !problems_.empty(); }

  Surfaces surface() const { return surface_; }

  /// What rules remember from one object to the next.
  struct Seen {
    std::string block;        // the type of the block we are in
    std::string first_input;  // where the first input block is
    std::int64_t shown = 0;   // characters of text so far
    std::int64_t before = 0;  // `shown` when the table began
    int tables = 0;
    int focused = 0;
  };
  Seen seen;

 private:
  const Shape* find(std::string_view shapes, const json::object& object, const std::string& pointer);
  void check_fields(const Shape& shape, const json::object& object, const std::string& pointer,
                    std::int64_t text_limit);
  void check_text(const json::value& value, const Field& field, const std::string& pointer);
  void check_whole(const json::value& value, const Field& field, const std::string& pointer);
  bool check_size(const json::array& list, std::int64_t least, std::int64_t most, const std::string& pointer);
  void check_list(const json::value& value, const Field& field, const std::string& pointer);
  void check_unique(std::string_view value, const Field& field, const std::string& pointer);

  std::span<const Shape> shapes_;
  Surfaces surface_;
  std::string_view code_;
  std::vector<BlockProblem> problems_;
  std::set<std::string> unique_in_block_;
  std::set<std::string> unique_in_document_;
};

/// A member of an object when it is a string; nothing otherwise.
const json::string* find_string(const json::object& object, std::string_view key);
/// A member of an object when it is a list; nothing otherwise.
const json::array* find_array(const json::object& object, std::string_view key);

bool is_web_address(std::string_view text);
bool is_https_address(std::string_view text);
constexpr Format kWebAddress{"must be a valid URL", is_web_address};
constexpr Format kHttpsAddress{"must be a valid HTTPS URL", is_https_address};

}  // namespace deputy::sim::slack
