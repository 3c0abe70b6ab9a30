#include "gateway/outbound/run_facts.h"

#include <algorithm>

#include "base/json.h"
#include "gateway/known_hosts.h"
#include "gateway/outbound/delivery_rules.h"
#include "run/entry.h"

namespace deputy::gateway {
namespace {

// Of a child run.
std::optional<RunId> parent_of(const std::vector<store::EntryRow>& journal) {
  if (journal.empty()) return std::nullopt;
  const Result<json::object> received = parse_json_object(journal.front().body);
  if (!received) return std::nullopt;
  const Result<RunId> parent = RunId::parse(text_at(*received, "parent"));
  return parent ? std::optional(*parent) : std::nullopt;
}

// The earlier runs of the conversation that the model of this one was shown.
std::vector<RunId> remembered_by(const std::vector<store::EntryRow>& journal) {
  std::vector<RunId> runs;
  for (const store::EntryRow& entry : journal) {
    if (entry.kind != run::Enriched::kKind) continue;
    const Result<run::Entry> decoded = run::decode(entry);
    const auto* enriched = decoded ? std::get_if<run::Enriched>(&decoded->body) : nullptr;
    if (enriched == nullptr || !enriched->memory) continue;
    for (const std::string& id : enriched->memory->runs) {
      if (const Result<RunId> run = RunId::parse(id)) runs.push_back(*run);
    }
  }
  return runs;
}

// Whether it is with this entry that a run started that child.
bool starts(const store::EntryRow& entry, const std::string& child) {
  if (entry.kind != run::Delegated::kKind) return false;
  const Result<json::object> body = parse_json_object(entry.body);
  return body && text_at(*body, "child") == child;
}

bool is_message(const store::DeliveryRow& row) {
  return row.kind != run::RedrawDelivery::kKind && row.state == store::DeliveryState::sent;
}

}  // namespace

Task<Result<channel::Hosts>> hosts_of_run(store::Store& store, RunId run) {
  CO_TRY(const std::vector<store::EntryRow> entries, co_await store.journal(run, 1));
  channel::Hosts known;
  if (const std::optional<RunId> parent = parent_of(entries)) {
    CO_TRY(const std::vector<store::EntryRow> before, co_await store.journal(*parent, 1));
    const std::string child = run.text();
    const auto start = std::ranges::find_if(before, [&](const store::EntryRow& entry) { return starts(entry, child); });
    known = known_hosts({before.begin(), start});
  }
  for (const RunId& earlier : remembered_by(entries)) {
    CO_TRY(const std::vector<store::EntryRow> before, co_await store.journal(earlier, 1));
    known = known_hosts(before, std::move(known));
  }
  co_return known_hosts(entries, std::move(known));
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
