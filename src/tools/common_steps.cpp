#include "tools/common_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace deputy::tools {

namespace {

Task<toolkit::Step> ask_above(std::optional<json::value> answer, toolkit::DelegateKind kind, json::object payload,
                              Shape shape) {
  if (!answer) co_return toolkit::Delegate{kind, std::move(payload)};
  std::string text = answer->is_string() ? std::string(as_view(answer->get_string())) : json::serialize(*answer);
  co_return toolkit::Output{shape ? shape(std::move(text)) : std::move(text), {}};
}

}  // namespace

toolkit::Pipeline delegating(toolkit::DelegateKind kind, json::object payload, Shape shape) {
  toolkit::Pipeline pipeline;
  pipeline.then({.name = "delegate",
                 .repeatable = true,
                 .call = [kind, payload = std::move(payload), shape = std::move(shape)](toolkit::CallContext& context) {
                   return ask_above(context.answer, kind, payload, shape);
                 }});
  return pipeline;
}

Task<toolkit::Step> as_step(Task<Result<toolkit::Step>> task) {
  Result<toolkit::Step> step = co_await std::move(task);
  if (!step) co_return std::move(step).error();
  co_return *std::move(step);
}

Task<toolkit::Step> text_on_worker(Workers& workers, std::chrono::milliseconds limit,
                                   std::move_only_function<Result<std::string>(std::stop_token)> job) {
  auto text = co_await on_worker<std::string>(workers, limit, std::move(job));
  if (!text) co_return std::move(text).error();
  co_return toolkit::Output{*std::move(text), {}};
}

Task<toolkit::Step> output_on_worker(Workers& workers, std::chrono::milliseconds limit,
                                     std::move_only_function<Result<toolkit::Output>(std::stop_token)> job) {
  auto output = co_await on_worker<toolkit::Output>(workers, limit, std::move(job));
  if (!output) co_return std::move(output).error();
  co_return *std::move(output);
}

Result<std::string> lines_of_file(std::string_view text, std::string_view name, std::optional<int> first,
                                  std::optional<int> last) {
  if (text.contains('\0')) return fail(ErrorKind::invalid_input, fmt::format("{} is not a text file", name));
  const int from = first.value_or(1);
  const int to = last.value_or(std::numeric_limits<int>::max());
  std::string wanted;
  int line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (++line >= from && line <= to) wanted += text.substr(0, end);
    text.remove_prefix(end);
  }
  if (line < from && from > 1) return fail(ErrorKind::invalid_input, fmt::format("{} has {} lines", name, line));
  if (!wanted.empty() && !wanted.ends_with('\n')) wanted += '\n';
  if (from > 1 || to < line) wanted += fmt::format("[lines {} to {} of {}]\n", from, std::min(to, line), line);
  return wanted.empty() ? "(the file is empty)" : to_valid_utf8(std::move(wanted));
}

}  // namespace deputy::tools
