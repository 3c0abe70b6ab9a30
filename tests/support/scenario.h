// What a stand-in of tests/peers plays, as tests/peers/lib/scenario.js reads it:
//
//   Scenario().text("Let me look.").call("search_logs", {{"query", "timeout"}}).then().text("Two errors.")
//
// Each verb says more of the reply that is being written; `then` begins the next.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "model/model.h"

namespace deputy::test {

class Scenario {
 public:
  Scenario() { then(); }

  Scenario& then();

  /// The next piece of its text; neighbours are one block.
  Scenario& text(std::string_view piece);
  /// The model thinks here: of it what a summary would say.
  Scenario& thinks(std::string_view summary) { return item("thinking", json::object{{"text", summary}}); }
  /// …in a way that nobody can read.
  Scenario& thinks_hidden(std::string_view text) {
    return item("thinking", json::object{{"text", text}, {"redacted", true}});
  }
  /// Its id is "call_1" and so on within a reply.
  Scenario& call(std::string_view tool, json::object arguments = {});
  /// The tokens run out inside the arguments.
  Scenario& cut_call(std::string_view tool, json::object arguments);
  /// What a model wrote in place of arguments, as it is; a name may be empty too.
  Scenario& broken_call(std::string_view tool, std::string_view arguments);
  /// What is to be passed over: a keep-alive; something of a kind that nobody knows yet.
  Scenario& ping();
  Scenario& news();
  /// Sends what is before it and waits until the peer is told to go on.
  Scenario& hold();
  Scenario& breaks_off();
  /// Ends the response as if it were whole.
  Scenario& ends_early();
  /// The vendor's error of this name, inside the stream.
  Scenario& fails(std::string_view error);
  /// An event that is none.
  Scenario& garbage();
  /// A frame of Bedrock's with a wrong CRC: of its "message" or its "prelude".
  Scenario& corrupt(std::string_view part);

  /// end, calls, max_tokens, stop_sequence, refusal, overflow, pause.
  Scenario& stop(std::string_view why);
  Scenario& uses(const model::Usage& usage);

  /// In place of a reply the vendor's error of this name.
  Scenario& refuses(std::string_view error);
  Scenario& retry_after(std::string_view value);
  /// …in these words instead of the vendor's usual ones.
  Scenario& saying(std::string_view message);
  /// Does not even begin until the peer is told to go on.
  Scenario& silent();

  /// Of the whole scenario: the first reply again after the last.
  Scenario& repeat() { return with("repeat", true); }
  /// Pieces of so many bytes, wherever that falls.
  Scenario& chunk(int bytes) { return with("chunk", bytes); }
  /// Unicode as \u escapes.
  Scenario& escapes() { return with("escapes", true); }
  /// What the vendor's stand-in knows beside.
  Scenario& with(std::string_view key, json::value value);

  std::string to_json() const;

 private:
  Scenario& item(std::string_view kind, json::value value);
  json::object& reply() { return replies_.back().as_object(); }

  json::object options_;
  json::array replies_;
};

}  // namespace deputy::test
