// Words as the planner compares them: `Restarts`, `restarting` and `restart` are one, and an outage is an incident.
// Nothing here names anyone's systems: the tables hold English and the trade's own words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deputy::model::offline {

/// Lower-case and without the ending of a plural or a tense. Only for comparing: it need not be a word.
std::string stem(std::string_view word);

/// A stem that stands for all words of the same thing: stem_of("outage") and "incident" give one concept. The stem
/// itself where the table knows none.
std::string concept_of(const std::string& stem);

/// The stems of a text or of a name such as `get_recent_errors` or `serviceName`, in order, at most `most` of them.
std::vector<std::string> stems_of(std::string_view text, std::size_t most = 400);

/// The plain parts of a name, lower-case: "issueKey" gives issue and key.
std::vector<std::string> parts_of(std::string_view name);

/// Says nothing of what a request is about: "the", "please", "show me".
bool is_filler(std::string_view lower);

/// What a tool does rather than what it is about: `get`, `list`, `search`.
bool is_reading_verb(const std::string& stem);
bool is_writing_verb(const std::string& stem);

}  // namespace deputy::model::offline
