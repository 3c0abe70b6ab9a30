#include "gateway/outbound/run_facts.h"

#include <algorithm>
#include <ranges>
#include <span>

#include "base/json.h"
#include "gateway/outbound/delivery_rules.h"
#include "run/journal/fold.h"
#include "run/journal/known_hosts.h"

namespace deputy::gateway {
namespace {

bool is_message(const store::DeliveryRow& row) {
  return row.kind != run::RedrawDelivery::kKind && row.state == store::DeliveryState::sent;
}

}  // namespace

std::optional<channel::MessageRef> stream_in(std::span<const store::DeliveryRow> rows) {
  for (const store::DeliveryRow& row : rows | std::views::reverse) {
    const bool restarts = row.kind == run::RestartDelivery::kKind;
    const bool begins = restarts || row.kind == run::AcknowledgementDelivery::kKind;
    if (!begins || row.state != store::DeliveryState::sent) continue;
    const DeliveryProgress progress = read_progress(row.ref);
    if (restarts && progress.sent.empty()) continue;
    return progress.stream && !progress.sent.empty() ? std::optional(progress.sent.back()) : std::nullopt;
  }
  return std::nullopt;
}

Task<Result<channel::Hosts>> hosts_of_run(store::Store& store, RunId run) {
  CO_TRY(std::vector<store::EntryRow> journal, co_await store.journal(run, 1));
  const Result<run::RunState> state = co_await run::read_state(std::move(journal));
  co_return state ? run::known_hosts(*state) : channel::Hosts{};
}

Task<Result<std::optional<channel::MessageRef>>> stream_before(store::Store& store, store::DeliveryRow restart) {
  if (!restart.run) co_return std::nullopt;
  store::DeliveryFilter filter;
  filter.run = *restart.run;
  CO_TRY(const std::vector<store::DeliveryRow> rows, co_await store.deliveries(filter));
  const auto own = std::ranges::find(rows, restart.id, &store::DeliveryRow::id);
  const std::span<const store::DeliveryRow> before(rows.begin(), own);
  // It has begun since: nothing was lost.
  const bool is_new = std::ranges::any_of(before, [&](const store::DeliveryRow& row) {
    return row.kind == run::AcknowledgementDelivery::kKind && row.next_at > restart.owed_at;
  });
  co_return is_new ? std::nullopt : stream_in(before);
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
  acknowledged.stream = stream_in(rows);
  const bool was_stream = read_progress(found->ref).stream;
  if (const auto refs = refs_of(found->ref); !refs.empty() && !was_stream) acknowledged.line = refs.front();
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
