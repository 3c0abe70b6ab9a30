#include "app/logging.h"

#include "base/secret.h"
#include "redact/redact.h"

namespace deputy::app {

void keep_secrets_out_of_the_log() {
  constexpr std::size_t kSaltBytes = 32;
  log::set_filter(
      [redactor = redact::Redactor(random_bytes(kSaltBytes))](std::string_view text) { return redactor.redact(text); });
}

void apply(const LogSettings& settings) {
  log::set_level(settings.level);
  log::set_format(settings.format);
}

}  // namespace deputy::app
