#include "gateway/known_hosts.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/json.h"
#include "base/text.h"
#include "run/entry.h"

namespace deputy::gateway {
namespace {

// Texts of a document as they read, not as JSON writes them, and the names of its fields: an error may repeat the name
// of a parameter that nobody has. parse_json bounds the depth.
template <class Take>
void each_text(const json::value& value, const Take& take) {
  if (const auto* const text = value.if_string()) take(as_view(*text));
  if (const auto* const array = value.if_array()) {
    for (const json::value& item : *array) each_text(item, take);
  }
  if (const auto* const object = value.if_object()) {
    for (const auto& [name, item] : *object) {
      take(as_view(name));
      each_text(item, take);
    }
  }
}

bool is_of_a_host(char c) { return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_'; }

class Reader {
 public:
  explicit Reader(channel::Hosts known) : known_(std::move(known)) {}

  void read(const store::EntryRow& entry) {
    const Result<json::object> body = parse_json_object(entry.body);
    if (!body) return;
    if (entry.kind == run::Received::kKind) return read_request(*body);
    if (entry.kind == run::Noted::kKind) return from_people(*body, "text");
    if (entry.kind == run::Enriched::kKind) return read_thread(*body);
    if (entry.kind == run::ModelReplied::kKind) return from_model(*body, "calls");
    if (entry.kind == run::StepDone::kKind || entry.kind == run::CallFinished::kKind) read_result(*body);
  }

  channel::Hosts known() && { return std::move(known_); }

 private:
  // What a child run is to do is in the words of its parent's model.
  void read_request(const json::object& body) {
    const bool is_child = !text_at(body, "parent").empty();
    for (const std::string_view key : {"text", "only_call"}) {
      if (is_child) {
        from_model(body, key);
      } else {
        from_people(body, key);
      }
    }
  }

  // Not what a model found in the request, nor what Deputy itself has said: that is a model's as well.
  void read_thread(const json::object& body) {
    const json::value* const thread = body.if_contains("thread");
    if (thread == nullptr || !thread->is_array()) return;
    for (const json::value& line : thread->get_array()) {
      const json::object* const said = line.if_object();
      if (said == nullptr) continue;
      const json::value* const by_deputy = said->if_contains("by_deputy");
      const bool is_ours = by_deputy != nullptr && by_deputy->is_bool() && by_deputy->get_bool();
      if (!is_ours) from_people(*said, "text");
    }
  }

  void read_result(const json::object& body) {
    channel::Hosts named;
    each_text(body, [&](std::string_view text) { channel::add_hosts(text, named); });
    for (const std::string& host : named) {
      if (!is_said(host)) known_.insert(host);
    }
  }

  void from_people(const json::object& body, std::string_view key) {
    const json::value* const words = body.if_contains(key);
    if (words != nullptr) each_text(*words, [&](std::string_view text) { channel::add_hosts(text, known_); });
  }

  // Everything that could be a host: a tool may put an address around it.
  void from_model(const json::object& body, std::string_view key) {
    const json::value* const words = body.if_contains(key);
    if (words == nullptr) return;
    each_text(*words, [&](std::string_view text) {
      while (!text.empty()) {
        const auto size = static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_a_host) - text.begin());
        if (size > 0) said_.insert(to_lower(text.substr(0, size)));
        text.remove_prefix(std::max<std::size_t>(size, 1));
      }
    });
  }

  // Also when what repeats it cuts it short.
  bool is_said(const std::string& host) const {
    const auto word = said_.lower_bound(host);
    return word != said_.end() && word->starts_with(host);
  }

  channel::Hosts known_;
  std::set<std::string, std::less<>> said_;  // by a model, in small letters
};

}  // namespace

channel::Hosts known_hosts(std::span<const store::EntryRow> journal, channel::Hosts known) {
  Reader reader(std::move(known));
  for (const store::EntryRow& entry : journal) {
    if (entry.kind == run::Replied::kKind) break;
    reader.read(entry);
  }
  return std::move(reader).known();
}

}  // namespace deputy::gateway
