// The redactor's stream form must let out what the whole form does, however the text is cut, and redacting twice must
// be the same as redacting once. The first byte bounds what may be held back, the second says how many of the next
// bytes are the sizes of the parts.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "redact/redact.h"

namespace {

std::string redact_in_parts(deputy::redact::Stream stream, std::string_view text, std::string_view sizes) {
  std::string out;
  for (std::size_t i = 0; !text.empty(); ++i) {
    const std::size_t size = sizes.empty() ? 1 : static_cast<unsigned char>(sizes[i % sizes.size()]) + std::size_t{1};
    out += stream.feed(text.substr(0, size));
    text.remove_prefix(std::min(size, text.size()));
  }
  return out += stream.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.size() < 2) return 0;
  const std::size_t max_piece = 100 + 4 * static_cast<std::size_t>(data[0]);
  const std::size_t count = std::min<std::size_t>(data[1] % 8, input.size() - 2);
  const std::string_view sizes = input.substr(2, count);
  const std::string_view text = input.substr(2 + count);

  const deputy::redact::Redactor redactor("salt", max_piece);
  const std::string whole = redactor.redact(text);
  if (redact_in_parts(redactor.stream(), text, sizes) != whole) std::abort();
  if (redactor.redact(whole) != whole) std::abort();
  return 0;
}
