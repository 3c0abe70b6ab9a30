#include "e2e/slack/workspace.h"

#include <fmt/format.h>

#include "app/command_line.h"
#include "interaction/questions.h"
#include "support/results.h"
#include "tools/talk/talk.h"

namespace deputy::test {

using namespace std::chrono_literals;

json::object alert_card(const std::string& title, const std::string& service) {
  json::array fields{json::object{{"title", "Service"}, {"value", service}, {"short", true}},
                     json::object{{"title", "Error rate"}, {"value", "17 %"}, {"short", true}}};
  json::object card{{"color", "danger"}, {"title", title}, {"fallback", title}, {"fields", std::move(fields)}};
  return {{"user", kAlerts}, {"channel", kOps}, {"text", ""}, {"attachments", json::array{std::move(card)}}};
}

void SlackService::SetUp() {
  auto started = sim::slack::Simulator::start(loop_.get_executor(), clock_, {});
  ASSERT_OK(started);
  simulator_ = *std::move(started);
  http_ = std::make_unique<net::Client>(loop_.get_executor(), net::ClientOptions{});
  // Tests ask and answer more often than people do.
  control("limits", {{"tiers", {{"1", 1000}, {"2", 1000}, {"3", 1000}, {"4", 1000}}},
                     {"posts", {{"per_second", 100}, {"burst", 100}}}});
  write_settings(settings_);
}

void SlackService::TearDown() {
  stop();
  http_.reset();
  if (simulator_) await(simulator_->stop());
  if (HasFailure()) std::cout << "---- out\n" << out_.str() << "---- errors\n" << errors_.str();
}

void SlackService::write_settings(const std::string& text) {
  settings_ = text;
  folder_.write("settings/new.yaml", text);
  std::filesystem::rename(folder_ / "settings/new.yaml", folder_ / "settings/deputy.yaml");
}

app::Outside SlackService::outside(std::ostream& out) {
  return {{{"HOME", (folder_ / "home").string()},
           {"SLACK_BOT_TOKEN", "xoxb-fake-bot-token"},
           {"SLACK_APP_TOKEN", "xapp-fake-app-token"},
           {"SLACK_SIGNING_SECRET", simulator_->world().workspace.app.signing_secret},
           {"SLACK_API_URL", simulator_->address() + "/api/"}},
          folder_ / "work",
          out,
          errors_};
}

app::ExitCode SlackService::run_service() {
  app::Outside outside = this->outside(out_);
  app::Context context(outside);
  context.places.config = (folder_ / "settings/deputy.yaml").string();
  context.places.data = (folder_ / "data").string();
  app::ServeSetup setup;
  setup.model = model_;
  if (own_tools_) {
    setup.tools = {search_notes(world_), restart_service(world_), tools::ask_user(json_schema<interaction::Form>())};
    setup.tools.insert(setup.tools.end(), more_tools_.begin(), more_tools_.end());
  }
  setup.adjust = adjust_;
  setup.reload_interval = 50ms;
  setup.until = [this](app::Serving&) -> Task<> {
    return [](std::atomic<bool>& running, std::atomic<bool>& stop) -> Task<> {
      running = true;
      while (!stop) co_await sleep_for(5ms);
    }(running_, stop_);
  };
  return app::serve(context, std::move(setup));
}

void SlackService::start() {
  stop_ = running_ = false;
  std::filesystem::create_directories(folder_ / "work");
  service_ = std::thread([this] {
    EXPECT_EQ(run_service(), app::ExitCode::done);
    running_ = false;
  });
}

void SlackService::serve() {
  start();
  const bool over_http = !simulator_->world().workspace.app.request_url.empty();
  ASSERT_TRUE(until(
      [&] { return over_http ? running_.load() : simulator_->world().deliveries.sockets.connections().size() == 2; }));
}

std::string SlackService::events_port() const {
  constexpr std::string_view kLine = "taking events on port ";
  const std::string out = out_.str();
  const std::size_t at = out.find(kLine);
  return at == std::string::npos ? "" : out.substr(at + kLine.size(), out.find('\n', at) - at - kLine.size());
}

// The service may wait for the simulator while it stops, so the loop goes on meanwhile.
void SlackService::stop() {
  if (!service_.joinable()) return;
  stop_ = true;
  until([&] { return !running_; });
  service_.join();
}

json::object SlackService::control(const std::string& name, const json::object& body) {
  net::Request request{.method = "POST",
                       .url = simulator_->address() + "/control/" + name,
                       .headers = {{"Content-Type", "application/json"}},
                       .body = json::serialize(body)};
  const Result<net::Response> response = await(http_->send(std::move(request)));
  EXPECT_OK(response);
  const Result<json::object> answer = parse_json_object(response ? response->body : "");
  EXPECT_TRUE(answer && answer->contains("ok")) << name << ": " << (response ? response->body : "");
  return answer.value_or(json::object());
}

std::string SlackService::mention(const std::string& user, const std::string& text, const std::string& channel) {
  return text_at(control("say", {{"user", user}, {"channel", channel}, {"text", text}, {"mention", true}}), "ts");
}

std::string SlackService::say(const std::string& user, const std::string& text, const std::string& thread,
                              const std::string& channel, bool mentions) {
  json::object what{{"user", user}, {"channel", channel}, {"text", text}, {"mention", mentions}};
  if (!thread.empty()) what["thread_ts"] = thread;
  return text_at(control("say", what), "ts");
}

void SlackService::click(const std::string& user, const std::string& ts, const std::string& action,
                         const std::string& channel, json::object more) {
  json::object what{{"user", user}, {"channel", channel}, {"ts", ts}, {"action_id", action}};
  for (const auto& [key, value] : more) what[key] = value;
  control("click", what);
}

void SlackService::command(const std::string& user, const std::string& text, const std::string& channel) {
  control("command", {{"user", user}, {"channel", channel}, {"command", "/deputy"}, {"text", text}});
}

std::string SlackService::direct(const std::string& user) {
  auto& workspace = simulator_->world().workspace;
  return workspace.direct(user, workspace.app.bot_user).id;
}

std::string SlackService::thread(const std::string& ts, const std::string& channel) {
  net::Request request{.url =
                           fmt::format("{}/control/thread.txt?channel={}&ts={}", simulator_->address(), channel, ts)};
  const Result<net::Response> response = await(http_->send(std::move(request)));
  return response ? response->body : "";
}

json::array SlackService::messages(const std::string& ts, const std::string& channel) {
  json::array found;
  for (const auto& message : simulator_->world().workspace.channels.at(channel).messages) {
    if (message.ts == ts || message.thread_ts == ts) found.push_back(message.body);
  }
  return found;
}

std::string SlackService::find(const std::string& text, const std::string& thread_ts, const std::string& channel) {
  std::string found;
  for (const auto& message : simulator_->world().workspace.channels.at(channel).messages) {
    const bool is_here = message.thread_ts == thread_ts || message.ts == thread_ts || thread_ts.empty();
    if (is_here && message.user == simulator_->world().workspace.app.bot_user && message.only_for.empty() &&
        json::serialize(message.body).contains(text))
      found = message.ts;
  }
  return found;
}

std::string SlackService::until_shown(const std::string& ts, const std::string& text, const std::string& channel) {
  std::string seen;
  const bool shown = until([&] {
    seen = thread(ts, channel);
    return seen.contains(text);
  });
  EXPECT_TRUE(shown) << "not shown: " << text << "\n" << seen;
  return seen;
}

std::string SlackService::until_found(const std::string& text, const std::string& thread_ts,
                                      const std::string& channel) {
  EXPECT_TRUE(until([&] { return !find(text, thread_ts, channel).empty(); })) << "not found: " << text << "\n"
                                                                              << thread(thread_ts, channel);
  return find(text, thread_ts, channel);
}

sim::slack::Channel& SlackService::direct_with(const std::string& user) {
  auto& workspace = simulator_->world().workspace;
  return workspace.direct(user, workspace.app.bot_user);
}

void SlackService::take_streams_away() {
  control("fault", {{"on", "api"},
                    {"name", "chat.startStream"},
                    {"kind", "error"},
                    {"error", "feature_not_enabled"},
                    {"times", 1000}});
}

std::string SlackService::whispered_to(const std::string& user) {
  std::string all;
  for (const auto& [id, channel] : simulator_->world().workspace.channels) {
    for (const auto& message : channel.messages) {
      if (message.only_for == user) all += json::serialize(message.body) + "\n";
    }
  }
  return all;
}

std::string SlackService::until_whispered(const std::string& user, const std::string& text) {
  EXPECT_TRUE(until([&] { return whispered_to(user).contains(text); })) << "not whispered: " << text << "\n"
                                                                        << whispered_to(user);
  return whispered_to(user);
}

std::string SlackService::sent() {
  std::string all;
  const auto& record = simulator_->world().record;
  for (const json::value& call : record.find(0, "call", {})) {
    const std::string method = text_at(call.get_object(), "method");
    if (method.starts_with("chat.") || method.starts_with("files.") || method.starts_with("views.") ||
        method.starts_with("assistant.threads."))
      all += method + " " + json::serialize(call.get_object().at("arguments")) + "\n";
  }
  for (const json::value& reply : record.find(0, "response_url", {})) all += text_at(reply.get_object(), "body") + "\n";
  return all;
}

json::object SlackService::newest_view() {
  auto& workspace = simulator_->world().workspace;
  json::object newest;
  for (const auto& [id, view] : workspace.views) {
    if (view.open) newest = workspace.show(view);
  }
  return newest;
}

std::string SlackService::asked(std::size_t request) const {
  if (model_->requests().size() <= request) return "";
  std::string text = model_->requests()[request].system;
  for (const model::Turn& turn : model_->requests()[request].turns) {
    for (const model::Block& block : turn.blocks) {
      if (const auto* said = std::get_if<model::Text>(&block)) text += "\n" + said->text;
      if (const auto* result = std::get_if<model::CallResult>(&block)) text += "\n" + result->text;
    }
  }
  return text;
}

json::array SlackService::audited(const std::string& kind) {
  std::ostringstream out;
  const std::vector<std::string> arguments{"--config", (folder_ / "settings/deputy.yaml").string(),
                                           "--data",   (folder_ / "data").string(),
                                           "--json",   "audit"};
  EXPECT_EQ(app::run_command(arguments, outside(out)), app::ExitCode::done);
  const Result<json::value> rows = parse_json(out.str());
  EXPECT_TRUE(rows && rows->is_array()) << out.str();
  json::array found;
  for (const json::value& row : rows && rows->is_array() ? rows->get_array() : json::array()) {
    if (text_at(row.get_object(), "kind") == kind) found.push_back(row);
  }
  return found;
}

std::size_t SlackService::calls_of(const std::string& method) {
  return simulator_->world().record.find(0, "call", {{"method", method}}).size();
}

}  // namespace deputy::test
