// Grants as the store keeps them.
#pragma once

#include <string>

#include "policy/grants.h"
#include "store/rows.h"

namespace deputy::run {

struct StoredGrant {
  policy::Grant grant;
  policy::Account giver;  // whose right is looked up at each use
};

store::GrantRow write_grant(const StoredGrant& grant, Timestamp created_at);
Result<StoredGrant> read_grant(const store::GrantRow& row);

}  // namespace deputy::run
