#include "interaction/tokens.h"

#include "interaction/random_text.h"

namespace deputy::interaction {

std::string make_token(const std::array<std::uint8_t, 13>& random) { return random_text(random, kTokenLength); }

bool is_token(std::string_view text) { return text.size() == kTokenLength && read_random_text(text) == text; }

std::string write_action(const Action& action) { return json::serialize(to_json(action)); }

Result<Action> read_action(std::string_view stored) {
  TRY(const json::object object, parse_json_object(stored));
  return parse_arguments<Action>(object);
}

}  // namespace deputy::interaction
