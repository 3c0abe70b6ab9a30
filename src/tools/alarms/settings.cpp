#include "tools/alarms/settings.h"

#include "base/text.h"

namespace deputy::tools {

void CloudWatchSettings::check_ecs_service(const std::string& pattern, FieldReader& reader) {
  if (pattern.contains("{service}")) return;
  reader.problem("the name does not tell one service from another", "write {service} where its name stands");
}

void AlarmToolsSettings::check(FieldReader& reader) const {
  if (backend.empty() || backend == "prometheus" || backend == "cloudwatch" || backend == "files") return;
  const FieldReader::Deeper inside(reader, "backend");
  reader.problem("there is no alarm backend `" + cut_with_mark(backend, 60) + "`",
                 "known here: `cloudwatch`, `files` and `prometheus`");
}

}  // namespace deputy::tools
