#include "config/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/contains.h"
#include "base/text.h"

namespace deputy::config {

namespace {

using Keys = std::vector<std::string_view>;

// `hosts` of `hosts[2]` and of `hosts[]`.
std::string_view name_of(std::string_view key) { return key.substr(0, key.find('[')); }

bool is_open(std::string_view documented) { return documented.starts_with('<'); }

// How many open keys it takes to read `path` as the beginning of `documented`; nothing when it cannot be read so.
std::optional<std::ptrdiff_t> open_keys(const Keys& path, const Keys& documented) {
  const bool begins = path.size() <= documented.size() &&
                      std::ranges::equal(path, std::span(documented).first(path.size()),
                                         [](std::string_view given, std::string_view known) {
                                           return is_open(known) || name_of(given) == name_of(known);
                                         });
  if (!begins) return std::nullopt;
  return std::ranges::count_if(std::span(documented).first(path.size()), is_open);
}

bool is_item(std::string_view key) { return key.ends_with(']'); }

std::string of_value(const FieldDoc& doc, std::string_view key) {
  constexpr std::string_view kList = "list of ";
  std::string_view type = doc.type;
  if (is_item(key) && type.starts_with(kList)) type.remove_prefix(kList.size());
  return fmt::format("what belongs here: {} ({})",
                     doc.choices.empty() ? std::string(type) : "one of " + list_names(doc.choices), doc.doc);
}

std::string of_object(const std::vector<std::string>& names) {
  return fmt::format("what belongs here: an object of {}",
                     names.empty() ? std::string("names that you choose") : list_names(names));
}

}  // namespace

std::string what_belongs(std::string_view path, std::span<const FieldDoc> docs) {
  constexpr std::string_view kElsewhere = "`deputy config reference` prints what may be written";
  if (path.empty()) return std::string(kElsewhere);
  const Keys keys = split(path, ".");
  const FieldDoc* value = nullptr;
  std::vector<std::string> inside;  // the names of an object
  bool is_object = false;
  auto fewest_open = static_cast<std::ptrdiff_t>(keys.size()) + 1;  // a key with docs of its own is no open one
  for (const FieldDoc& doc : docs) {
    const Keys documented = split(doc.path, ".");
    const std::optional<std::ptrdiff_t> open = open_keys(keys, documented);
    if (!open || *open > fewest_open) continue;
    if (*open < fewest_open) {
      fewest_open = *open;
      value = nullptr;
      inside.clear();
      is_object = false;
    }
    if (documented.size() == keys.size()) {
      value = &doc;
      continue;
    }
    is_object = true;
    const std::string name(name_of(documented[keys.size()]));
    if (!is_open(name) && !contains(inside, name)) inside.push_back(name);
  }
  const bool is_object_in_a_list = is_object && is_item(keys.back());
  if (value != nullptr && !is_object_in_a_list) return of_value(*value, keys.back());
  return is_object ? of_object(inside) : std::string(kElsewhere);
}

}  // namespace deputy::config
