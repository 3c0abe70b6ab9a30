#include "toolkit/bounded.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/text.h"

namespace deputy::toolkit {

void Deltas::offer(std::string_view delta) {
  if (closed_) return;
  if (!redact_.feed) return hold(delta);
  hold_redacted([&] { return redact_.feed(delta); });
}

void Deltas::hold_redacted(const std::function<std::string()>& redacted) {
  try {
    hold(redacted());
  } catch (const std::exception& error) {
    log::error("progress could not be redacted", {{"what", error.what()}});
    closed_ = true;
  }
}

void Deltas::hold(std::string_view delta) {
  if (delta.empty()) return;
  const std::size_t left = limits_.in_all - std::min(limits_.in_all, passed_);
  const std::size_t room = std::min(limits_.at_once, left) - std::min({limits_.at_once, left, held_.size()});
  // Do not copy what will be dropped: a handler may stream a whole file at once.
  const std::string_view kept = dropped_ == 0 ? cut_bytes(delta, room) : std::string_view();
  held_ += to_valid_utf8(std::string(kept));
  dropped_ += count_characters(delta.substr(kept.size()));
}

std::optional<Deltas::Time> Deltas::due() const {
  if (closed_ || (held_.empty() && dropped_ == 0)) return std::nullopt;
  return next_;
}

std::string Deltas::take(Time now) {
  const std::optional<Time> at = due();
  if (!at || now < *at) return {};
  next_ = now + limits_.apart;
  return release();
}

std::string Deltas::close() {
  if (closed_) return {};
  if (redact_.finish) hold_redacted(redact_.finish);
  std::string last = release();
  closed_ = true;
  return last;
}

std::string Deltas::release() {
  passed_ += held_.size();
  std::string text = std::exchange(held_, {});
  const std::size_t dropped = std::exchange(dropped_, 0);
  if (dropped > 0) text += fmt::format("… [{} more characters]", dropped);
  constexpr std::size_t kMaxCharacter = 4;  // bytes
  if (passed_ + kMaxCharacter > limits_.in_all) {
    closed_ = true;
    text += "… [output limit reached]";
  }
  return text;
}

}  // namespace deputy::toolkit
