// The methods of Slack's Web API that Deputy calls: how often each may be called, and whether a call whose fate is
// unknown may be made again. Pure.
#pragma once

#include <string_view>

namespace deputy::clients::slack {

struct Method {
  std::string_view name;
  int per_minute = 0;       // calls a workspace is sure to be granted
  bool repeatable = false;  // a second call does nothing that the first did not do
  bool posts = false;       // it also counts against the posts of its channel, about one a second
};

/// Null if Deputy does not call it.
const Method* find_method(std::string_view name);

}  // namespace deputy::clients::slack
