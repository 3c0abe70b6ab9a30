// Files of settings, secrets and trust on disk: read with a bound and without waiting (never a pipe or a device),
// judged by owner and mode, written whole or not at all. Modes are judged by their bits, not by whether we may: root
// may everything.
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

/// Tells one state of a path from another without reading it: its content, its owner and its mode.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::chrono::nanoseconds modified{};
  std::chrono::nanoseconds changed{};  // its mode and owner too

  bool operator==(const FileIdentity&) const = default;
};

/// What stands at some paths at one moment; a path without a file has no identity.
using Fingerprint = std::vector<std::pair<std::filesystem::path, std::optional<FileIdentity>>>;
Fingerprint fingerprint(const std::vector<std::filesystem::path>& paths);
/// Where both speak of a path, they say the same of it.
bool agree(const Fingerprint& one, const Fingerprint& other);
/// The same paths as they are now.
Fingerprint look_again(const Fingerprint& before);

/// Who may still be changing a file.
enum class Writer {
  nobody,
  somebody,  // has it open for writing: it may be half-written, however long it has stood still
  unknown,   // it is neither ours nor are we root, or its file system has no leases
};
/// Of what stands at `path` now; nobody where there is no regular file.
Writer writer_of(const std::filesystem::path& path);
/// The first of these that somebody has open for writing.
std::optional<std::filesystem::path> being_written(const Fingerprint& files);

struct FileOwner {
  uid_t user = 0;
  mode_t mode = 0;
};

/// Others (the group too) may write it, or it is neither ours nor root's.
bool others_can_write(FileOwner owner, uid_t us);
bool others_can_read(FileOwner owner);

struct FileContent {
  std::string text;
  FileOwner owner;
};

/// A regular file of at most `most` bytes. `not_found` when nothing is there.
Result<FileContent> read_bounded(const std::filesystem::path& path, std::size_t most);
/// The same for a caller that names the file itself: an error says only why ("it is not a regular file").
Result<FileContent> read_or_why(const std::filesystem::path& path, std::size_t most);

enum class Existing { replace, keep };

/// Writes a file only its owner can read (0600), folders around it 0700: whole, by rename. `conflict` when there is one
/// already and it is to be kept.
Result<> write_private(const std::filesystem::path& path, std::string_view text, Existing existing);

/// Makes a folder only its owner can enter (0700), and those around it. One that is there already is refused when
/// others can write it and it is not sticky, else left as it is. For files that people name; state stands in a folder
/// with stricter rules (base/own_folder.h).
Result<> make_private_folder(const std::filesystem::path& path);

}  // namespace deputy::config
