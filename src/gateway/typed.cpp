#include "gateway/typed.h"

#include <algorithm>

namespace deputy::gateway {

std::expected<store::InteractionRow, interaction::CodeRefusal> with_code(const Gathered& gathered,
                                                                         std::string_view code, int wrong_before) {
  std::vector<interaction::PendingCode> codes;
  codes.reserve(gathered.with_code.size());
  for (const store::InteractionRow& row : gathered.with_code) codes.push_back({row.id.text(), row.code});
  const auto found = interaction::find_by_code(codes, code, wrong_before);
  if (!found) return std::unexpected(found.error());
  return *std::ranges::find(gathered.with_code, *found, [](const auto& row) { return row.id.text(); });
}

ApprovalWish wish_of(const Decide& decision, const store::InteractionRow& row) {
  if (decision.denied_because) return {false, interaction::Scope::once, {}, *decision.denied_because};
  return {true, interaction::Scope::once, row.digest, {}};
}

std::string words_of(const channel::Verdict& verdict) {
  if (const auto* settled = std::get_if<channel::Settled>(&verdict)) return settled->words;
  if (const auto* refused = std::get_if<channel::Refused>(&verdict)) return refused->why;
  if (const auto* already = std::get_if<channel::Already>(&verdict)) return already->words;
  if (const auto* shows = std::get_if<channel::Shows>(&verdict)) return shows->markdown;
  return {};
}

}  // namespace deputy::gateway
