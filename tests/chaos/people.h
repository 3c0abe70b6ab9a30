// The people on the other side of the hosts: they see what is posted, answer what is asked, write notes, say stop, and
// say again what they got no receipt for. They outlive every process, and judge what they saw.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "support/child.h"

namespace deputy::chaos {

class People {
 public:
  /// `platform` is the file that the hosts' channels write to.
  explicit People(std::filesystem::path platform) : platform_(std::move(platform)) {}

  /// `what` is one of the requests that the hosts' model knows; its number makes it unlike any other.
  void ask(std::string what, int number);

  /// Talks to this process from now on too, and tells it all that was said without a receipt.
  void greet(test::Child& host);
  /// It is gone, or about to be: reads what it had still said.
  void leave(test::Child& host);

  /// Reads what they say and answers, until everything that was asked is answered (true) or one is gone (false).
  bool talk();
  /// The same, for a while.
  void talk_for(std::chrono::milliseconds time);
  /// Until there is a card that people can answer; they do not answer it yet.
  bool wait_for_a_card();

  /// What went against the promises, looking at what people saw and at the lines that writes left.
  std::vector<std::string> judge(const std::vector<std::string>& effects) const;

  /// True when the answers of all requests, and the ends of their background calls, were seen.
  bool all_done() const;

  /// Conversations whose run said that it gives up after its crashes.
  std::set<std::string> given_up() const;

  /// How many streams were ended with the word that it goes on below.
  std::size_t streams_cut() const;

 private:
  struct Asked {
    std::string what;
    int number = 0;
    std::string conversation;
  };
  struct Answer {
    std::string conversation;
    std::string text;
  };
  enum class StreamState { open, cut, answered };

  bool hear_one(test::Child& host, std::chrono::milliseconds limit);
  void hear(const json::object& line);
  void look_at_platform();
  void see(const json::object& line);
  void react(const std::string& conversation, bool is_card);
  void answer_cards();
  void answer_card(const json::object& card);
  void say(std::string key, const json::object& line);
  bool was_told_unknown(const std::string& conversation, const std::string& tool) const;
  bool was_given_up(const std::string& conversation) const;
  std::vector<Answer> answers_in(const std::string& conversation) const;

  std::filesystem::path platform_;
  std::streamoff seen_ = 0;  // of that file
  std::vector<Asked> asked_;
  std::map<std::string, std::string> unreceipted_;  // by key
  std::set<std::string> receipted_;
  std::map<std::string, int> posted_;                              // how often, by key
  std::map<std::string, Answer> answers_;                          // posts with a footer, by key
  std::map<std::string, StreamState> streams_;                     // by key
  std::map<std::string, std::set<std::string>> background_ended_;  // by conversation
  std::map<std::string, std::string> said_of_;                     // everything seen in a conversation
  std::vector<json::object> cards_;                                // not yet answered
  bool answering_ = true;
  std::vector<test::Child*> hosts_;
  std::size_t turn_ = 0;
};

}  // namespace deputy::chaos
