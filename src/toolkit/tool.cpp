#include "toolkit/tool.h"

#include <fmt/format.h>

#include "base/log.h"

namespace deputy::toolkit {

Result<Pipeline> Tool::compose(const json::object& arguments) const {
  const ToolSpec& about = spec();
  if (!about.missing.empty()) {
    return fail(ErrorKind::not_configured, fmt::format("`{}` is not configured", about.name), about.missing);
  }
  try {
    TRY(Pipeline pipeline, chain_for(arguments));
    TRY(pipeline.check());
    return pipeline;
  } catch (const std::exception& error) {
    log::error("tool failed to compose", {{"tool", about.name}, {"what", error.what()}});
    return fail(ErrorKind::internal, fmt::format("`{}` failed before it did anything", about.name));
  }
}

json::object without_nulls(json::object arguments) {
  json::object kept;
  for (auto& argument : arguments) {
    if (!argument.value().is_null()) kept.emplace(argument.key(), std::move(argument.value()));
  }
  return kept;
}

}  // namespace deputy::toolkit
