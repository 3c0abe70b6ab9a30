#include "tools/pipelines/settings.h"

#include "base/text.h"

namespace deputy::tools {

void PipelineToolsSettings::check(FieldReader& reader) const {
  if (backend.empty() || backend == "github" || backend == "bitbucket" || backend == "files") return;
  const FieldReader::Deeper inside(reader, "backend");
  reader.problem("there is no pipeline backend `" + cut_with_mark(backend, 60) + "`",
                 "known here: `bitbucket`, `files`, `github`");
}

}  // namespace deputy::tools
