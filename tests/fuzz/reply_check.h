// What must hold of a provider's reply whatever a server streams. The first byte says where the stream is cut and
// whether calls are allowed, the rest is the stream: in a seed that begins with an empty line all of it is.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <string_view>

#include "base/text.h"
#include "model/model.h"
#include "model/reply_builder.h"

namespace deputy::model::fuzz {

inline void complain(std::string_view what, std::string_view text = {}) {
  std::cerr << what << ": " << text << '\n';
  std::abort();
}

struct Heard {
  Result<Reply> reply;
  std::string streamed;

  bool operator==(const Heard&) const = default;
};

inline Result<> feed_with(EventFeed& feed, std::string_view bytes) {
  feed.add(bytes);
  for (;;) {
    TRY(const auto event, feed.next());
    if (!event) return {};
    TRY(feed.read(parse_json_object(*event)));
  }
}

template <class Reader>
Heard hear(std::string_view stream, std::size_t step, Calls calls) {
  Heard heard;
  Reader reader(calls, [&](std::string_view part) { heard.streamed += part; });
  EventFeed feed(reader);
  for (std::size_t at = 0; at < stream.size() && !reader.has_ended(); at += step) {
    if (auto fed = feed_with(feed, stream.substr(at, step)); !fed) {
      heard.reply = std::unexpected(fed.error());
      return heard;
    }
  }
  heard.reply = reader.finish();
  return heard;
}

inline void check_reply(const Reply& reply, const std::string& streamed, Calls calls) {
  // What turned out to be thinking was streamed before the text.
  if (!streamed.ends_with(text_of(reply))) complain("the text is not what was streamed", streamed);
  if (!is_valid_utf8(streamed)) complain("the text is not UTF-8", streamed);
  std::set<std::string> ids;
  for (const Block& block : reply.blocks) {
    if (std::holds_alternative<CallResult>(block)) complain("a reply holds a result");
    const auto* call = std::get_if<Call>(&block);
    if (call == nullptr) continue;
    if (call->id.empty() || !ids.insert(call->id).second) complain("an id is missing or stands twice", call->id);
    if (call->tool.empty()) complain("a call names no tool");
    if (call->fault && (call->fault->empty() || !call->arguments.empty())) complain("a fault says too little or much");
  }
  if (calls == Calls::none && (!ids.empty() || reply.stop == Stop::calls || reply.stop == Stop::cut_call))
    complain("there is a call where none may be");
  if (reply.stop == Stop::calls && ids.empty()) complain("it stopped for calls and has none");
  if (reply.stop != Stop::calls && reply.stop != Stop::cut_call && !ids.empty()) complain("calls would not be seen");
  const Usage& usage = reply.usage;
  if (usage.input_tokens < 0 || usage.output_tokens < 0 || usage.cache_read_tokens < 0 || usage.cache_write_tokens < 0)
    complain("less than nothing was used");
}

/// The reply is asked about again, so what it holds must go into the body of a request.
template <class Reader, class WriteBody>
int check_stream(const std::uint8_t* data, std::size_t size, WriteBody write_body) {
  if (size == 0) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto calls = static_cast<Calls>((data[0] >> 6) % 2);
  const Heard heard = hear<Reader>(stream, 1 + data[0] % 64, calls);
  if (heard != hear<Reader>(stream, stream.size() + 1, calls)) complain("where it is cut makes a difference", stream);
  if (!heard.reply) {
    if (heard.reply.error().message.empty()) complain("an error says nothing");
    return 0;
  }
  check_reply(*heard.reply, heard.streamed, calls);
  const Request again{.turns = {{Role::user, {Text{"q"}}}, {Role::assistant, heard.reply->blocks}}, .max_tokens = 1};
  if (!is_valid_utf8(json::serialize(write_body(again)))) complain("the next request is not UTF-8");
  return 0;
}

}  // namespace deputy::model::fuzz
