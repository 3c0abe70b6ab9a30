#include "tools/worker_step.h"

namespace deputy::tools {

using toolkit::Output;
using toolkit::Step;

Task<Step> text_on_worker(Workers& workers, std::chrono::milliseconds limit,
                          std::move_only_function<Result<std::string>(std::stop_token)> job) {
  auto text = co_await on_worker<std::string>(workers, limit, std::move(job));
  if (!text) co_return std::move(text).error();
  co_return Output{*std::move(text), {}};
}

Task<Step> output_on_worker(Workers& workers, std::chrono::milliseconds limit,
                            std::move_only_function<Result<Output>(std::stop_token)> job) {
  auto output = co_await on_worker<Output>(workers, limit, std::move(job));
  if (!output) co_return std::move(output).error();
  co_return *std::move(output);
}

}  // namespace deputy::tools
