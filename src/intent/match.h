// Finds the tools that fit a request, by their topics, and whether the request is a follow-up to the one before it.
// Pure. It has no table of tools of its own; all it knows is `Vocabulary::tools`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intent/intent.h"
#include "intent/names.h"

namespace deputy::intent {

/// Names of at most five tools, best first. The order is by the tool's topic words found in the request minus its
/// required parameters that are missing, then by how many of the named values it has a parameter for. Words in quotes
/// and claimed words do not count. A request that consists only of names gets the read-only tools that require exactly
/// these. A change that no tool can make ("delete all files") gets no tool at all, not even a read-only one.
std::vector<std::string> match(const Tokens& tokens, const Claims& claims, const Parameters& named,
                               const std::vector<KnownTool>& tools);

/// Tokens of a request, from `first` up to, but not including, `next`.
struct Phrase {
  std::size_t first = 0;
  std::size_t next = 0;
};

/// The first place that says this, without regard to endings; not in quotes, and not claimed.
std::optional<Phrase> find_phrase(const Tokens& tokens, const Claims& claims, std::string_view phrase);

/// Whether the request orders a change: "restart it" does, "the restart failed" does not.
bool orders_change(const Tokens& tokens);

/// The number of tokens at the start that mark a request as a follow-up: 1 for "and …", 2 for "what about …", else 0.
std::size_t opener_length(const Tokens& tokens);

/// Whether the request is a follow-up, so that what it does not name is taken from the request before it: because of
/// how it starts, or because it is short and names something but fits no tool ("staging?").
bool is_follow_up(std::string_view request, const Intent& intent);

/// The id that follows one of a tool's topic words: "background task 42", "repository pay-core"; empty if there is
/// none.
std::string id_behind(const Tokens& tokens, const ToolTopics& topics);

/// The first word outside of quotes with a slash or a dot inside: limits.conf, docs/guide.md; empty if there is none.
std::string path_in(const Tokens& tokens);

/// The text with each {kind} replaced by what `value` returns. An empty value becomes "all services" for {service}, and
/// "…" for every other kind.
std::string fill_in(std::string_view text, const std::function<std::string(ParameterKind)>& value);

}  // namespace deputy::intent
