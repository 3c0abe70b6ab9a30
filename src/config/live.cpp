#include "config/live.h"

#include <algorithm>

namespace deputy::config {

Stillness::Step Stillness::observe(const Fingerprint& now) {
  if (now == settled_) {
    previous_.reset();
    return Step::nothing;
  }
  if (previous_ != now) {
    previous_ = now;
    return Step::wait;
  }
  return Step::load;
}

void Stillness::settle(Fingerprint judged) {
  settled_ = std::move(judged);
  previous_.reset();
}

std::vector<LocatedProblem> reasons_to_keep(const LoadReport& last, const LoadReport& next) {
  std::vector<LocatedProblem> reasons = next.problems;
  for (const ReadFile& file : last.files) {
    const bool emptied = !file.blank && std::ranges::find(next.files, ReadFile{file.path, true}) != next.files.end();
    if (emptied) {
      reasons.push_back({{{},
                          "this file had settings and is now empty, as if half-written",
                          "write it again, or `{}` if it should say nothing"},
                         file.path.string(),
                         0});
    }
    if (std::ranges::find(next.untrusted, file.path) != next.untrusted.end()) {
      reasons.push_back({{{}, "this file has changed since it was trusted", "read it, then run `deputy config trust`"},
                         file.path.string(),
                         0});
    }
  }
  return reasons;
}

}  // namespace deputy::config
