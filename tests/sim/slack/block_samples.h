// Block Kit samples that Slack takes, for the tests of the simulator: the smallest and the fullest of each kind,
// written from Slack's reference and not from the tables they test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "sim/slack/kit/shape.h"

namespace deputy::sim::slack {

inline json::value parsed(std::string_view text) { return parse_json(text).value(); }

/// `text` with every "@" replaced.
inline std::string filled(std::string_view text, std::string_view with) {
  std::string result;
  for (const char c : text) c == '@' ? result.append(with) : result.append(1, c);
  return result;
}

struct BlockSample {
  std::string_view type;
  std::string_view surfaces;  // of "message modal home"
  std::string_view required;  // fields without which it is refused
  std::string_view block;
};

struct ElementSample {
  std::string_view type;
  std::string_view surfaces;
  std::string_view holders;  // of kHolders
  std::string_view required;
  std::string_view element;
};

/// A block that holds one element, at "@".
struct Holder {
  std::string_view name;
  std::string_view surfaces;
  std::string_view pointer;  // of the element, within its block
  std::string_view block;
};

extern const std::vector<BlockSample> kBlockSamples;
extern const std::vector<ElementSample> kElementSamples;
extern const std::vector<Holder> kHolders;

/// Problems as Slack writes them.
std::vector<std::string> sentences(const std::vector<BlockProblem>& problems);

/// A repeated character of two bytes, so that limits are seen to count characters.
std::string letters(std::size_t count);

/// Items with commas between them, in which "#" is the number of the item.
std::string numbered(std::string_view item, std::size_t count);

/// A modal with every kind of input, and a message with every kind of block.
json::object sample_modal();
json::array sample_message();

}  // namespace deputy::sim::slack
