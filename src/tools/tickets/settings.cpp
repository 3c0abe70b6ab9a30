#include "tools/tickets/settings.h"

#include "base/text.h"

namespace deputy::tools {

void TicketToolsSettings::check(FieldReader& reader) const {
  if (backend.empty() || backend == "jira" || backend == "files") return;
  const FieldReader::Deeper inside(reader, "backend");
  reader.problem("there is no ticket backend `" + cut_with_mark(backend, 60) + "`", "known here: `files`, `jira`");
}

}  // namespace deputy::tools
