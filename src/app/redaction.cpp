#include "app/redaction.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "base/json.h"
#include "base/secret.h"
#include "config/files.h"
#include "redact/redact.h"

namespace deputy::app {

namespace {

constexpr std::size_t kDigits = 64;
constexpr std::size_t kMaxFile = 1000;

bool is_secret(std::string_view text) {
  return text.size() == kDigits &&
         std::ranges::all_of(text, [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

Result<Secret> read_secret(const std::filesystem::path& file) {
  TRY(config::FileContent content, config::read_bounded(file, kMaxFile));
  if (config::others_can_write(content.owner, geteuid()) || config::others_can_read(content.owner)) {
    return fail(ErrorKind::permission, fmt::format("others can read or write {}", file.string()),
                fmt::format("make it yours alone: `chmod 600 {}`", file.string()));
  }
  if (!is_secret(content.text)) {
    return fail(ErrorKind::internal, fmt::format("{} is damaged", file.string()),
                "restore it, or remove it: new redaction markers then differ from those in earlier runs");
  }
  return Secret(std::move(content.text));
}

}  // namespace

void keep_secrets_out_of_the_log() {
  constexpr std::size_t kSaltBytes = 32;
  log::set_filter(
      [redactor = redact::Redactor(random_bytes(kSaltBytes))](std::string_view text) { return redactor.redact(text); });
}

void apply(const LogSettings& settings) {
  log::set_level(settings.level);
  log::set_format(settings.format);
}

Result<Secret> redaction_secret(const std::filesystem::path& data_folder) {
  const std::filesystem::path file = data_folder / "redaction_secret";
  const Result<Secret> there = read_secret(file);
  if (there || there.error().kind != ErrorKind::not_found) return there;
  const Result<> written = config::write_private(file, sha256_hex(random_bytes(kDigits / 2)), config::Existing::keep);
  // A conflict means that another process was faster; its secret is used.
  if (!written && written.error().kind != ErrorKind::conflict) return std::unexpected(written.error());
  return read_secret(file);
}

}  // namespace deputy::app
