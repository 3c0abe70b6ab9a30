// The system prompt from outside: an S3 object, else a file, else nothing, which means the built-in one. Whoever needs
// it gets the present text at once; what is older than its time is read anew behind their backs. What cannot be had, or
// is no prompt, leaves the last good one in place and says so in the log.
//
// A run keeps the prompt it began with (run/prompt.h).
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/background_refresh.h"
#include "base/field_checks.h"
#include "base/fields.h"

namespace deputy::app {

struct SystemPromptSettings {
  std::filesystem::path file;
  std::string s3;
  std::chrono::milliseconds ttl = std::chrono::minutes(5);

  template <class Fields>
  static void fields(Fields& f) {
    using S = SystemPromptSettings;
    f.optional(&S::file, "file", "A text file with the system prompt, in place of the built-in one");
    f.optional(&S::s3, "s3", "An S3 object with the system prompt, in place of the file: s3://bucket/key")
        .check_with(check_address);
    f.optional(&S::ttl, "ttl", "How old what was read may be before it is read again").check_with(at_least_a_second);
  }

 private:
  static void check_address(const std::string& address, FieldReader& reader);
};

class SystemPrompt {
 public:
  static constexpr std::size_t kMostBytes = 64 * 1024;
  static constexpr std::chrono::seconds kLongestLoad{5};

  /// Reads what stands under an s3:// address; hears cancellation.
  using Fetch = std::function<Task<Result<std::string>>(std::string address)>;

  /// `clock` outlives it. Without `fetch` nothing is read from S3.
  SystemPrompt(SystemPromptSettings settings, const Clock& clock, asio::any_io_executor loop, Fetch fetch = {});

  /// The first load: returns when it has ended, or after kLongestLoad.
  Task<> load() { return behind_.first(); }

  /// Never null; empty: the built-in one. The same pointer as long as it is the same text. On the loop only.
  std::shared_ptr<const std::string> text();

 private:
  struct Sources;  // with a refresh that is under way, which may end after this is gone

  std::shared_ptr<Sources> sources_;
  BackgroundRefresh behind_;
};

}  // namespace deputy::app
