// The one folder that workspace tools see. Every path is relative to it and is resolved below it by the kernel
// (openat2), or, where the kernel cannot, one name at a time without following any link. What lies outside cannot be
// named: no `..`, no absolute path, no link that leads out. Only folders and ordinary files are opened: a fifo, a
// device or a socket could block or act.
//
// Its methods block: call them on a worker.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace deputy::tools {

/// Who follows links. Without the kernel's help none is followed, also none that stays inside.
enum class Resolving { by_kernel, name_by_name };

Resolving best_resolving();

/// What a file was when it was looked at: its digest, or that there was none.
struct FileState {
  std::optional<std::string> digest;  // SHA-256 in hexadecimal; nothing: there is no such file

  bool operator==(const FileState&) const = default;
};
FileState state_of_content(std::string_view content);

class Root {
 public:
  static Result<Root> open(const std::filesystem::path& folder, Resolving resolving = best_resolving());

  /// As it is on this machine, without links.
  const std::filesystem::path& folder() const { return folder_; }

  /// A folder below the root; an empty path is the root itself.
  Result<FileDescriptor> open_folder(std::string_view path) const;

  /// An ordinary file, for reading.
  Result<FileDescriptor> open_file(std::string_view path) const;

  /// The whole file; one of more than `most` bytes is an error that says so.
  Result<std::string> read(std::string_view path, std::size_t most) const;

  Result<FileState> state(std::string_view path, std::size_t most) const;

  /// Whether `write` would put a file there: a link is not followed, also not to a file inside.
  Result<> check_is_no_link(std::string_view path) const;

  /// Puts `content` in place of the file, whole or not at all, also when the machine fails meanwhile. Its mode and
  /// owner are kept; a new file has its folder's owner where we may say so. Missing folders are made. When the file is
  /// not as `seen` any more, nothing is written and the error is a conflict.
  Result<> write(std::string_view path, std::string_view content, const FileState& seen) const;

 private:
  Root(FileDescriptor folder, std::filesystem::path path, Resolving resolving)
      : descriptor_(std::move(folder)), folder_(std::move(path)), resolving_(resolving) {}

  Result<FileDescriptor> resolve(std::string_view path, int flags) const;
  Result<FileDescriptor> make_folders(std::string_view path) const;

  FileDescriptor descriptor_;
  std::filesystem::path folder_;
  Resolving resolving_;
};

/// Reads an open file to its end; more than `most` bytes are an error. `path` is for the message.
Result<std::string> read_open_file(const FileDescriptor& file, std::string_view path, std::size_t most);

/// Deputy's own folders (data, settings) and the root may not contain each other: a tool could read tokens or change
/// rules. The error names both.
Result<> check_apart(const std::filesystem::path& root, const std::vector<std::filesystem::path>& own_folders);

// Paths below a root, as text: what may be asked for at all. Pure.

constexpr std::size_t kLongestPath = 4000;  // bytes

/// The path without empty and `.` parts, "." for the root itself. Absolute paths, `..`, control characters (ends of
/// lines among them) and what is too long are errors that say how a path is given.
Result<std::string> normal_path(std::string_view path);

/// Set in code for a message: cut, and in valid UTF-8.
std::string shown_path(std::string_view path);

}  // namespace deputy::tools
