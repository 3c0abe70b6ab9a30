#include "model/event_reader.h"

#include "base/text.h"
#include "model/api_error.h"

namespace deputy::model {

Result<> EventFeed::feed(std::string_view bytes) {
  events_.add(bytes);
  while (!reader_.has_ended()) {
    TRY(const auto event, events_.next());
    if (!event) break;
    const std::string_view data = trim(event->data);
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
