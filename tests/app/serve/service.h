// The service as `deputy serve` runs it, in this process: real settings files, store, engine and listener, with a
// scripted channel and model. A test is a story that happens while it serves; when the story ends, the service stops.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "app/serve.h"
#include "net/http.h"
#include "support/model_script.h"
#include "support/results.h"
#include "support/sample_tools.h"
#include "support/scripted_channel.h"
#include "support/temporary_folder.h"

namespace deputy::test {}
namespace deputy::app::test {
using namespace deputy::test;  // `test::` means both here

class ServiceTest : public testing::Test {
 protected:
  static constexpr const char* kSettings =
      "people: {ana: {scripted: U1}}\naccess: {people: [ana]}\nchannels: {scripted: {alert_channel: C9}}\n"
      "serve: {health: '127.0.0.1:0'}\n";

  ServiceTest();

  /// Writes the file that --config names, as an editor does: a new file, renamed to the name.
  void write_settings(const std::string& text) const;
  std::filesystem::path file() const { return folder_ / "settings/deputy.yaml"; }

  using Story = std::function<Task<>(Serving&)>;
  ExitCode serve(Story story);
  ServeSetup setup();

  // For stories.
  Task<> until(std::function<bool()> happened, const char* what);
  Task<> ask(std::string text, std::string conversation = "scripted:C1:1");
  Task<net::Response> get(Serving& serving, std::string path, std::string method = "GET");
  std::string alerts() const { return channel_->transcript("scripted:C9"); }

  TemporaryFolder folder_;
  Outside outside_;
  std::ostringstream out_;
  std::ostringstream errors_;
  Context context_;
  std::shared_ptr<ScriptedChannel> channel_ = std::make_shared<ScriptedChannel>();
  std::shared_ptr<channel::Channel> served_ = channel_;
  std::string kind_ = "scripted";
  std::string missing_;  // what the channel says it needs
  std::shared_ptr<model::Model> model_;
  World world_ = std::make_shared<SampleWorld>();
  bool own_tools_ = true;  // the sample tools in place of those of the settings
};

}  // namespace deputy::app::test
