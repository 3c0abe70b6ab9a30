// The one folder that workspace tools see. Every path is relative to it. The kernel (openat2) resolves a path and keeps
// it inside the folder; without openat2, paths are resolved one name at a time. Nothing outside can be reached: no
// `..`, no absolute path. No link is followed: `leads_to` says where a path leads, that is judged, and only then
// opened. Only folders and ordinary files are opened, because opening a fifo, a device or a socket could block or have
// an effect.
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
#include "toolkit/settle.h"
#include "toolkit/spec.h"

namespace deputy::tools {

/// How paths are resolved. Name by name, `leads_to` follows no link either.
enum class Resolving { by_kernel, name_by_name };

Resolving best_resolving();

/// The state of a file at one time: its digest, or that it did not exist.
struct FileState {
  std::optional<std::string> digest;  // SHA-256 in hexadecimal; nothing: there is no such file

  bool operator==(const FileState&) const = default;
};
FileState state_of_content(std::string_view content);

class Root {
 public:
  static Result<Root> open(const std::filesystem::path& folder, Resolving resolving = best_resolving());

  /// Its absolute path on this machine, with links resolved.
  const std::filesystem::path& folder() const { return folder_; }

  /// Opens a folder below the root; an empty path is the root itself.
  Result<FileDescriptor> open_folder(std::string_view path) const;

  /// Opens an ordinary file for reading.
  Result<FileDescriptor> open_file(std::string_view path) const;

  /// Reads the whole file; more than `most` bytes are an error.
  Result<std::string> read(std::string_view path, std::size_t most) const;

  Result<FileState> state(std::string_view path, std::size_t most) const;

  /// Where a path leads if its links are followed; for one that does not exist, where its folder leads. A link that
  /// leads out, or in a circle, is an error.
  Result<toolkit::Led> leads_to(std::string_view path) const;

  /// An error if a part of the path is a link: `write` does not follow links, not even to a file inside.
  Result<> check_has_no_link(std::string_view path) const;

  /// Replaces the file by `content`, completely or not at all, even if the machine crashes meanwhile. Keeps the mode
  /// and owner; a new file gets the owner of its folder if we may set it. Creates missing folders. If the file is not
  /// in the state `seen` any more, or a part of its path has become a link, nothing is written and the error is a
  /// conflict.
  Result<> write(std::string_view path, std::string_view content, const FileState& seen) const;

 private:
  Root(FileDescriptor folder, std::filesystem::path path, Resolving resolving)
      : descriptor_(std::move(folder)), folder_(std::move(path)), resolving_(resolving) {}

  enum class Links { refused, followed };
  Result<FileDescriptor> resolve(std::string_view path, int flags, Links links = Links::refused) const;
  std::string path_of(const FileDescriptor& opened) const;
  Result<FileDescriptor> make_folders(std::string_view path) const;

  FileDescriptor descriptor_;
  std::filesystem::path folder_;
  Resolving resolving_;
};

/// Reads an open file to its end; more than `most` bytes are an error. `path` is for the message.
Result<std::string> read_open_file(const FileDescriptor& file, std::string_view path, std::size_t most);

/// An error if the root and one of Deputy's own folders (data, settings) contain each other: a tool could then read
/// tokens or change rules.
Result<> check_apart(const std::filesystem::path& root, const std::vector<std::filesystem::path>& own_folders);

using toolkit::kMaxPath;
using toolkit::normal_path;
using toolkit::shown_path;

}  // namespace deputy::tools
