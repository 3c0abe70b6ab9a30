#include "model/event_reader.h"

#include "base/text.h"
#include "model/api_error.h"

namespace deputy::model {

Result<> EventFeed::feed(std::string_view bytes) {
  TRY(const std::vector<net::SseEvent> ready, events_.feed(bytes));
  for (const net::SseEvent& event : ready) {
    if (reader_.has_ended()) break;
    const std::string_view data = trim(event.data);
    if (data.empty()) continue;
    if (data == "[DONE]") {
      reader_.end();
      break;
    }
    const auto object = parse_json_object(data);
    if (!object) return std::unexpected(malformed_reply("an event is no JSON object"));
    TRY(reader_.read(*object));
  }
  return {};
}

}  // namespace deputy::model
