#include "tools/clusters/settings.h"

#include "base/text.h"
#include "tools/backend_choice.h"

namespace deputy::tools {

void KubernetesSettings::check_programs(const std::vector<std::string>& programs, FieldReader& reader) {
  for (const std::string& program : programs) {
    if (program.starts_with('/')) continue;
    reader.problem("`" + cut_with_mark(program, 60) + "` is not a whole path",
                   "write the path that `command -v` prints, such as /usr/local/bin/aws");
  }
}

void ClusterToolsSettings::check(FieldReader& reader) const {
  for (const auto& [environment, file] : files) {
    if (!kubernetes.contexts.contains(environment)) continue;
    const FieldReader::Deeper in_files(reader, "files");
    const FieldReader::Deeper inside(reader, environment);
    reader.problem("`kubernetes.contexts` names a cluster for this environment too", "leave one of them out");
  }
  check_backend(backend, {"files", "kubernetes"}, reader);
}

}  // namespace deputy::tools
