#include "run/journal/known_hosts.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "base/text.h"

namespace deputy::run {

namespace {

constexpr std::size_t kMaxStoredHosts = 1000;

// Texts of a document as they read, not as JSON writes them, and the names of its fields: an error may repeat the name
// of a parameter that does not exist. parse_json bounds the depth.
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

bool is_in_host(char c) { return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_'; }

class Reader {
 public:
  void read(const RunState& state) {
    if (state.received) read_request(*state.received);
    if (state.enriched) read_enriched(*state.enriched);
    if (state.received && state.received->only_call) read_results(state, state.received->only_call->call.id);
    for (const TranscriptItem& item : state.transcript) {
      if (const auto* note = std::get_if<Noted>(&item)) add_hosts(note->text, known_);
      if (const auto* turn = std::get_if<ModelTurn>(&item)) read_turn(state, *turn);
    }
  }

  Hosts take() { return std::move(known_); }

 private:
  // A child run is told what to do in the words of its parent's model.
  void read_request(const Received& received) {
    if (received.known_hosts) known_.insert(received.known_hosts->begin(), received.known_hosts->end());
    json::array said{json::value(received.text)};
    if (received.only_call) said.emplace_back(to_json(*received.only_call));
    if (received.parent) {
      from_model(said);
    } else {
      each_text(said, [&](std::string_view text) { add_hosts(text, known_); });
    }
  }

  // Not what a model found in the request, nor what Deputy itself has said: that is a model's as well.
  void read_enriched(const Enriched& enriched) {
    for (const ThreadLine& line : enriched.thread) {
      if (!line.by_deputy) add_hosts(line.text, known_);
    }
    if (!enriched.memory || !enriched.memory->known_hosts) return;
    known_.insert(enriched.memory->known_hosts->begin(), enriched.memory->known_hosts->end());
  }

  // All calls of a turn were asked for before the first of them had a result.
  void read_turn(const RunState& state, const ModelTurn& turn) {
    for (const std::string& id : turn.calls) {
      if (const CallState* call = state.find_call(id)) from_model(to_json(call->request));
    }
    for (const std::string& id : turn.calls) read_results(state, id);
  }

  void read_results(const RunState& state, const std::string& id) {
    const CallState* call = state.find_call(id);
    if (call == nullptr) return;
    for (const std::vector<StepState>* steps : {&call->steps, &call->finals}) {
      for (const StepState& step : *steps) {
        if (step.done) from_result(to_json(*step.done));
      }
    }
    if (call->finished) from_result(json::value(call->finished->text));
  }

  void from_result(const json::value& result) {
    Hosts named;
    each_text(result, [&](std::string_view text) { add_hosts(text, named); });
    for (const std::string& host : named) {
      if (!is_said(host)) known_.insert(host);
    }
  }

  // Everything that could be a host: a tool may put an address around it.
  void from_model(const json::value& said) {
    each_text(said, [&](std::string_view text) {
      while (!text.empty()) {
        const auto size = static_cast<std::size_t>(std::ranges::find_if_not(text, is_in_host) - text.begin());
        if (size > 0) said_.insert(to_lower(text.substr(0, size)));
        text.remove_prefix(std::max<std::size_t>(size, 1));
      }
    });
  }

  // Also when a result cuts it short.
  bool is_said(const std::string& host) const {
    const auto word = said_.lower_bound(host);
    return word != said_.end() && word->starts_with(host);
  }

  Hosts known_;
  std::set<std::string, std::less<>> said_;  // by a model, in lower case
};

}  // namespace

Hosts known_hosts(const RunState& state) {
  Reader reader;
  reader.read(state);
  return reader.take();
}

std::vector<std::string> known_hosts_in(std::string_view text, const RunState& state) {
  Hosts named;
  add_hosts(text, named);
  if (named.empty()) return {};
  const Hosts known = known_hosts(state);
  std::vector<std::string> both;
  std::ranges::set_intersection(named, known, std::back_inserter(both));
  return both;
}

std::vector<std::string> stored_hosts(const Hosts& hosts) {
  std::vector<std::string> stored;
  std::ranges::copy(hosts | std::views::take(kMaxStoredHosts), std::back_inserter(stored));
  return stored;
}

}  // namespace deputy::run
