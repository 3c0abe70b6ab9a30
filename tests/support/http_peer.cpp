#include "support/http_peer.h"

#include <fmt/format.h>

#include <stdexcept>

#include "support/node.h"

namespace deputy::test {

namespace {

std::vector<std::string> program(std::vector<std::string> arguments) {
  std::erase(arguments, std::string());
  return node_program("http_peer.js", std::move(arguments));
}

}  // namespace

HttpPeer::HttpPeer(std::string kind, std::string argument) : child_(program({std::move(kind), std::move(argument)})) {
  read_port();
}

HttpPeer::HttpPeer(std::string kind, const Certificates& certificates)
    : child_(program({std::move(kind), certificates.key_file(), certificates.certificate_file()})) {
  read_port();
}

void HttpPeer::read_port() {
  const auto line = child_.read_line();
  if (!line || !line->starts_with("port ")) throw std::runtime_error("the peer did not start");
  port_ = std::stoi(line->substr(5));
}

std::string HttpPeer::url(std::string_view path, std::string_view scheme, std::string_view host) const {
  return fmt::format("{}://{}:{}{}", scheme, host, port_, path);
}

Task<> HttpPeer::says(std::string line) {
  for (;;) {
    const auto said = child_.read_line_within(std::chrono::milliseconds(0));
    if (said == line) co_return;
    if (!said) co_await sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace deputy::test
