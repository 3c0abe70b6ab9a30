// What a message carries that is not for readers: its ts, which is its id and its time, and the key in its metadata, by
// which a message is found again whose receipt was lost.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json.h"

namespace deputy::clients::slack {

/// To the second; the epoch if it is no ts.
Timestamp time_of(std::string_view ts);
std::string ts_of(Timestamp at);

/// Metadata of this type with a key, for OutgoingMessage.
json::object metadata_with(std::string_view type, std::string_view key);
/// The key in the message's metadata of this type; empty if it has none.
std::string key_in(const json::object& message, std::string_view type);

}  // namespace deputy::clients::slack
