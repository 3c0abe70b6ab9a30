#include "app/chat/terminal_kind.h"

namespace deputy::app {

TerminalKind terminal_kind(bool in, bool out, const config::Environment& environment) {
  const std::string* term = config::find_variable(environment, "TERM");
  const bool dumb = term == nullptr || term->empty() || *term == "dumb";
  if (!out || dumb) return {};
  const std::string* no_color = config::find_variable(environment, "NO_COLOR");
  const bool plain = no_color != nullptr && !no_color->empty();
  return {in ? Drawing::keys : Drawing::lines, plain ? channel::Colours::off : channel::Colours::on};
}

}  // namespace deputy::app
