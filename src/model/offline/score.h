// How much a tool has to do with a request, in points: for the words they share, for what the request names and the
// tool takes. The numbers are few and at the top of score.cpp; what they must tell apart is in tests/model/offline.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/model.h"
#include "model/offline/conversation.h"
#include "model/offline/pieces.h"

namespace deputy::model::offline {

using Stems = std::unordered_set<std::string>;

/// A word of the request that says what it is about.
struct Telling {
  std::string word;  // its stem
  double weight = 1;
};
using TellingWords = std::vector<Telling>;

TellingWords telling_words(const std::vector<Piece>& pieces, std::size_t first, std::size_t last);

/// What is known of a tool, and of what it could be called with.
struct ToolWords {
  const ToolDescription* tool = nullptr;
  bool writes = false;
  Stems name, name_concepts, description, description_concepts, parameters;
  bool takes_service = false;
  bool takes_environment = false;
  bool takes_text = false;  // a query, or a description of what is wanted
  bool needs_service_only = false;
  bool needs_query_only = false;
  bool needs_command_only = false;
  bool hands_on = false;      // needs the request and nothing else: somebody else is to do it
  double named_things = 0;    // points for what the request names and the tool takes
  double unknown_things = 0;  // points off for what the tool needs and the request does not name
};

struct Score {
  double total = 0;
  int things = 0;  // words of the request that the tool has, but for verbs such as "show"
  int things_in_name = 0;
  int words_in_name = 0;
};

inline constexpr double kLeastScore = 1;

class Scorer {
 public:
  /// Both outlive it. Talk tools are left out.
  Scorer(const std::vector<ToolDescription>& tools, const Conversation& conversation);

  const std::vector<ToolWords>& tools() const { return tools_; }
  bool service_is_named() const { return service_is_named_; }
  Score score(const ToolWords& tool, const TellingWords& request) const;

 private:
  double rarity(const std::string& thing) const;

  bool service_is_named_ = false;
  std::vector<ToolWords> tools_;
  std::unordered_map<std::string, int> tools_with_;  // how many have a concept
};

}  // namespace deputy::model::offline
