// Which thinking goes back to a model. Providers tie it to the model, the key and the conversation before it, and
// refuse a whole request for one block that no longer fits; so a block is sent only where everything before it is as it
// was when it was written. Pure.
#pragma once

#include <string>
#include <string_view>

#include "model/model.h"

namespace deputy::model {

/// Leaves in `request` only the thinking that `origin` wrote behind this very beginning: system prompt, tools and turns
/// with the thinking that is left in them. Returns the digest of all of it: the prefix of whatever is replied.
std::string keep_own_thinking(Request& request, std::string_view origin);

/// True when the turns hold any.
bool has_thinking(const Request& request);
void drop_thinking(std::vector<Turn>& turns);

/// Writes into every thinking block of a reply whose it is and what it stands behind.
void sign_thinking(Reply& reply, std::string_view origin, std::string_view prefix);

/// A word for a provider, its model and the key it is asked with, by which no key can be found.
std::string origin_of(std::string_view name, std::string_view address, std::string_view key);

}  // namespace deputy::model
