#include "tools/alarms/settings.h"

#include "base/text.h"

namespace deputy::tools {

void AlarmToolsSettings::check(FieldReader& reader) const {
  if (backend.empty() || backend == "prometheus") return;
  const FieldReader::Deeper inside(reader, "backend");
  reader.problem("there is no alarm backend `" + cut_with_mark(backend, 60) + "`", "known here: `prometheus`");
}

}  // namespace deputy::tools
