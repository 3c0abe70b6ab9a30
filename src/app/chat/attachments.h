// The files that a message names with @: their content goes with it as data, as if it had been piped in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::app {

inline constexpr std::size_t kMaxAttached = 256UL * 1024;      // bytes of one file
inline constexpr std::size_t kMaxAllAttached = 1024UL * 1024;  // bytes of all files of a message

struct Attachments {
  std::string text;                   // of all files, each under its name
  std::vector<std::string> names;     // with their size
  std::vector<std::string> problems;  // files that are there and cannot be sent, and why
};

/// A word `@name` for which there is no file stays a word, and so does one of a `pasted` text: only what a person typed
/// hands over a file. Names are relative to `folder`.
Attachments attached_to(std::string_view message, const std::vector<std::string>& pasted,
                        const std::filesystem::path& folder);

}  // namespace deputy::app
