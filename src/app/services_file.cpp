#include "app/services_file.h"

#include "config/files.h"
#include "config/yaml.h"

namespace deputy::app {

Result<std::vector<tools::Service>> read_services(const std::filesystem::path& file) {
  TRY(const config::FileContent content, config::read_bounded(file, config::kLargestFile));
  const auto source = std::make_shared<const config::Source>(
      config::Source{.kind = config::SourceKind::file, .name = file.string(), .folder = file.parent_path()});
  const config::ParsedFile parsed = config::parse_yaml(content.text, source);
  if (!parsed.problems.empty()) {
    const config::LocatedProblem& first = parsed.problems.front();
    return fail(ErrorKind::invalid_input, describe(first), first.hint);
  }
  return tools::services_from(parsed.document.root);
}

}  // namespace deputy::app
