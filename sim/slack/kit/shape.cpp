#include "sim/slack/kit/shape.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::sim::slack {
namespace {

// Nobody reads more, and a hostile document would make millions.
constexpr std::size_t kMaxProblems = 100;
constexpr std::size_t kMaxQuotedCharacters = 100;

bool lists(std::string_view words, std::string_view word) { return contains(split(words, " "), word); }

/// The `type` that an object of a shape must say; empty when it says none.
std::string_view type_of(std::string_view shape) {
  const auto slash = shape.find('/');
  return shape.substr(0, slash) == "part" ? std::string_view() : shape.substr(slash + 1);
}

/// The field that each item of a list is checked as.
Field item_of(const Field& list) {
  switch (list.kind) {
    case Kind::texts:
      return list.of.empty() ? text({}, list.each).like(list.format) : word({}, list.of);
    case Kind::rows:
      return objects({}, list.of, 1, list.each);
    default:
      return {.kind = Kind::text_object, .of = list.of, .most = std::min(list.each, kTextObjectCharacters)};
  }
}

bool has_prefix_and_more(std::string_view text, std::string_view prefix) {
  return text.size() > prefix.size() && text.starts_with(prefix) && std::ranges::none_of(text, [](char c) {
           return static_cast<unsigned char>(c) <= ' ' || c == '<' || c == '>';
         });
}

}  // namespace

std::string as_sentence(const BlockProblem& problem) {
  return fmt::format("{} [json-pointer:{}]", problem.error, problem.pointer);
}

const json::string* find_string(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_string();
}

const json::array* find_array(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_array();
}

bool is_https_address(std::string_view text) { return has_prefix_and_more(text, "https://"); }
bool is_web_address(std::string_view text) { return is_https_address(text) || has_prefix_and_more(text, "http://"); }

Walk::Walk(std::span<const Shape> shapes, Surfaces surface, std::string_view code)
    : shapes_(shapes), surface_(surface), code_(code) {}

void Walk::complain(std::string sentence, std::string pointer) {
  complain(std::move(sentence), std::move(pointer), code_);
}

void Walk::complain(std::string sentence, std::string pointer, std::string_view code) {
  BlockProblem problem{std::move(sentence), std::move(pointer), std::string(code)};
  if (problems_.size() < kMaxProblems && !contains(problems_, problem)) problems_.push_back(std::move(problem));
}

const Shape* Walk::find(std::string_view shapes, const json::object& object, const std::string& pointer) {
  const auto named = [&](std::string_view name) { return &*std::ranges::find(shapes_, name, &Shape::name); };
  const auto names = split(shapes, " ");
  if (type_of(names.front()).empty()) return named(names.front());
  const auto* const type = object.if_contains("type");
  if (type == nullptr) return complain("missing required field: type", pointer), nullptr;
  if (!type->is_string()) return complain("must provide a string", pointer + "/type"), nullptr;
  const auto given = as_view(type->get_string());
  const auto found = std::ranges::find(names, given, type_of);
  if (found != names.end() && (named(*found)->surfaces & surface_) != 0) return named(*found);
  complain(fmt::format("unsupported type: {}", cut_characters(given, kMaxQuotedCharacters)), pointer + "/type");
  return nullptr;
}

void Walk::check_object(const json::value& value, std::string_view shapes, const std::string& pointer,
                        std::int64_t text_limit) {
  const auto* const object = value.if_object();
  if (object == nullptr) return complain("must provide an object", pointer);
  const auto* const shape = find(shapes, *object, pointer);
  if (shape == nullptr) return;
  if (shape->name.starts_with("block/")) {
    unique_in_block_.clear();
    seen.block = type_of(shape->name);
  }
  if (shape->enter != nullptr) shape->enter(*this, *object, pointer);
  check_fields(*shape, *object, pointer, text_limit);
  if (shape->leave != nullptr) shape->leave(*this, *object, pointer);
}

void Walk::check_fields(const Shape& shape, const json::object& object, const std::string& pointer,
                        std::int64_t text_limit) {
  for (const auto& member : object) {
    const auto key = as_view(member.key());
    if (key == "type" && !type_of(shape.name).empty()) continue;
    const auto field = std::ranges::find(shape.fields, key, &Field::name);
    if (field == shape.fields.end() || (field->surfaces & surface_) == 0)
      complain(fmt::format("invalid additional property: {}", cut_characters(key, kMaxQuotedCharacters)), pointer);
  }
  for (Field field : shape.fields) {
    const auto* const value = object.if_contains(field.name);
    if (value == nullptr) {
      if (field.is_required) complain(fmt::format("missing required field: {}", field.name), pointer);
      continue;
    }
    if (shape.name.starts_with("text/") && field.name == "text") field.most = text_limit;
    check_value(*value, field, fmt::format("{}/{}", pointer, field.name));
  }
}

void Walk::check_value(const json::value& value, const Field& field, const std::string& pointer) {
  switch (field.kind) {
    case Kind::text:
      return check_text(value, field, pointer);
    case Kind::word:
      if (!value.is_string()) return complain("must provide a string", pointer);
      if (!lists(field.of, as_view(value.get_string()))) complain("must be a valid enum value", pointer);
      return;
    case Kind::flag:
      if (!value.is_bool()) complain("must provide a boolean", pointer);
      return;
    case Kind::whole:
      return check_whole(value, field, pointer);
    case Kind::decimal:
      if (!value.is_number()) complain("must provide a number", pointer);
      return;
    case Kind::text_object:
      return check_object(value, field.of, pointer, field.most);
    case Kind::object:
      return check_object(value, field.of, pointer);
    case Kind::objects:
    case Kind::texts:
    case Kind::rows:
      return check_list(value, field, pointer);
  }
}

void Walk::check_text(const json::value& value, const Field& field, const std::string& pointer) {
  const auto* const string = value.if_string();
  if (string == nullptr) return complain("must provide a string", pointer);
  const auto given = as_view(*string);
  const auto characters = static_cast<std::int64_t>(count_characters(given));
  if (field.is_shown) seen.shown += characters;
  if (characters > field.most)
    complain(fmt::format("must be less than {} characters", field.most + 1), pointer);
  else if (characters < field.least)
    complain(fmt::format("must be more than {} characters", field.least - 1), pointer);
  else if (field.format.matches != nullptr && !field.format.matches(given))
    complain(std::string(field.format.sentence), pointer);
  check_unique(given, field, pointer);
}

void Walk::check_whole(const json::value& value, const Field& field, const std::string& pointer) {
  const auto number = as_whole(value);
  if (!number) return complain("must provide an integer", pointer);
  if (*number < field.least) complain(fmt::format("must be more than {}", field.least - 1), pointer);
  if (*number > field.most) complain(fmt::format("must be less than {}", field.most + 1), pointer);
}

bool Walk::check_size(const json::array& list, std::int64_t least, std::int64_t most, const std::string& pointer) {
  const auto size = static_cast<std::int64_t>(list.size());
  if (size > most) complain(fmt::format("no more than {} items allowed", most), pointer);
  if (size < least) complain(fmt::format("must provide at least {} items", least), pointer);
  return size >= least && size <= most;
}

void Walk::check_list(const json::value& value, const Field& field, const std::string& pointer) {
  const auto* const list = value.if_array();
  if (list == nullptr) return complain("must provide an array", pointer);
  if (!check_size(*list, field.least, field.most, pointer)) return;
  const auto item = item_of(field);
  for (std::size_t i = 0; i < list->size(); ++i) check_value((*list)[i], item, fmt::format("{}/{}", pointer, i));
}

void Walk::check_unique(std::string_view value, const Field& field, const std::string& pointer) {
  if (field.unique == Unique::nowhere) return;
  auto& taken = field.unique == Unique::in_block ? unique_in_block_ : unique_in_document_;
  if (taken.insert(fmt::format("{} {}", field.name, value)).second) return;
  complain(fmt::format("`{}` \"{}\" already exists", field.name, cut_characters(value, kMaxQuotedCharacters)), pointer);
}

}  // namespace deputy::sim::slack
