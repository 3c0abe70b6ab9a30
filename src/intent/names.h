// Finds the configured services and environments in a request, however the parts of a name are joined: `Order Desk`,
// order-desk and order_desk are one name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "intent/tokens.h"
#include "intent/vocabulary.h"

namespace deputy::intent {

/// Which tokens a rule has used up, so that no other rule reads them as something else.
using Claims = std::vector<bool>;

/// Keys of the known services that a request names, in order, each once. Claims their tokens. `other-core`,
/// `core-metrics` and core@example.com do not name a service `core`; "search the logs" does not name a service
/// `search`.
std::vector<std::string> find_services(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims);

/// The known environments that a request names, in order, each once; an alias gives the environment's own name. "not in
/// prod" and "non-prod" name none. Claims their tokens.
std::vector<std::string> find_environments(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims);

}  // namespace deputy::intent
