// Reads and writes the files of settings, secrets and trust: bounded and without blocking (never a pipe or a device),
// judged by owner and mode, written whole or not at all. Modes are judged by their bits, not by what this process may
// do: root may do everything.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace deputy::config {

/// Tells two states of a path apart without reading it: by content, owner and mode.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::chrono::nanoseconds modified{};
  std::chrono::nanoseconds changed{};  // also when mode or owner changed

  bool operator==(const FileIdentity&) const = default;
};

/// The state of some paths at one moment; a path without a file has no identity.
using Fingerprint = std::vector<std::pair<std::filesystem::path, std::optional<FileIdentity>>>;
Fingerprint fingerprint(const std::vector<std::filesystem::path>& paths);
/// True when both agree on every path that they share.
bool agree(const Fingerprint& one, const Fingerprint& other);
/// The same paths in their current state.
Fingerprint look_again(const Fingerprint& before);

/// A program that may still be changing a file.
enum class Writer {
  nobody,
  somebody,  // has it open for writing: it may be half-written, however long it has not changed
  unknown,   // the file is not ours and we are not root, or its file system has no leases
};
/// The writer of the file at `path`; nobody when there is no regular file.
Writer writer_of(const std::filesystem::path& path);
/// The first of these files that is open for writing.
std::optional<std::filesystem::path> being_written(const Fingerprint& files);

struct FileOwner {
  uid_t user = 0;
  mode_t mode = 0;
};

/// True when others (including the group) may write it, or it belongs to neither us nor root.
bool others_can_write(FileOwner owner, uid_t us);
bool others_can_read(FileOwner owner);

struct FileContent {
  std::string text;
  FileOwner owner;
};

/// Reads a regular file of at most `most` bytes; `not_found` when there is none.
Result<FileContent> read_bounded(const std::filesystem::path& path, std::size_t most);
/// The same for a caller that adds the file's name itself: an error says only why ("it is not a regular file").
Result<FileContent> read_or_why(const std::filesystem::path& path, std::size_t most);

enum class Existing { replace, keep };

/// Writes a file that only its owner can read (0600), in folders of mode 0700: whole, by rename. `conflict` when the
/// file exists and is to be kept.
Result<> write_private(const std::filesystem::path& path, std::string_view text, Existing existing);

/// Creates a folder that only its owner can enter (0700), and its parents. An existing one is refused when others can
/// write it and it is not sticky, else left unchanged. For files that people name; the data folder has stricter rules
/// (base/files.h).
Result<> make_private_folder(const std::filesystem::path& path);

}  // namespace deputy::config
