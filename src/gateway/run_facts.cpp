#include "gateway/run_facts.h"

#include <algorithm>
#include <array>

#include "gateway/delivery_progress.h"
#include "run/entry.h"

namespace deputy::gateway {
namespace {

// Entries whose words come from people or tools, not from a model.
constexpr std::array<std::string_view, 5> kFromOutside{run::Received::kKind, run::Noted::kKind, run::Enriched::kKind,
                                                       run::StepDone::kKind, run::CallFinished::kKind};

// Strings of a document as they read, not as JSON writes them; parse_json bounds its depth.
void add_hosts_of(const json::value& value, channel::Hosts& hosts) {
  if (const auto* const text = value.if_string()) channel::add_hosts(as_view(*text), hosts);
  if (const auto* const array = value.if_array()) {
    for (const json::value& item : *array) add_hosts_of(item, hosts);
  }
  if (const auto* const object = value.if_object()) {
    for (const auto& [name, item] : *object) add_hosts_of(item, hosts);
  }
}

bool is_message(const store::DeliveryRow& row) {
  return row.kind != run::RedrawDelivery::kKind && row.state == store::DeliveryState::sent;
}

}  // namespace

Task<Result<channel::Hosts>> hosts_of_run(store::Store& store, RunId run) {
  CO_TRY(const std::vector<store::EntryRow> entries, co_await store.journal(run, 1));
  channel::Hosts hosts;
  for (const store::EntryRow& entry : entries) {
    if (entry.kind == run::Replied::kKind) break;
    if (std::ranges::find(kFromOutside, entry.kind) == kFromOutside.end()) continue;
    if (const auto body = parse_json(entry.body)) add_hosts_of(*body, hosts);
  }
  co_return hosts;
}

Task<Result<std::optional<Acknowledged>>> acknowledgement_of(store::Store& store, store::DeliveryRow answer) {
  if (!answer.run) co_return std::nullopt;
  const RunId run = *answer.run;
  store::DeliveryFilter filter;
  filter.run = run;
  CO_TRY(const std::vector<store::DeliveryRow> rows, co_await store.deliveries(filter));
  const auto found = std::ranges::find_if(rows, [&](const store::DeliveryRow& row) {
    return row.kind == run::AcknowledgementDelivery::kKind && row.conversation == answer.conversation &&
           row.state == store::DeliveryState::sent;
  });
  if (found == rows.end()) co_return std::nullopt;
  CO_TRY(const json::object object, parse_json_object(found->body));
  CO_TRY(const auto body, parse_arguments<run::AcknowledgementDelivery>(object));
  Acknowledged acknowledged{.request = body.request};
  if (const auto refs = refs_of(found->ref); !refs.empty()) acknowledged.line = refs.front();
  const auto end = std::ranges::find(rows, answer.id, &store::DeliveryRow::id);
  bool is_last = answer.owed_at - found->owed_at < kYoung;
  is_last = is_last && end > found && std::none_of(found + 1, end, is_message);

  CO_TRY(const std::vector<store::EntryRow> entries, co_await store.journal(run, 1));
  const auto replied = std::ranges::find(entries, run::Replied::kKind, &store::EntryRow::kind);
  is_last = is_last && std::none_of(entries.begin(), replied,
                                    [](const store::EntryRow& entry) { return entry.kind == run::Noted::kKind; });
  store::RunFilter others;
  others.conversation = answer.conversation;
  CO_TRY(const std::vector<store::RunRow> runs, co_await store.runs(others));
  acknowledged.is_last =
      is_last && std::ranges::none_of(runs, [&](const store::RunRow& row) {
        return row.run != run && !row.parent && row.created_at > found->owed_at && row.created_at <= answer.owed_at;
      });
  co_return acknowledged;
}

}  // namespace deputy::gateway
