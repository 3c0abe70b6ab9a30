#include "app/serve/service.h"

#include "app/connections.h"

namespace deputy::app::test {

ServiceTest::ServiceTest()
    : outside_{{{"HOME", (folder_ / "home").string()}}, folder_ / "work", out_, errors_}, context_(outside_) {
  std::filesystem::create_directories(folder_ / "work");
  write_settings(kSettings);
  context_.places.config = file().string();
  context_.places.data = (folder_ / "data").string();
  channel_->knows("scripted:U1", {.account = {"scripted", "U1"}, .standing = policy::AccountKind::member});
  model_ = ModelScript().then_says("Here I am.").then_says("Here I am again.").make();
}

void ServiceTest::write_settings(const std::string& text) const {
  folder_.write("settings/new.yaml", text);
  std::filesystem::rename(folder_ / "settings/new.yaml", file());
}

ServeSetup ServiceTest::setup() {
  ServeSetup setup;
  setup.channels = {{kind_, [this](const Settings&) { return missing_; },
                     [this](const ChannelParts&) { return Result<std::shared_ptr<channel::Channel>>(served_); }}};
  setup.model = model_;
  if (own_tools_) setup.tools = {search_notes(world_), restart_service(world_)};
  setup.reload_interval = std::chrono::milliseconds(20);
  return setup;
}

ExitCode ServiceTest::serve(Story story) {
  ServeSetup with = setup();
  with.until = std::move(story);
  return app::serve(context_, std::move(with));
}

Task<> ServiceTest::until(std::function<bool()> happened, const char* what) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!happened() && std::chrono::steady_clock::now() < limit) co_await sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(happened()) << what;
}

Task<> ServiceTest::ask(std::string text, std::string conversation) {
  Result<> stored = fail(ErrorKind::not_configured, "not asked");
  for (int i = 0; i < 1000 && !stored && stored.error().kind == ErrorKind::not_configured; ++i) {
    stored = co_await channel_->says("U1", conversation, text);
    if (!stored) co_await sleep_for(std::chrono::milliseconds(5));  // the channel does not run yet
  }
  EXPECT_OK(stored);
}

Task<net::Response> ServiceTest::get(Serving& serving, std::string path, std::string method) {
  net::Request request;
  request.method = std::move(method);
  request.url = "http://127.0.0.1:" + std::to_string(serving.health_port) + path;
  Result<net::Response> response = co_await serving.process.accounts().http->send(std::move(request));
  EXPECT_OK(response);
  co_return response ? *std::move(response) : net::Response{};
}

}  // namespace deputy::app::test
