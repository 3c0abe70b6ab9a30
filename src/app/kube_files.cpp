#include "app/kube_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include "config/files.h"
#include "config/yaml.h"

namespace deputy::app {

Result<json::object> read_kubeconfig(const std::filesystem::path& file) {
  TRY(const config::FileContent content, config::read_bounded(file, config::kLargestFile));
  if (config::others_can_write(content.owner, geteuid()))
    return fail(ErrorKind::permission, fmt::format("others can write {}, or it belongs to someone else", file.string()),
                fmt::format("`chmod 600 {}`", file.string()));
  const auto source = std::make_shared<const config::Source>(
      config::Source{.kind = config::SourceKind::file, .name = file.string(), .folder = file.parent_path()});
  config::ParsedFile parsed = config::parse_yaml(content.text, source);
  // The message is not shown: it could repeat a token.
  if (!parsed.problems.empty())
    return fail(ErrorKind::not_configured,
                fmt::format("{}:{} is not valid YAML", file.string(), parsed.problems.front().line),
                "check it with `kubectl config view`");
  return std::move(parsed.document.root);
}

Result<std::string> read_kube_text(const std::filesystem::path& file) {
  TRY(config::FileContent content, config::read_bounded(file, config::kLargestFile));
  return std::move(content.text);
}

}  // namespace deputy::app
