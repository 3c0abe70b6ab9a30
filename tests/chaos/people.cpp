#include "chaos/people.h"

#include <fmt/format.h>

#include <algorithm>

namespace deputy::chaos {

namespace {

const json::array& list_at(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::value* value = object.if_contains(key);
  return value == nullptr || !value->is_array() ? kNone : value->get_array();
}

}  // namespace

void People::ask(std::string what, int number) {
  Asked asked{what, number, fmt::format("lines:C1:{}", number)};
  const std::string key = fmt::format("message-{}", number);
  json::object line{{"key", key},
                    {"account", "U1"},
                    {"conversation", asked.conversation},
                    {"text", fmt::format("{} {}", what, number)}};
  asked_.push_back(std::move(asked));
  say(key, line);
}

void People::say(std::string key, const json::object& line) {
  if (receipted_.contains(key)) return;
  std::string text = json::serialize(line);
  if (host_ != nullptr) host_->write_line(text);
  unreceipted_.insert_or_assign(std::move(key), std::move(text));
}

void People::greet(test::Child& host) {
  host_ = &host;
  for (const auto& [key, line] : unreceipted_) host.write_line(line);
}

bool People::talk(test::Child& host) {
  while (!all_done()) {
    const std::optional<std::string> line = host.read_line();
    if (!line) {
      host_ = nullptr;
      return false;
    }
    if (const auto parsed = parse_json_object(*line)) hear(*parsed);
  }
  return true;
}

void People::talk_for(test::Child& host, std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  for (auto now = std::chrono::steady_clock::now(); now < until; now = std::chrono::steady_clock::now()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now);
    const std::optional<std::string> line = host.read_line_within(left);
    if (!line) return;
    if (const auto parsed = parse_json_object(*line)) hear(*parsed);
  }
}

void People::read_rest(test::Child& host) {
  host_ = nullptr;
  while (const std::optional<std::string> line = host.read_line()) {
    if (const auto parsed = parse_json_object(*line)) hear(*parsed);
  }
}

void People::hear(const json::object& line) {
  if (const std::string receipt = text_at(line, "receipt"); !receipt.empty()) {
    receipted_.insert(receipt);
    unreceipted_.erase(receipt);
  }
  const std::string conversation = text_at(line, "conversation");
  const std::string text = text_at(line, "text");
  const std::string key = line.contains("post") ? text_at(line, "post") : text_at(line, "edit");
  if (line.contains("post") || line.contains("edit")) {
    posts_[key] = text;
    said_of_[conversation] += text + "\n";
    if (!text_at(line, "footer").empty()) answers_[conversation].insert(key);
    if (text.find("ended (task") != std::string::npos) background_ended_[conversation].insert(key);
  }
  if (line.contains("card")) answer_card(line);
}

// Approves what is to be approved, denies what is to be denied, chooses in forms, and never answers what is to expire.
void People::answer_card(const json::object& card) {
  if (!seen_cards_.insert(text_at(card, "card")).second) return;
  for (const json::value& item : list_at(card, "about")) {
    const json::object& about = item.as_object();
    const std::string interaction = text_at(about, "interaction");
    const json::object& arguments = about.at("arguments").as_object();
    const std::string wish = text_at(arguments, "line");
    std::string wanted = wish.empty() ? "submit" : wish.starts_with("denied") ? "deny" : "approve_once";
    if (wish.starts_with("expired")) continue;
    for (const json::value& control : list_at(card, "controls")) {
      const json::object& one = control.as_object();
      if (text_at(one, "interaction") != interaction || text_at(one, "control") != wanted) continue;
      say("click-" + interaction, {{"key", "click-" + interaction},
                                   {"account", wish.empty() ? "U1" : "U2"},
                                   {"conversation", text_at(card, "conversation")},
                                   {"token", text_at(one, "token")},
                                   {"value", wish.empty() ? "prod" : ""}});
    }
  }
}

// On a slow machine three kills may come before a run gets any further: then it says so, and ends.
bool People::was_given_up(const std::string& conversation) const {
  const auto said = said_of_.find(conversation);
  return said != said_of_.end() && said->second.contains("I crashed three times");
}

bool People::all_done() const {
  return std::ranges::all_of(asked_, [&](const Asked& asked) {
    const bool answered = answers_.contains(asked.conversation);
    // Where the background call was not approved in time there is none to end.
    const bool ended = asked.what != "everything" || background_ended_.contains(asked.conversation);
    return answered && (ended || was_given_up(asked.conversation));
  });
}

std::vector<std::string> People::judge(const std::vector<std::string>& effects) const {
  std::vector<std::string> wrong;
  const auto times = [&](const std::string& line) { return std::ranges::count(effects, line); };
  for (const Asked& asked : asked_) {
    const std::string number = std::to_string(asked.number);
    if (const auto found = answers_.find(asked.conversation); found == answers_.end() || found->second.size() != 1)
      wrong.push_back(fmt::format("{}: {} answers", asked.number, found == answers_.end() ? 0 : found->second.size()));
    if (times("denied " + number) != 0) wrong.push_back("a denied write happened: " + number);
    if (times("expired " + number) != 0) wrong.push_back("a write happened that nobody approved: " + number);
    if (asked.what != "everything") continue;
    const auto said = said_of_.find(asked.conversation);
    const bool told_unknown = said != said_of_.end() && said->second.find("may have happened") != std::string::npos;
    for (const std::string line : {"checked ", "approved ", "background "}) {
      const auto count = times(line + number);
      if (count > 1) wrong.push_back(fmt::format("{}{} happened {} times", line, number, count));
      if (count == 0 && !told_unknown && !was_given_up(asked.conversation))
        wrong.push_back(fmt::format("{}{} did not happen, and nobody said so", line, number));
    }
  }
  for (const auto& [key, line] : unreceipted_) wrong.push_back("no receipt for " + line);
  return wrong;
}

}  // namespace deputy::chaos
