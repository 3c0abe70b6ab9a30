#include "chaos/people.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace deputy::chaos {

namespace {

using namespace std::chrono_literals;

const json::array& list_at(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::value* value = object.if_contains(key);
  return value == nullptr || !value->is_array() ? kNone : value->get_array();
}

// The approved writes: of which request, the line they leave, and the tool, because what people are told of one is told
// of its tool.
struct Write {
  const char* request;
  const char* line;
  const char* tool;
};
constexpr Write kWrites[] = {{"everything", "checked ", "checked_write"},
                             {"everything", "approved ", "write"},
                             {"everything", "background ", "write_background"},
                             {"slow", "slow ", "slow_write"}};

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
  if (receipted_.contains(key) || unreceipted_.contains(key)) return;
  std::string text = json::serialize(line);
  if (!hosts_.empty()) hosts_[turn_++ % hosts_.size()]->write_line(text);
  unreceipted_.insert_or_assign(std::move(key), std::move(text));
}

void People::greet(test::Child& host) {
  hosts_.push_back(&host);
  for (const auto& [key, line] : unreceipted_) host.write_line(line);
}

void People::leave(test::Child& host) {
  std::erase(hosts_, &host);
  while (const std::optional<std::string> line = host.read_line()) {
    if (const auto parsed = parse_json_object(*line)) hear(*parsed);
  }
  look_at_platform();
}

// False when it is gone.
bool People::hear_one(test::Child& host, std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  const std::optional<std::string> line = host.read_line_within(limit);
  if (!line) return std::chrono::steady_clock::now() >= until;
  if (const auto parsed = parse_json_object(*line)) hear(*parsed);
  return true;
}

bool People::talk() {
  const auto last = std::chrono::steady_clock::now() + 4min;
  while (!all_done()) {
    const std::vector<test::Child*> hosts = hosts_;
    for (test::Child* host : hosts) {
      if (!hear_one(*host, hosts.size() == 1 ? 1000ms : 50ms)) {
        leave(*host);
        return all_done();
      }
    }
    look_at_platform();
    if (std::chrono::steady_clock::now() > last) throw std::runtime_error("nothing more happens");
  }
  return true;
}

void People::talk_for(std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  for (auto now = std::chrono::steady_clock::now(); now < until; now = std::chrono::steady_clock::now()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now);
    const std::vector<test::Child*> hosts = hosts_;
    for (test::Child* host : hosts) {
      if (!hear_one(*host, hosts.size() == 1 ? left : std::min(left, std::chrono::milliseconds(20)))) return;
    }
  }
}

bool People::wait_for_a_card() {
  answering_ = false;
  for (int i = 0; cards_.empty() && i < 60; ++i) {
    if (!hear_one(*hosts_.front(), 1000ms)) return false;
    look_at_platform();
  }
  answering_ = true;
  return !cards_.empty();
}

void People::hear(const json::object& line) {
  if (const std::string receipt = text_at(line, "receipt"); !receipt.empty()) {
    receipted_.insert(receipt);
    unreceipted_.erase(receipt);
  }
  if (line.contains("news")) look_at_platform();
}

void People::look_at_platform() {
  std::ifstream file(platform_);
  file.seekg(seen_);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    seen_ = file.tellg();
    if (const auto parsed = parse_json_object(line)) see(*parsed);
  }
  if (answering_) answer_cards();
}

void People::see(const json::object& line) {
  const std::string conversation = text_at(line, "conversation");
  const std::string text = text_at(line, "text");
  const bool is_card = line.contains("card");
  for (const char* kind : {"post", "card", "begin"}) {
    if (line.contains(kind)) ++posted_[text_at(line, kind)];
  }
  if (line.contains("begin")) streams_.emplace(text_at(line, "begin"), StreamState::open);
  for (const char* kind : {"post", "edit", "end"}) {
    if (!line.contains(kind)) continue;
    const std::string key = text_at(line, kind);
    const bool is_answer = !text_at(line, "footer").empty();
    said_of_[conversation] += text + "\n";
    if (is_answer) answers_[key] = {conversation, text};
    if (text.find("ended (task") != std::string::npos) background_ended_[conversation].insert(key);
    if (const auto stream = streams_.find(key); stream != streams_.end())
      stream->second = is_answer                          ? StreamState::answered
                       : text.contains("I was restarted") ? StreamState::cut
                                                          : StreamState::open;
  }
  if (is_card) cards_.push_back(line);
  react(conversation, is_card);
}

// A note as soon as there is anything to see, "stop" in place of an answer to the card.
void People::react(const std::string& conversation, bool is_card) {
  const auto found = std::ranges::find(asked_, conversation, &Asked::conversation);
  if (found == asked_.end()) return;
  std::string text;
  if (found->what == "noted") text = fmt::format("a note {}", found->number);
  if (found->what == "stopped" && is_card) text = "stop";
  if (text.empty()) return;
  const std::string key = fmt::format("said-{}", found->number);
  say(key, {{"key", key}, {"account", "U1"}, {"conversation", conversation}, {"text", text}});
}

void People::answer_cards() {
  for (const json::object& card : std::exchange(cards_, {})) answer_card(card);
}

// Approves what is to be approved, denies what is to be denied, chooses in forms, and never answers what is to expire
// or to be stopped.
void People::answer_card(const json::object& card) {
  for (const json::value& item : list_at(card, "about")) {
    const json::object& about = item.as_object();
    const std::string interaction = text_at(about, "interaction");
    const json::object& arguments = about.at("arguments").as_object();
    const std::string wish = text_at(arguments, "line");
    const std::string wanted = wish.empty() ? "submit" : wish.starts_with("denied") ? "deny" : "approve_once";
    if (wish.starts_with("expired") || wish.starts_with("stopped")) continue;
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

bool People::was_told_unknown(const std::string& conversation, const std::string& tool) const {
  const auto said = said_of_.find(conversation);
  return said != said_of_.end() && said->second.contains(fmt::format("`{}`: it may have happened", tool));
}

bool People::was_given_up(const std::string& conversation) const {
  const auto said = said_of_.find(conversation);
  return said != said_of_.end() && said->second.contains("I crashed three times");
}

std::set<std::string> People::given_up() const {
  std::set<std::string> all;
  for (const auto& [conversation, said] : said_of_) {
    if (was_given_up(conversation)) all.insert(conversation);
  }
  return all;
}

std::size_t People::streams_cut() const {
  return static_cast<std::size_t>(
      std::ranges::count(streams_, StreamState::cut, [](const auto& one) { return one.second; }));
}

std::vector<People::Answer> People::answers_in(const std::string& conversation) const {
  std::vector<Answer> found;
  for (const auto& [key, answer] : answers_) {
    if (answer.conversation == conversation) found.push_back(answer);
  }
  return found;
}

bool People::all_done() const {
  return unreceipted_.empty() && std::ranges::all_of(asked_, [&](const Asked& asked) {
           const std::vector<Answer> answers = answers_in(asked.conversation);
           if (was_given_up(asked.conversation)) return true;
           if (asked.what == "everything") return !answers.empty() && background_ended_.contains(asked.conversation);
           if (asked.what != "noted") return !answers.empty();
           return std::ranges::any_of(answers,
                                      [](const Answer& answer) { return answer.text.contains("with the note"); });
         });
}

std::vector<std::string> People::judge(const std::vector<std::string>& effects) const {
  std::vector<std::string> wrong;
  const auto times = [&](const std::string& line) { return std::ranges::count(effects, line); };
  for (const auto& [key, posts] : posted_) {
    if (posts > 1) wrong.push_back(fmt::format("{} was posted {} times", key, posts));
  }
  for (const auto& [key, state] : streams_) {
    if (state == StreamState::open) wrong.push_back(fmt::format("the stream {} has neither an answer nor a word", key));
  }
  for (const Asked& asked : asked_) {
    const std::string number = std::to_string(asked.number);
    const std::size_t answers = answers_in(asked.conversation).size();
    // A note that came too late for its run has a run of its own.
    const std::size_t most = asked.what == "noted" ? 2 : 1;
    if (answers < 1 || answers > most) wrong.push_back(fmt::format("{} {}: {} answers", asked.what, number, answers));
    for (const char* never : {"denied ", "expired ", "stopped "}) {
      if (times(never + number) != 0) wrong.push_back("a write happened that nobody approved: " + (never + number));
    }
    for (const auto& [request, line, tool] : kWrites) {
      if (asked.what != request) continue;
      const auto count = times(line + number);
      if (count > 1) wrong.push_back(fmt::format("{}{} happened {} times", line, number, count));
      if (count == 0 && !was_told_unknown(asked.conversation, tool) && !was_given_up(asked.conversation))
        wrong.push_back(fmt::format("{}{} did not happen, and nobody said so of `{}`", line, number, tool));
    }
  }
  for (const auto& [key, line] : unreceipted_) wrong.push_back("no receipt for " + line);
  return wrong;
}

}  // namespace deputy::chaos
