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

// On a worker: a file may lie on a disk that does not answer.
Result<std::string> read_prompt_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return fail(ErrorKind::not_found, "it is no file");
  std::ifstream file(path, std::ios::binary);
  std::string text(SystemPrompt::kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof())) return fail(ErrorKind::permission, "it cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Result<> check_prompt(std::string_view text) {
  if (trim(text).empty()) return fail(ErrorKind::invalid_input, "it is empty");
  if (text.size() > SystemPrompt::kMostBytes) return fail(ErrorKind::invalid_input, "it has more than 64 KiB");
  if (!is_valid_utf8(text)) return fail(ErrorKind::invalid_input, "it is not UTF-8");
  return {};
}

}  // namespace

void SystemPromptSettings::check_address(const std::string& address, FieldReader& reader) {
  if (address.empty()) return;
  if (const auto object = clients::aws::parse_s3_url(address); !object)
    reader.problem(object.error().message, object.error().hint);
}

struct SystemPrompt::Sources {
  SystemPromptSettings settings;
  Fetch fetch;
  std::optional<Workers> workers;      // where there is a file
  std::optional<std::string> of_file;  // the last good one
  std::optional<std::string> of_s3;
  std::shared_ptr<const std::string> text = std::make_shared<const std::string>();
  std::optional<Timestamp> read_at;
  bool reading = false;

  bool has_any() const { return !settings.file.empty() || !settings.s3.empty(); }

  void keep(Result<std::string> read, std::string_view where, std::optional<std::string>& into) {
    Result<> good = read ? check_prompt(*read) : Result<>(std::unexpected(read.error()));
    if (good) {
      into = *std::move(read);
      return;
    }
    log::warning("a system prompt was not taken",
                 {{"from", std::string(where)},
                  {"why", good.error().message},
                  {"instead", into ? "the last good one of it" : "what there is without it"}});
  }

  void settle() {
    const std::string& present = of_s3 ? *of_s3 : of_file ? *of_file : *text;
    if (present != *text) text = std::make_shared<const std::string>(present);
  }

  Task<> read_file() {
    if (!workers) co_return;
    Result<std::string> read = co_await on_worker<std::string>(
        *workers, kLongestLoad, [path = settings.file](const std::stop_token&) { return read_prompt_file(path); });
    keep(std::move(read), settings.file.string(), of_file);
  }

  Task<> read_s3() {
    if (settings.s3.empty()) co_return;
    Result<std::string> read = fail(ErrorKind::not_configured, "nothing can be read from S3 here");
    if (fetch) read = co_await with_timeout(kLongestLoad, fetch(settings.s3));
    keep(std::move(read), settings.s3, of_s3);
  }

  /// The file first, so that there is a text while S3 takes its time. Wakes who waits for the first.
  static Task<> refresh(std::shared_ptr<Sources> sources, std::shared_ptr<asio::steady_timer> waiting) {
    struct Ended {
      Sources& sources;
      ~Ended() { sources.reading = false; }
    };
    const Ended ended{*sources};
    co_await sources->read_file();
    sources->settle();
    co_await sources->read_s3();
    sources->settle();
    if (waiting) waiting->cancel();
  }
};

SystemPrompt::SystemPrompt(SystemPromptSettings settings, const Clock& clock, asio::any_io_executor loop, Fetch fetch)
    : clock_(clock), loop_(std::move(loop)), sources_(std::make_shared<Sources>()) {
  sources_->settings = std::move(settings);
  sources_->fetch = std::move(fetch);
  if (!sources_->settings.file.empty()) sources_->workers.emplace("system prompt", Workers::Limits{});
}

Task<> SystemPrompt::load() {
  if (!sources_->has_any() || sources_->reading) co_return;
  const auto ended = std::make_shared<asio::steady_timer>(loop_, kLongestLoad);
  begin(ended);
  co_await ended->async_wait(asio::as_tuple(asio::use_awaitable));
}

std::shared_ptr<const std::string> SystemPrompt::text() {
  const std::optional<Timestamp> read_at = sources_->read_at;
  const bool is_old = !read_at || clock_.now() - *read_at >= sources_->settings.ttl;
  if (sources_->has_any() && is_old && !sources_->reading) begin(nullptr);
  return sources_->text;
}

void SystemPrompt::begin(std::shared_ptr<asio::steady_timer> waiting) {
  sources_->reading = true;
  sources_->read_at = clock_.now();
  spawn(loop_, "system prompt", Sources::refresh(sources_, std::move(waiting)));
}

}  // namespace deputy::app
