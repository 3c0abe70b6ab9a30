#include "run/grant_row.h"

#include "base/fields_codec.h"
#include "run/place.h"

namespace deputy::run {

namespace {

/// What a grant holds for and who gave it: the body of its row.
struct GrantBody {
  std::string digest;
  std::map<std::string, std::string> pins;
  std::optional<std::string> environment;
  std::string giver;  // key of the account

  template <class Fields>
  static void fields(Fields& f) {
    using B = GrantBody;
    f.optional(&B::digest, "digest", "Of exactly these arguments");
    f.optional(&B::pins, "pins", "The arguments that are fixed");
    f.optional(&B::environment, "environment", "The environment it holds in");
    f.required(&B::giver, "giver", "The account that gave it");
  }
};

}  // namespace

store::GrantRow write_grant(const StoredGrant& stored, Timestamp created_at) {
  const policy::Grant& grant = stored.grant;
  const GrantBody body{grant.digest, grant.pins, grant.environment, stored.giver.key()};
  return {.id = grant.id,
          .conversation = grant.conversation,
          .tool = grant.tool,
          .holder = grant.holder,
          .by = grant.by,
          .body = json::serialize(to_json(body)),
          .created_at = created_at,
          .ends_at = grant.ends_at,
          .most_uses = grant.most_uses,
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
                      .most_uses = row.most_uses,
                      .uses = row.uses,
                      .revoked = row.revoked_at.has_value()},
                     account_of(body.giver)};
}

}  // namespace deputy::run
