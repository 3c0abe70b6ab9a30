// Finds in a request's own words what a parameter may be filled with: what is quoted, a name beside a noun, what is
// left to look for when the service, the environment and the time are taken out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "model/offline/conversation.h"
#include "model/offline/pieces.h"
#include "model/offline/schema.h"

namespace deputy::model::offline {

class TextFinder {
 public:
  /// The conversation outlives it.
  TextFinder(const Conversation& conversation, const ToolDescription& tool);

  /// Taken for a parameter already: it is nothing to look for any more.
  void claim(std::string_view value);

  /// `limit=20`, "branch: main".
  std::optional<std::string> assigned_to(std::string_view parameter) const;
  /// "pipeline 123", "the high-cpu alarm": what stands beside the parameter's noun and looks like a name.
  std::optional<std::string> named_after(std::string_view parameter) const;
  /// A choice that the request says.
  std::optional<json::value> chosen(const Parameter& parameter) const;

  std::optional<std::string> quoted() const;
  /// Names that look like a service's, for who has no list of services.
  std::vector<std::string> services() const;
  std::optional<std::string> environment() const;
  std::optional<std::string> channel() const;
  std::optional<std::string> path() const;
  std::optional<std::string> branch() const;
  std::optional<std::string> body() const;
  std::optional<std::string> title() const;
  std::optional<int> count() const;
  /// Few words to search for; where nothing else is left, what the tool is called after or the service.
  std::optional<std::string> query() const;
  /// Whether the request itself says what to look for.
  bool has_query() const { return quoted() || phrase_behind_cue() || telling_words(); }

 private:
  std::optional<std::string> phrase_behind_cue() const;
  std::optional<std::string> telling_words() const;
  bool is_taken(const Piece& piece) const;

  const Conversation& conversation_;
  std::vector<Piece> pieces_;
  std::unordered_set<std::string> taken_;       // lower-case: names, environments
  std::unordered_set<std::string> tool_words_;  // concepts of the tool's name
  std::vector<bool> is_time_;                   // by piece
};

}  // namespace deputy::model::offline
