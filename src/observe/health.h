// Whether this process is ready for work: a list of checks, each of which says what is wrong now. On the loop only.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace deputy::observe {

class Health {
 public:
  /// A sentence for each problem; none: all is well. It must not throw, block, or show a secret.
  using Check = std::function<std::vector<std::string>()>;

  void add(Check check) { checks_.push_back(std::move(check)); }

  /// Empty: ready.
  std::vector<std::string> problems() const {
    std::vector<std::string> all;
    for (const Check& check : checks_) {
      for (std::string& problem : check()) all.push_back(std::move(problem));
    }
    return all;
  }

 private:
  std::vector<Check> checks_;
};

}  // namespace deputy::observe
