#include "app/services_file.h"

#include "base/log.h"
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

std::vector<intent::KnownService> known_services(const std::filesystem::path& file) {
  if (file.empty()) return {};
  const Result<std::vector<tools::Service>> services = read_services(file);
  if (!services) {
    log::warning("services are not known by name", {{"why", describe(services.error())}});
    return {};
  }
  std::vector<intent::KnownService> known;
  for (const tools::Service& service : *services) known.push_back({service.key, service.full_name, service.aliases});
  return known;
}

}  // namespace deputy::app
