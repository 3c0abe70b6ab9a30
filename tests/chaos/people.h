// The people on the other side of a host: they see what it prints, answer what it asks, and say again what they got no
// receipt for. They outlive every process, and judge what they saw.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "support/child.h"

namespace deputy::chaos {

class People {
 public:
  /// `what` is one of the requests that the host's model knows; its number makes it unlike any other.
  void ask(std::string what, int number);

  /// Tells a fresh process all that was said to an earlier one without a receipt.
  void greet(test::Child& host);

  /// Reads what it says and answers, until everything that was asked is answered (true) or it is gone (false).
  bool talk(test::Child& host);

  /// The same, for a while.
  void talk_for(test::Child& host, std::chrono::milliseconds time);

  /// Reads what a dead process had still said.
  void read_rest(test::Child& host);

  /// What went against the promises, looking at what people saw and at the lines that writes left.
  std::vector<std::string> judge(const std::vector<std::string>& effects) const;

  /// True when the answers of all requests, and the ends of their background calls, were seen.
  bool all_done() const;

 private:
  struct Asked {
    std::string what;
    int number = 0;
    std::string conversation;
  };

  bool was_given_up(const std::string& conversation) const;
  void hear(const json::object& line);
  void say(std::string key, const json::object& line);
  void answer_card(const json::object& card);

  std::vector<Asked> asked_;
  std::map<std::string, std::string> unreceipted_;  // by key
  std::set<std::string> receipted_;
  std::map<std::string, std::string> posts_;                       // text by key: two posts of one key are one
  std::map<std::string, std::set<std::string>> answers_;           // keys of posts with a footer, by conversation
  std::map<std::string, std::set<std::string>> background_ended_;  // by conversation
  std::map<std::string, std::string> said_of_;                     // everything seen in a conversation
  std::set<std::string> seen_cards_;
  test::Child* host_ = nullptr;
};

}  // namespace deputy::chaos
