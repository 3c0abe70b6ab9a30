#include "tools/logs/settings.h"

#include "base/text.h"
#include "tools/logs/files/find_files.h"

namespace deputy::tools {

void LogPathSettings::check(FieldReader& reader) const {
  const auto pattern = files::PathPattern::compile(path);
  if (!pattern) return reader.problem(pattern.error().message, pattern.error().hint);
  const auto once = [&](bool in_path, const std::string& given, const char* name) {
    if (in_path == given.empty()) return;
    reader.problem(in_path ? std::string("`") + name + "` is set twice: in the path and beside it"
                           : std::string("the path does not name the ") + name,
                   in_path ? std::string("leave `") + name + "` out" : std::string("set `") + name + "` beside it");
  };
  once(pattern->names_environment(), environment, "environment");
  once(pattern->names_service(), service, "service");
}

void LogToolsSettings::check(FieldReader& reader) const {
  if (backend.empty() || backend == "files") return;
  const FieldReader::Deeper inside(reader, "backend");
  reader.problem("there is no log backend `" + cut_with_mark(backend, 60) + "`", "known here: `files`");
}

}  // namespace deputy::tools
