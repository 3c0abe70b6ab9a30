#include "tools/incidents/settings.h"

#include "base/text.h"

namespace deputy::tools {

void IncidentToolsSettings::check(FieldReader& reader) const {
  if (backend.empty() || backend == "pagerduty" || backend == "files") return;
  const FieldReader::Deeper inside(reader, "backend");
  reader.problem("there is no incident backend `" + cut_with_mark(backend, 60) + "`",
                 "known here: `files`, `pagerduty`");
}

}  // namespace deputy::tools
