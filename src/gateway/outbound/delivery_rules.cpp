#include "gateway/outbound/delivery_rules.h"

#include <algorithm>

namespace deputy::gateway {

namespace {

using store::DeliveryChange;
using store::DeliveryRow;
using store::DeliveryState;

DeliveryChange change(const DeliveryRow& row, DeliveryState state, const DeliveryProgress& progress,
                      Timestamp next_at) {
  return {row.id, state, write_progress(progress), next_at};
}

// A platform that limits the rate says when; it is not guessed. Attempts that sent a part are not failures, so they do
// not count.
std::chrono::milliseconds backoff(const DeliveryRow& row, const DeliveryProgress& progress, const Error& error) {
  if (error.kind == ErrorKind::rate_limit && error.retry_after)
    return std::max<std::chrono::milliseconds>(*error.retry_after, kSoonestRetry);
  const int pieces = static_cast<int>(progress.sent.size()) + (progress.first_line ? 1 : 0);
  const int failures = std::clamp(row.attempts - pieces, 1, 10);
  std::chrono::milliseconds wait = kFirstRetry * (1 << (failures - 1));
  wait = std::min<std::chrono::milliseconds>(wait, kSlowestRetry);
  return std::max(wait, error.retry_after.value_or(std::chrono::milliseconds(0)));
}

}  // namespace

DoubtMethod way_of(const channel::Capabilities& capabilities, Copies copies) {
  if (capabilities.find) return DoubtMethod::look_up;
  if (capabilities.key_is_idempotent) return DoubtMethod::same_key;
  return capabilities.edit && copies == Copies::never ? DoubtMethod::first_line : DoubtMethod::again;
}

Failure failure_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::network:
    case ErrorKind::timeout:
    case ErrorKind::cancelled:
      return Failure::in_doubt;
    case ErrorKind::rate_limit:
      return Failure::for_now;
    default:
      return error.retryable ? Failure::for_now : Failure::for_good;
  }
}

NextSend next_for(const DeliveryRow& row, const DeliveryProgress& progress, DoubtMethod way) {
  if (row.state != DeliveryState::unknown || way != DoubtMethod::look_up) return NextSend::send;
  return progress.looks == 0 ? NextSend::wait : NextSend::look;
}

DeliveryChange wait_to_look(const DeliveryRow& row, DeliveryProgress progress, Timestamp now) {
  progress.looks = 1;
  return change(row, DeliveryState::unknown, progress, now + kLookAfter);
}

DeliveryChange after_looking(const DeliveryRow& row, DeliveryProgress progress, Timestamp now) {
  if (progress.looks < kMaxLooks) {
    ++progress.looks;
    return change(row, DeliveryState::unknown, progress, now + kLookAgainAfter);
  }
  progress.looks = 0;
  const bool too_old = now - row.owed_at >= kGiveUpAfter;
  return change(row, too_old ? DeliveryState::dead : DeliveryState::owed, progress, now);
}

DeliveryChange after_arrival(const DeliveryRow& row, DeliveryProgress progress, channel::MessageRef ref, Remaining left,
                             Timestamp now) {
  progress.sent.push_back(std::move(ref));
  progress.first_line.reset();
  progress.looks = 0;
  if (left == Remaining::nothing) progress.as_text = progress.as_post = false;
  return change(row, left == Remaining::more ? DeliveryState::owed : DeliveryState::sent, progress, now);
}

DeliveryChange after_first_line(const DeliveryRow& row, DeliveryProgress progress, channel::MessageRef ref,
                                Timestamp now) {
  progress.first_line = std::move(ref);
  return change(row, DeliveryState::owed, progress, now);
}

DeliveryChange after_failure(const DeliveryRow& row, DeliveryProgress progress, const Error& error, DoubtMethod way,
                             Timestamp now) {
  const Failure failure = failure_of(error);
  const bool looks = failure == Failure::in_doubt && way == DoubtMethod::look_up;
  const Timestamp next_at = now + (looks ? std::chrono::milliseconds(kLookAfter) : backoff(row, progress, error));
  // A message that can be looked up may have arrived, so it is not given up for its age.
  const bool too_old = !looks && next_at - row.owed_at >= kGiveUpAfter;
  progress.looks = looks ? 1 : 0;
  if (failure == Failure::for_good || too_old) return change(row, DeliveryState::dead, progress, now);
  return change(row, failure == Failure::in_doubt ? DeliveryState::unknown : DeliveryState::owed, progress, next_at);
}

Attempted after_attempt(const DeliveryRow& row, DeliveryProgress progress, const Attempt& attempt,
                        const Result<channel::MessageRef>& sent, Timestamp now) {
  using How = Attempted::How;
  const bool line_first = attempt.way == DoubtMethod::first_line && !progress.first_line;
  if (sent && line_first) return {How::first_line, after_first_line(row, std::move(progress), *sent, now)};
  if (sent) return {How::arrived, after_arrival(row, std::move(progress), *sent, attempt.left, now)};

  const bool refused = failure_of(sent.error()) == Failure::for_good;
  if (attempt.need == OnRefusal::best_effort || (attempt.need == OnRefusal::if_possible && refused)) {
    return {How::left_out, after_arrival(row, std::move(progress), "", attempt.left, now)};
  }
  if (refused && attempt.form == Attempt::SendForm::card) {
    progress.as_text = true;
    progress.looks = 0;
    return {How::as_text, change(row, DeliveryState::owed, progress, now)};
  }
  // From now on it is a new message, which must not appear twice.
  if (refused && attempt.form == Attempt::SendForm::edit && !progress.as_post) {
    progress.as_post = true;
    progress.looks = 0;
    return {How::as_post, change(row, DeliveryState::owed, progress, now)};
  }
  if (refused && progress.first_line) {
    progress.first_line.reset();
    return {How::line_is_gone, put_off(row, progress, now)};
  }
  return {How::failed, after_failure(row, std::move(progress), sent.error(), attempt.way, now)};
}

DeliveryChange put_off(const DeliveryRow& row, const DeliveryProgress& progress, Timestamp now) {
  const Timestamp next_at = now + kPutOff;
  if (next_at - row.owed_at >= kGiveUpAfter) return change(row, DeliveryState::dead, progress, now);
  return change(row, row.state == DeliveryState::unknown ? DeliveryState::unknown : DeliveryState::owed, progress,
                next_at);
}

DeliveryProgress read_progress(std::string_view ref) {
  if (ref.empty()) return {};
  if (ref.starts_with('{')) {
    if (const auto object = parse_json_object(ref)) {
      if (auto progress = parse_arguments<DeliveryProgress>(*object)) return *std::move(progress);
    }
  }
  DeliveryProgress progress;
  progress.sent.emplace_back(ref);
  return progress;
}

std::string write_progress(const DeliveryProgress& progress) {
  const bool one_message = progress.sent.size() == 1 && !progress.sent.front().empty() &&
                           !progress.sent.front().starts_with('{') && !progress.first_line && progress.looks == 0 &&
                           !progress.as_text && !progress.as_post && !progress.stream;
  return one_message ? progress.sent.front() : json::serialize(to_json(progress));
}

std::vector<channel::MessageRef> refs_of(std::string_view ref) {
  std::vector<channel::MessageRef> refs = read_progress(ref).sent;
  std::erase(refs, "");
  return refs;
}

}  // namespace deputy::gateway
