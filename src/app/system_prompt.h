// The system prompt from outside: an S3 object, else a file, else nothing, which means the built-in one. Readers get
// the last good text at once; it is refreshed in the background when it is older than its ttl. If a read fails or the
// text is not a valid prompt, the last good one stays and the failure is logged.
//
// A run keeps the prompt it began with (run/prompt/prompt.h).
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/background_refresh.h"
#include "base/fields.h"
#include "clients/aws/s3.h"

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
        .check_with(clients::aws::check_s3_url);
    f.optional(&S::ttl, "ttl", "How old the text may be before it is read again").check_with(at_least_a_second);
  }
};

class SystemPrompt {
 public:
  static constexpr std::size_t kMaxBytes = 64 * 1024;
  static constexpr std::chrono::seconds kMaxLoad{5};

  /// Reads the object at an s3:// address; can be cancelled.
  using Fetch = std::function<Task<Result<std::string>>(std::string address)>;

  /// `clock` outlives it. Without `fetch` nothing is read from S3.
  SystemPrompt(SystemPromptSettings settings, const Clock& clock, asio::any_io_executor loop, Fetch fetch = {});

  /// The first load: returns when it has ended, or after kMaxLoad.
  Task<> load() { return behind_.first(); }

  /// Never null; empty: the built-in one. The pointer changes only when the text changes. On the loop only.
  std::shared_ptr<const std::string> text();

 private:
  struct Sources;  // shared with a running read, which may end after this object is destroyed

  std::shared_ptr<Sources> sources_;
  BackgroundRefresh behind_;
};

}  // namespace deputy::app
