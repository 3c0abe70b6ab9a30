// Words that tell a name from what is none, where a service's name could stand. Tables only: what stands where is the
// readers' to say.
#pragma once

#include <string_view>

namespace deputy::intent {

/// A word of everyday English or of the trade, which names no service. In small letters, as all of these.
bool is_ordinary(std::string_view word);

/// It begins or ends words that English ties with a hyphen: long-running, client-side.
bool is_tied_word(std::string_view word);

/// What a message is about rather than who writes it: "timeout errors".
bool is_kind_of_error(std::string_view word);

/// "errors", "logs": beside these a name stands with nothing between.
bool is_counted_thing(std::string_view word);

/// "of", "in": behind these a name stands.
bool is_place_word(std::string_view word);

/// "service" and its like.
bool is_service_word(std::string_view word);

/// Behind a name such a word begins something else: "since", "and".
bool begins_something_else(std::string_view word);

/// What environments are called in this trade, whether or not settings know it.
bool is_usual_environment(std::string_view word);

/// A slip of the pen, for words long enough to tell.
bool is_slip_of(std::string_view word, std::string_view meant);

bool has_digit(std::string_view word);
bool has_letter(std::string_view word);

}  // namespace deputy::intent
