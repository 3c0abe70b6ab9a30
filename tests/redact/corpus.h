// The files of lines that the redactor is measured with, and what is left of a secret after it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "redact/marker.h"
#include "support/temporary_folder.h"

namespace deputy::redact {

inline constexpr std::string_view kOpen = "«", kClose = "»";

inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The lines of a file of the corpus as texts: without its comments, with the ends of lines that ⏎ stands for.
inline std::vector<std::string> lines_of(const std::string& name) {
  const std::string text = test::read_file(std::filesystem::path(REDACT_CORPUS) / name);
  const bool has_comments = name.contains("secrets");
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, "\n")) {
    if (line.empty() || (has_comments && line.starts_with("# "))) continue;
    std::string read(line);
    replace_all(read, "¦", "");
    replace_all(read, "⏎", "\n");
    lines.push_back(std::move(read));
  }
  return lines;
}

/// A text and the secrets in it, which stand between « and » in the files.
struct Marked {
  std::string text;
  std::vector<std::string> secrets;
  std::string around;  // all but the secrets
};

inline Marked read_marked(std::string_view line) {
  Marked read;
  while (true) {
    const std::size_t open = line.find(kOpen);
    read.text += line.substr(0, open);
    read.around += line.substr(0, open);
    if (open == std::string_view::npos) return read;
    line.remove_prefix(open + kOpen.size());
    const std::size_t close = line.find(kClose);
    read.secrets.emplace_back(line.substr(0, close));
    read.text += read.secrets.back();
    read.around += "\n";
    line.remove_prefix(close + kClose.size());
  }
}

/// Three characters of `secret`, or all of a shorter one, that are still in `redacted` and do not come from `around`;
/// empty when nothing of the secret can be told from what came out.
inline std::string fragment_left(std::string_view secret, std::string_view around, std::string redacted) {
  constexpr std::size_t kTelling = 3;
  for (auto marker = next_marker(redacted); marker; marker = next_marker(redacted, marker->begin))
    redacted.replace(marker->begin, marker->end - marker->begin, "\n");
  const std::size_t length = std::min(kTelling, secret.size());
  for (std::size_t at = 0; at + length <= secret.size(); ++at) {
    const std::string_view fragment = secret.substr(at, length);
    if (redacted.contains(fragment) && !around.contains(fragment)) return std::string(fragment);
  }
  return {};
}

}  // namespace deputy::redact
