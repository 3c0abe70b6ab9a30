#include "run/journal/entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "base/workers.h"

namespace deputy::run {

namespace {

struct Upcaster {
  std::string_view kind;
  int from;
  json::object (*upcast)(json::object body);
};

// From each version a release has written to the next. None yet.
constexpr std::array<Upcaster, 0> kUpcasters{};

template <std::size_t Index = 0>
Result<EntryBody> decode_body(std::string_view kind, int version, const json::object& body) {
  if constexpr (Index == std::variant_size_v<EntryBody>) {
    return fail(ErrorKind::conflict, fmt::format("this Deputy does not know entries of kind `{}`", kind),
                "run the version that wrote them");
  } else {
    using Body = std::variant_alternative_t<Index, EntryBody>;
    if (kind != Body::kKind) return decode_body<Index + 1>(kind, version, body);
    if (version != Body::kVersion) {
      return fail(ErrorKind::conflict,
                  fmt::format("this Deputy does not know version {} of entries `{}`", version, kind),
                  "run the version that wrote them");
    }
    TRY(Body parsed, parse_arguments<Body>(body));
    return EntryBody(std::move(parsed));
  }
}

// The states of interactions are interaction's own list, which is strict. One outside it ended without an answer.
void read_unknown_state(json::object& answered) {
  const std::string state = text_at(answered, "state");
  const auto is_state = [&](const auto& choice) { return choice.second == state; };
  if (!state.empty() && std::ranges::none_of(choices_of(interaction::State{}), is_state))
    answered["state"] = std::string(name(interaction::State::cancelled));
}

Result<EntryBody> decode_known(const store::EntryRow& row) {
  TRY(json::object body, parse_json_object(row.body));
  int version = row.version;
  for (const Upcaster& upcaster : kUpcasters) {
    if (upcaster.kind == row.kind && upcaster.from == version) {
      body = upcaster.upcast(std::move(body));
      ++version;
    }
  }
  if (row.kind == Answered::kKind) read_unknown_state(body);
  return decode_body(row.kind, version, body);
}

}  // namespace

std::string_view kind_of(const EntryBody& body) {
  return std::visit([](const auto& one) { return std::decay_t<decltype(one)>::kKind; }, body);
}

store::EntryRow encode(const EntryBody& body, Timestamp at) {
  return std::visit(
      [&](const auto& one) {
        using Body = std::decay_t<decltype(one)>;
        // Bytes that somebody let through would make the run unreadable, and so one that nobody can end.
        return store::EntryRow{0, at, std::string(Body::kKind), Body::kVersion,
                               to_valid_utf8(json::serialize(to_json(one)))};
      },
      body);
}

Result<Entry> decode(const store::EntryRow& row) {
  Result<EntryBody> decoded = decode_known(row);
  if (decoded) return Entry{row.seq, row.at, *std::move(decoded)};
  if (decoded.error().kind == ErrorKind::conflict) return std::unexpected(std::move(decoded.error()));
  return store::damaged(fmt::format("entry {} of the journal, `{}`,", row.seq, row.kind), decoded.error());
}

Task<std::vector<Result<Entry>>> decode_all(std::vector<store::EntryRow> rows) {
  using Entries = std::vector<Result<Entry>>;
  std::size_t bytes = 0;
  for (const store::EntryRow& row : rows) bytes += row.body.size();
  const auto decode_rows = [rows = std::make_shared<const std::vector<store::EntryRow>>(std::move(rows))] {
    Entries entries;
    entries.reserve(rows->size());
    for (const store::EntryRow& row : *rows) entries.push_back(decode(row));
    return Result<Entries>(std::move(entries));
  };
  Result<Entries> decoded = co_await off_loop_if_large<Entries>(bytes, decode_rows);
  // No worker takes it: a run that goes on late is better than one that does not.
  if (!decoded) decoded = decode_rows();
  co_return *std::move(decoded);
}

}  // namespace deputy::run
