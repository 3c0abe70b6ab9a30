// What a chat waits for, in the order it happened: lines, keys, the end of the input, signals, and word that something
// may have changed. On the loop only.
#pragma once

#include <deque>
#include <string>

#include "app/chat/keys.h"
#include "base/task.h"

namespace deputy::app {

struct Event {
  enum class Kind {
    line,
    key,        // while a form has the keys
    end,        // of the input
    interrupt,  // Ctrl-C
    leave,      // SIGTERM, SIGHUP, SIGQUIT
    look,       // something may have changed
  };

  Kind kind = Kind::look;
  std::string line = {};
  Key key = {};
  int prompt = 0;       // what stood before the line as it was typed
  bool pasted = false;  // some of the line
};

class Inbox {
 public:
  explicit Inbox(const asio::any_io_executor& loop) : wake_(loop) {}

  void push(Event event);
  Task<Event> next();

 private:
  std::deque<Event> events_;
  asio::steady_timer wake_;
};

}  // namespace deputy::app
