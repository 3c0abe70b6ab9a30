#include "app/system_prompt.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>

#include "base/log.h"
#include "base/text.h"
#include "base/workers.h"
#include "clients/aws/s3.h"

namespace deputy::app {

namespace {

// Runs on a worker: the disk may not respond.
Result<std::string> read_prompt_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return fail(ErrorKind::not_found, "it is not a regular file");
  std::ifstream file(path, std::ios::binary);
  std::string text(SystemPrompt::kMaxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof())) return fail(ErrorKind::permission, "it cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Result<> check_prompt(std::string_view text) {
  if (trim(text).empty()) return fail(ErrorKind::invalid_input, "it is empty");
  if (text.size() > SystemPrompt::kMaxBytes) return fail(ErrorKind::invalid_input, "it is larger than 64 KiB");
  if (!is_valid_utf8(text)) return fail(ErrorKind::invalid_input, "it is not UTF-8");
  return {};
}

}  // namespace

struct SystemPrompt::Sources {
  SystemPromptSettings settings;
  Fetch fetch;
  std::optional<Workers> workers;      // where there is a file
  std::optional<std::string> of_file;  // the last good one
  std::optional<std::string> of_s3;
  std::shared_ptr<const std::string> text = std::make_shared<const std::string>();

  Sources(SystemPromptSettings given, Fetch way_to_s3) : settings(std::move(given)), fetch(std::move(way_to_s3)) {
    if (!settings.file.empty()) workers.emplace("system prompt", Workers::Limits{});
  }

  void keep(Result<std::string> read, std::string_view where, std::optional<std::string>& into) {
    Result<> good = read ? check_prompt(*read) : Result<>(std::unexpected(read.error()));
    if (good) {
      into = *std::move(read);
      return;
    }
    log::warning("a system prompt could not be used",
                 {{"from", std::string(where)},
                  {"why", good.error().message},
                  {"instead", into ? "the last good one from there" : "the prompt without it"}});
  }

  void settle() {
    const std::string& present = of_s3 ? *of_s3 : of_file ? *of_file : *text;
    if (present != *text) text = std::make_shared<const std::string>(present);
  }

  Task<> read_file() {
    if (!workers) co_return;
    Result<std::string> read = co_await on_worker<std::string>(
        *workers, kMaxLoad, [path = settings.file](const std::stop_token&) { return read_prompt_file(path); });
    keep(std::move(read), settings.file.string(), of_file);
  }

  Task<> read_s3() {
    if (settings.s3.empty()) co_return;
    Result<std::string> read = fail(ErrorKind::not_configured, "S3 is not available here");
    if (fetch) read = co_await with_timeout(kMaxLoad, fetch(settings.s3));
    keep(std::move(read), settings.s3, of_s3);
  }

  /// The file first, so that there is a text while S3 is slow.
  static Task<> read(std::shared_ptr<Sources> sources) {
    co_await sources->read_file();
    sources->settle();
    co_await sources->read_s3();
    sources->settle();
  }

  /// Empty if there is nothing to read.
  static BackgroundRefresh::Read reader(const std::shared_ptr<Sources>& sources) {
    if (sources->settings.file.empty() && sources->settings.s3.empty()) return {};
    return [sources] { return read(sources); };
  }
};

SystemPrompt::SystemPrompt(SystemPromptSettings settings, const Clock& clock, asio::any_io_executor loop, Fetch fetch)
    : sources_(std::make_shared<Sources>(std::move(settings), std::move(fetch))),
      behind_("system prompt", {kMaxLoad, sources_->settings.ttl}, clock, std::move(loop), Sources::reader(sources_)) {}

std::shared_ptr<const std::string> SystemPrompt::text() {
  behind_.look();
  return sources_->text;
}

}  // namespace deputy::app
