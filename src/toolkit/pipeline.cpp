#include "toolkit/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace deputy::toolkit {

namespace {

constexpr std::size_t kMaxHandlers = 32;
constexpr std::size_t kMaxName = 64;

bool is_good_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName &&
         std::ranges::all_of(name, [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

std::unexpected<Error> broken(std::string why) {
  return fail(ErrorKind::internal, "the tool composes a broken chain: " + std::move(why));
}

}  // namespace

Pipeline& Pipeline::then(Handler handler) {
  handlers_.push_back(std::move(handler));
  return *this;
}

Pipeline& Pipeline::await_approval() {
  gate_before_ = handlers_.size();
  ++gates_;
  return *this;
}

Pipeline& Pipeline::finally(Handler handler) {
  finally_.push_back(std::move(handler));
  return *this;
}

Stage Pipeline::stage_at(std::size_t position) const {
  return has_gate() && position < gate_before_ ? Stage::before_gate : Stage::after_gate;
}

Result<> Pipeline::check() const {
  if (handlers_.empty()) return broken("it has no handler");
  if (handlers_.size() + finally_.size() > kMaxHandlers) {
    return broken(fmt::format("it has more than {} handlers", kMaxHandlers));
  }
  if (gates_ > 1) return broken("it has more than one gate");
  if (has_gate() && gate_before_ == handlers_.size()) return broken("nothing follows its gate");
  std::set<std::string_view> names;
  const auto check_handler = [&](const Handler& handler, Stage stage) -> Result<> {
    const std::string shown = cut_with_mark(handler.name, kMaxName);
    if (!is_good_name(handler.name)) return broken(fmt::format("`{}` is not a valid handler name", shown));
    if (!names.insert(handler.name).second) return broken(fmt::format("two handlers are called `{}`", shown));
    if (!handler.call) return broken(fmt::format("`{}` does nothing", shown));
    if (stage == Stage::before_gate && !handler.repeatable) {
      return broken(fmt::format("`{}` is before the gate and not repeatable", shown));
    }
    if (stage == Stage::finally && !handler.repeatable) {
      return broken(fmt::format("`{}` is in finally and not repeatable", shown));
    }
    return {};
  };
  for (std::size_t i = 0; i < handlers_.size(); ++i) TRY((check_handler(handlers_[i], stage_at(i))));
  for (const Handler& handler : finally_) TRY((check_handler(handler, Stage::finally)));
  return {};
}

std::vector<LinkInfo> Pipeline::links() const {
  std::vector<LinkInfo> links;
  const auto add = [&](const Handler& handler, Stage stage) {
    links.push_back({handler.name, stage, handler.repeatable, static_cast<bool>(handler.look)});
  };
  for (std::size_t i = 0; i < handlers_.size(); ++i) add(handlers_[i], stage_at(i));
  for (const Handler& handler : finally_) add(handler, Stage::finally);
  return links;
}

Result<Link> Pipeline::take(std::string_view name) && {
  for (std::size_t i = 0; i < handlers_.size(); ++i) {
    if (handlers_[i].name == name) return Link{std::move(handlers_[i]), stage_at(i), i == 0};
  }
  for (Handler& handler : finally_) {
    if (handler.name == name) return Link{std::move(handler), Stage::finally, false};
  }
  return fail(ErrorKind::conflict, fmt::format("the tool no longer has a step `{}`", cut_with_mark(name, kMaxName)),
              "the tool or its settings changed while this waited; ask for it again");
}

std::string_view name(Status status) {
  for (const auto& [choice, choice_name] : choices_of(Status{})) {
    if (choice == status) return choice_name;
  }
  return "unknown";
}

Failure failure_of(Error error, FailedBy by, Stage stage, bool repeatable) {
  // A backend that answers with an error of its own may have done the work before it failed.
  const bool outcome_open = by == FailedBy::exception || error.kind == ErrorKind::timeout ||
                            error.kind == ErrorKind::cancelled || error.kind == ErrorKind::network ||
                            error.kind == ErrorKind::upstream;
  if (!repeatable && outcome_open) {
    error.hint = "It may have happened; check before doing it again";
    error.retryable = false;
    error.retry_after.reset();
    return {Status::unknown, std::move(error)};
  }
  if (error.kind == ErrorKind::cancelled) return {Status::cancelled, std::move(error)};
  if (error.kind == ErrorKind::timeout && stage != Stage::before_gate) return {Status::timeout, std::move(error)};
  return {Status::error, std::move(error)};
}

}  // namespace deputy::toolkit
