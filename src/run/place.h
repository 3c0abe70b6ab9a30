// Accounts and places as journal and interactions hold them.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "policy/identity.h"

namespace deputy::run {

json::object write_place(const policy::Place& place);
Result<policy::Place> read_place(const json::object& stored);

/// From Account::key(): "kind:id".
policy::Account account_of(std::string_view key);

}  // namespace deputy::run
