// Form bodies: whatever comes is refused or gives bounded, valid fields that are read back from what is built of them.
#include <cstdint>

#include "base/text.h"
#include "fuzz/complain.h"
#include "net/form.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace deputy;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr net::FormLimits kLimits{.bytes = 4096, .fields = 20};
  const auto fields = net::parse_form(text, kLimits);
  if (!fields) return 0;
  if (size > kLimits.bytes || fields->size() > kLimits.fields) complain("a limit does not hold");
  for (const net::FormField& field : *fields) {
    if (!is_valid_utf8(field.name) || !is_valid_utf8(field.value)) complain("a field is not valid UTF-8");
  }
  const auto again = net::parse_form(net::build_form(*fields));
  if (!again || *again != *fields) complain("what was built is read otherwise");
  return 0;
}
