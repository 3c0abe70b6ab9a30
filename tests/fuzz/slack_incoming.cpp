// What Slack sends: whatever comes is left out or becomes bounded data, and its text can be read and written.
#include <cstdint>

#include "base/json.h"
#include "base/text.h"
#include "channel/slack/incoming.h"
#include "channel/slack/message_text.h"
#include "fuzz/complain.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace deputy;
  using namespace deputy::channel::slack;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto nobody = [](std::string_view) { return std::string(); };
  if (unescape(escape(text)) != text) complain("an escape is not undone");
  (void)readable(text, nobody);
  (void)read_mentions(text, "U1");
  if (is_valid_utf8(text) && to_mrkdwn(text).size() > size * 6 + 64) complain("the text grows without bound");
  const auto payload = parse_json_object(text);
  if (!payload) return 0;
  const auto event = read_event(*payload);
  (void)read_command(*payload);
  const auto interaction = read_interaction(*payload);
  if (const auto* clicked = interaction ? std::get_if<Clicked>(&*interaction) : nullptr)
    (void)read_state(clicked->state);
  if (const auto* said = event ? std::get_if<Said>(&*event) : nullptr) {
    if (said->channel.empty() || said->ts.empty()) complain("a message without a place");
  }
  if (text_of_message(*payload, nobody).size() > 21'000) complain("a message is not bounded");
  if (files_of_message(*payload).size() > 20) complain("files are not bounded");
  return 0;
}
