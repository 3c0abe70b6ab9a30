// A git repository of this machine, read through git in the sandbox.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "tools/code/code_tools.h"

namespace deputy::tools {

constexpr std::size_t kMostOfAFile = 1024UL * 1024;  // bytes; larger ones are not indexed and not shown

/// What git printed. An error says what git said; more than `most_output` bytes are an error too.
Task<Result<std::string>> run_git(SandboxPrograms programs, CodeRepository repository,
                                  std::vector<std::string> arguments, std::string input, std::size_t most_output,
                                  std::chrono::milliseconds timeout);

/// Brings the index to the repository's present commit. What was done stays done when it is cut short.
Task<Result<>> refresh_repository(CodeSetup setup, CodeRepository repository,
                                  std::chrono::steady_clock::time_point deadline);

// What git prints, read: the files of a commit and the contents of blobs. Whatever it prints, these return. Pure.

struct TreeFile {
  std::string path;
  std::string blob;  // its id
  std::uint64_t bytes = 0;

  bool operator==(const TreeFile&) const = default;
};

/// Of `git ls-tree -r -z -l`: ordinary files only; lines that are not understood are left out.
std::vector<TreeFile> parse_tree(std::string_view output);

/// Of `git cat-file --batch`: contents by blob id; what was cut off is left out.
std::map<std::string, std::string> parse_blobs(std::string_view output);

/// 40 or 64 hexadecimal digits.
bool is_object_id(std::string_view text);

}  // namespace deputy::tools
