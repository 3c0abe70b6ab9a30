// The stand-ins of Jira and Confluence (tests/peers/jira.js, confluence.js), behind one account.
#pragma once

#include <memory>
#include <string>

#include "support/child.h"
#include "support/node.h"

namespace deputy::test {

inline constexpr const char* kAtlassianEmail = "deputy@example.com";
inline constexpr const char* kAtlassianToken = "ATATT-not-a-real-token";

class AtlassianPeer {
 public:
  /// `file`: "jira.js" or "confluence.js".
  explicit AtlassianPeer(const std::string& file)
      : child_(std::make_unique<Child>(node_program(file, {kAtlassianEmail, kAtlassianToken}))) {
    const auto line = child_->read_line();
    if (!line || !line->starts_with("port ")) throw std::runtime_error("the peer did not start");
    url_ = "http://127.0.0.1:" + line->substr(5);
  }
  /// For Confluence its pages are under /wiki.
  const std::string& url() const { return url_; }

 private:
  std::unique_ptr<Child> child_;
  std::string url_;
};

}  // namespace deputy::test
