// Decides which thinking goes back to a model. Providers tie thinking to the model, the key and the conversation before
// it, and refuse the whole request for one block that no longer fits. So a block is sent only if everything before it
// is unchanged. Pure.
#pragma once

#include <string>
#include <string_view>

#include "model/model.h"

namespace deputy::model {

/// Keeps in `request` only the thinking that `origin` wrote after exactly this start: system prompt, tools, and turns
/// with the thinking kept in them. Returns the digest of all of it, which is the prefix of the reply.
std::string keep_own_thinking(Request& request, std::string_view origin);

/// True when any turn holds thinking.
bool has_thinking(const Request& request);
void drop_thinking(std::vector<Turn>& turns);

/// Stores origin and prefix in every thinking block of a reply.
void sign_thinking(Reply& reply, std::string_view origin, std::string_view prefix);

/// A word for a provider, its model and its key that does not reveal the key.
std::string origin_of(std::string_view name, std::string_view address, std::string_view key);

}  // namespace deputy::model
