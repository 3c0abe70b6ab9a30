// Reads a git repository of this machine, by git in the sandbox, and brings the index up to date.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "base/workers.h"
#include "tools/code/code_index.h"
#include "tools/code/knowledge_base.h"
#include "tools/sandbox.h"

namespace deputy::tools {

constexpr std::size_t kMaxCodeFile = 1024UL * 1024;  // bytes; larger ones are not indexed and not shown

struct CodeRepository {
  std::string name;
  std::filesystem::path folder;
};

/// The parts that both tools use. `workers` outlives them.
struct CodeSetup {
  std::vector<CodeRepository> repositories;
  std::shared_ptr<CodeIndex> index;
  Workers* workers = nullptr;
  SandboxPrograms programs;                  // find_sandbox_programs()
  std::shared_ptr<KnowledgeBase> knowledge;  // null: not set up
  std::string usual;                         // tools.code_tools.backend; empty: none is named
};

/// Runs git and returns its output. The error has git's own message; more than `max_output` bytes are an error too.
Task<Result<std::string>> run_git(SandboxPrograms programs, CodeRepository repository,
                                  std::vector<std::string> arguments, std::string input, std::size_t max_output,
                                  std::chrono::milliseconds timeout);

/// Brings the index to the repository's current commit, without the secrets that `redact` finds in its files. If it is
/// interrupted, the next call goes on from there.
Task<Result<>> refresh_repository(CodeSetup setup, CodeRepository repository, CodeIndex::Redact redact,
                                  std::chrono::steady_clock::time_point deadline);

/// Parses the output of `git ls-tree -r -z -l`. Returns ordinary files only and skips lines it does not understand.
/// Pure.
std::vector<TreeFile> parse_tree(std::string_view output);

/// Parses the output of `git cat-file --batch`. Returns contents by blob id, without a blob that is cut off. Pure.
std::map<std::string, std::string> parse_blobs(std::string_view output);

/// 40 or 64 hexadecimal digits.
bool is_object_id(std::string_view text);

}  // namespace deputy::tools
