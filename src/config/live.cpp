#include "config/live.h"

#include <algorithm>

#include "base/contains.h"

namespace deputy::config {

namespace {

bool is_gone(const std::filesystem::path& file, const Fingerprint& seen) {
  const auto found = std::ranges::find(seen, file, &Fingerprint::value_type::first);
  return found != seen.end() && !found->second;
}

}  // namespace

Stillness::Step Stillness::observe(const Fingerprint& now) {
  if (now == settled_) {
    previous_.reset();
    if (!readings_left_ || --*readings_left_ > 0) return Step::nothing;
    readings_left_ = kWhile;
    return Step::load;
  }
  if (previous_ != now) {
    previous_ = now;
    return Step::wait;
  }
  return Step::load;
}

void Stillness::settle(Fingerprint judged, Again again) {
  settled_ = std::move(judged);
  previous_.reset();
  readings_left_ = again == Again::after_a_while ? std::optional(kWhile) : std::nullopt;
}

LocatedProblem still_being_written(const std::filesystem::path& file) {
  return {{{},
           "somebody has had this file open for writing for a while, so what it says does not count yet",
           "let its writer finish and close it, or write another file and rename it to this one"},
          file.string(),
          0};
}

std::vector<LocatedProblem> reasons_to_keep(const LoadReport& last, const LoadReport& next) {
  std::vector<LocatedProblem> reasons = next.problems;
  for (const ReadFile& file : last.files) {
    const bool emptied = !file.blank && contains(next.files, ReadFile{file.path, true});
    if (emptied) {
      reasons.push_back({{{},
                          "this file had settings and is now empty, as if half-written",
                          "write it again, or `{}` if it should say nothing"},
                         file.path.string(),
                         0});
    }
    if (is_gone(file.path, next.seen)) {
      reasons.push_back({{{},
                          "this file is gone, and with it what it said",
                          "put it back, write `{}` in it if it should say nothing, or restart Deputy without it"},
                         file.path.string(),
                         0});
    }
    if (contains(next.untrusted, file.path)) {
      reasons.push_back({{{}, "this file has changed since it was trusted", "read it, then run `deputy config trust`"},
                         file.path.string(),
                         0});
    }
  }
  return reasons;
}

}  // namespace deputy::config
