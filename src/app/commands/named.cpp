#include "app/commands/named.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "channel/terminal/styled_text.h"

namespace deputy::app {

namespace {

constexpr std::size_t kMinBeginning = 4;  // characters
constexpr int kMostLookedAt = 1000;

// What cannot be an id is shown as it was written.
std::string as_id(std::string_view text) {
  std::string id(trim(text));
  if (!std::ranges::all_of(id, [](char c) { return is_letter_or_digit(c); })) return id;
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return id;
}

// As long as it takes to tell them apart.
void shorten(std::vector<std::string>& ids) {
  std::size_t length = channel::kShortId;
  std::ranges::sort(ids);
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const auto same = static_cast<std::size_t>(std::ranges::mismatch(ids[i - 1], ids[i]).in1 - ids[i - 1].begin());
    length = std::max(length, same + 1);
  }
  for (std::string& id : ids) id.resize(std::min(length, id.size()));
}

// The one id that starts with `beginning`.
template <class Id>
Result<Id> only_one(const std::string& beginning, const std::vector<Id>& ids, std::string_view what,
                    std::string_view listed_by) {
  std::vector<std::string> found;
  for (const Id& id : ids) {
    if (id.text().starts_with(beginning)) found.push_back(id.text());
  }
  if (found.size() == 1) return Id::parse(found.front());
  shorten(found);
  if (!found.empty())
    return fail(ErrorKind::invalid_input,
                fmt::format("several {}s start with `{}`: {}", what, beginning, join(found, ", ")), "write more of it");
  return fail(ErrorKind::not_found, fmt::format("no {} `{}`", what, cut_with_mark(beginning, 60)),
              fmt::format("`{}` lists the ids", listed_by));
}

bool is_beginning(std::string_view text) {
  return text.size() >= kMinBeginning && text.size() <= Ulid::kLength &&
         std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c); });
}

}  // namespace

Task<Result<RunId>> run_named(store::Store& store, std::string text) {
  text = as_id(text);
  if (const Result<RunId> whole = RunId::parse(text)) co_return *whole;
  std::vector<RunId> ids;
  if (is_beginning(text)) {
    store::RunFilter filter;
    filter.most = kMostLookedAt;
    CO_TRY(const std::vector<store::RunRow> rows, co_await store.runs(filter));
    for (const store::RunRow& row : rows) ids.push_back(row.run);
  }
  co_return only_one(text, ids, "run", "deputy runs list");
}

Task<Result<GrantId>> grant_named(store::Store& store, std::string text) {
  text = as_id(text);
  if (const Result<GrantId> whole = GrantId::parse(text)) co_return *whole;
  std::vector<GrantId> ids;
  if (is_beginning(text)) {
    store::GrantFilter filter;
    filter.most = kMostLookedAt;
    CO_TRY(const std::vector<store::GrantRow> rows, co_await store.grants(filter));
    for (const store::GrantRow& row : rows) ids.push_back(row.id);
  }
  co_return only_one(text, ids, "grant", "deputy grants list");
}

Task<Result<InteractionId>> interaction_named(store::Store& store, std::string text) {
  text = as_id(text);
  if (const Result<InteractionId> whole = InteractionId::parse(text)) co_return *whole;
  std::vector<InteractionId> ids;
  if (is_beginning(text)) {
    CO_TRY(const std::vector<store::InteractionRow> rows, co_await store.interactions({.most = kMostLookedAt}));
    for (const store::InteractionRow& row : rows) ids.push_back(row.id);
  }
  Result<InteractionId> found = only_one(text, ids, "interaction", "deputy interactions list");
  if (found || found.error().kind != ErrorKind::not_found) co_return found;
  const Result<RunId> run = co_await run_named(store, text);
  if (!run) co_return found;
  co_return InteractionId::parse(run->text());
}

std::string short_id_among(InteractionId id, const std::vector<channel::Card>& cards) {
  const std::string text = id.text();
  std::size_t length = channel::kShortId;
  for (const channel::Card& card : cards) {
    for (const channel::ShownInteraction& other : card.interactions) {
      const std::string others = other.id.text();
      const auto differs = std::ranges::mismatch(text, others).in1 - text.begin();
      if (others != text) length = std::max(length, static_cast<std::size_t>(differs) + 1);
    }
  }
  return text.substr(0, length);
}

}  // namespace deputy::app
