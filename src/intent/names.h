// Finding given names in a request, however their parts are joined: `Order Desk`, order-desk and order_desk are one
// name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "intent/tokens.h"

namespace deputy::intent {

/// Which tokens a rule has used up, so that no other rule reads them as something else.
using Claims = std::vector<bool>;

class NameIndex {
 public:
  /// Of a name that stands twice the first owner counts.
  void add(std::string_view name, std::size_t owner);

  struct Match {
    std::size_t owner = 0;
    std::size_t next = 0;      // the token behind the name
    std::size_t words = 0;     // how many words the request spells it with
    bool with_spaces = false;  // parts of it stand apart in the request
  };
  /// The longest name that begins at the token.
  std::optional<Match> longest(const Tokens& tokens, std::size_t at) const;

 private:
  struct Name {
    std::size_t owner = 0;
    std::size_t parts = 1;
  };
  std::unordered_map<std::string, Name> names_;  // letters and digits only
  std::size_t longest_ = 0;                      // bytes
};

}  // namespace deputy::intent
