#include "support/aws_peer.h"

#include <fmt/format.h>

#include <stdexcept>

#include "support/node.h"

namespace deputy::test {

AwsPeer::AwsPeer(Timestamp now) : child_(node_program("aws_peer.js", {format_timestamp(now)})) {
  const auto line = child_.read_line();
  if (!line || !line->starts_with("port ")) throw std::runtime_error("the peer did not start");
  port_ = std::stoi(line->substr(5));
}

std::string AwsPeer::url(std::string_view path) const { return fmt::format("http://127.0.0.1:{}{}", port_, path); }

// It says a line before it answers, so whoever has the answer finds the line.
std::vector<std::string> AwsPeer::said() {
  std::vector<std::string> lines;
  while (auto line = child_.read_line_within(std::chrono::milliseconds(0))) lines.push_back(*std::move(line));
  return lines;
}

}  // namespace deputy::test
