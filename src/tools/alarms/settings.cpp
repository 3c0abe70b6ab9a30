#include "tools/alarms/settings.h"

#include "tools/backend_choice.h"

namespace deputy::tools {

void CloudWatchSettings::check_ecs_service(const std::string& pattern, FieldReader& reader) {
  if (pattern.contains("{service}")) return;
  reader.problem("the name does not tell one service from another", "write {service} where its name stands");
}

void AlarmToolsSettings::check(FieldReader& reader) const {
  check_backend(backend, {"cloudwatch", "files", "prometheus"}, reader);
}

}  // namespace deputy::tools
