// Tool arguments against a schema: whatever a model sends, the argument parser and an outside JSON Schema validator say
// the same of it, and what is accepted reads back from its own JSON.
#include <cstdint>

#include "base/fields.h"
#include "base/text.h"
#include "fuzz/complain.h"
#include "support/rich_fields.h"

namespace {

using deputy::test::RichFields;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto arguments = deputy::parse_json_object(text);
  if (!arguments) return 0;
  const auto parsed = deputy::parse_arguments<RichFields>(*arguments);
  if (parsed.has_value() != deputy::test::judge_accepts(*arguments)) {
    complain(parsed ? "accepted, and the judge refuses" : "refused, and the judge accepts: " + describe(parsed.error()),
             text);
  }
  if (!parsed) {
    if (parsed.error().message.size() > 100'000) complain("the error is endless", text);
    return 0;
  }
  if (deputy::parse_arguments<RichFields>(deputy::to_json(*parsed)) != *parsed) complain("it does not read back", text);
  return 0;
}
