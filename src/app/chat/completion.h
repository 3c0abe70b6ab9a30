// What Tab completes in a chat: slash commands, tools after /call, files after @, and else names of services and tools.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "channel/terminal/line_editor.h"

namespace deputy::app {

struct CompletionWords {
  std::vector<std::string> tools;
  std::vector<std::string> services;
  std::vector<std::string> models;
  std::filesystem::path folder;  // that @file starts from
};

/// `typed` is the text before the cursor. Reads one folder for a word that starts with @.
channel::Completion complete(std::string_view typed, const CompletionWords& words);

}  // namespace deputy::app
