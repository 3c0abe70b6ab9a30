#include "run/journal/stored_rows.h"

#include "base/fields_codec.h"
#include "base/text.h"
#include "run/journal/entry.h"

namespace deputy::policy {

constexpr auto choices_of(PlaceKind) {
  using K = PlaceKind;
  return std::to_array<std::pair<K, std::string_view>>({{K::terminal, "terminal"},
                                                        {K::own, "own"},
                                                        {K::direct, "direct"},
                                                        {K::private_channel, "private_channel"},
                                                        {K::public_channel, "public_channel"}});
}

constexpr auto choices_of(OpenTo) {
  return std::to_array<std::pair<OpenTo, std::string_view>>({{OpenTo::nobody, "nobody"}, {OpenTo::members, "members"}});
}

}  // namespace deputy::policy

namespace deputy::run {

namespace {

constexpr std::size_t kHeadline = 120;  // characters

struct StoredPlace : policy::Place {
  template <class Fields>
  static void fields(Fields& f) {
    using P = StoredPlace;
    f.required(static_cast<std::string P::*>(&P::channel), "channel", "The kind of channel");
    f.optional(static_cast<std::string P::*>(&P::id), "id", "The platform's channel");
    f.required(static_cast<policy::PlaceKind P::*>(&P::kind), "kind", "Who can see it");
    f.optional(static_cast<bool P::*>(&P::external), "external", "Shared with another team");
    f.optional(static_cast<policy::OpenTo P::*>(&P::open_to), "open_to", "Who may speak where settings do not say");
  }
};

/// The body of a grant's row: what it holds for and who gave it.
struct GrantBody {
  std::string digest;
  std::map<std::string, std::string> pins;
  std::optional<std::string> environment;
  std::string giver;  // key of the account
  std::string arguments = {};

  template <class Fields>
  static void fields(Fields& f) {
    using B = GrantBody;
    f.optional(&B::digest, "digest", "Of exactly these arguments");
    f.optional(&B::pins, "pins", "The arguments that are fixed");
    f.optional(&B::environment, "environment", "The environment it holds in");
    f.required(&B::giver, "giver", "The account that gave it");
    f.optional(&B::arguments, "arguments", "What its giver was shown");
  }
};

}  // namespace

store::NewRunRow new_run(RunId run, const Received& received, Timestamp at) {
  store::NewRunRow row{run, received.conversation, received.requester, encode(received, at)};
  row.headline = cut_with_mark(received.text, kHeadline);
  return row;
}

json::object write_place(const policy::Place& place) { return to_json(StoredPlace{place}); }

Result<policy::Place> read_place(const json::object& stored) {
  TRY(StoredPlace place, parse_arguments<StoredPlace>(stored));
  return policy::Place(std::move(place));
}

policy::Account account_of(std::string_view key) {
  const std::size_t colon = key.find(':');
  if (colon == std::string_view::npos) return {std::string(key), {}};
  return {std::string(key.substr(0, colon)), std::string(key.substr(colon + 1))};
}

store::GrantRow write_grant(const StoredGrant& stored, Timestamp created_at) {
  const policy::Grant& grant = stored.grant;
  const GrantBody body{grant.digest, grant.pins, grant.environment, stored.giver.key(), stored.arguments};
  return {.id = grant.id,
          .conversation = grant.conversation,
          .tool = grant.tool,
          .holder = grant.holder,
          .by = grant.by,
          .body = json::serialize(to_json(body)),
          .created_at = created_at,
          .ends_at = grant.ends_at,
          .max_uses = grant.max_uses,
          .uses = grant.uses};
}

Result<StoredGrant> read_grant(const store::GrantRow& row) {
  TRY(const json::object object, parse_json_object(row.body));
  TRY(GrantBody body, parse_arguments<GrantBody>(object));
  if (body.digest.empty() && body.pins.empty()) {
    return fail(ErrorKind::internal, "a grant that holds for nothing in particular holds for nothing");
  }
  return StoredGrant{{.id = row.id,
                      .tool = row.tool,
                      .digest = std::move(body.digest),
                      .pins = std::move(body.pins),
                      .environment = std::move(body.environment),
                      .conversation = row.conversation,
                      .holder = row.holder,
                      .by = row.by,
                      .ends_at = row.ends_at,
                      .max_uses = row.max_uses,
                      .uses = row.uses,
                      .revoked = row.revoked_at.has_value()},
                     account_of(body.giver),
                     std::move(body.arguments)};
}

}  // namespace deputy::run
