// The log tools over a stand-in for a vendor of logs (tests/peers), and what the tests of all vendors share.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "net/client.h"
#include "support/child.h"
#include "support/manual_clock.h"
#include "support/node.h"
#include "support/temporary_folder.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/logs/log_tools.h"

namespace deputy::tools {

inline const Timestamp kRemoteNow = *parse_timestamp("2026-11-18T10:00:00Z");

inline const std::map<std::string, std::vector<std::string>> kEnvironments{{"prod", {"production", "live"}},
                                                                           {"staging", {"stage"}}};

/// One of the log tools over what settings set up.
inline std::shared_ptr<const toolkit::Tool> log_tool(const LogToolsSettings& settings, net::HttpClient& http,
                                                     const Clock& clock, std::string_view name,
                                                     std::shared_ptr<ServicesRegistry> registry = nullptr) {
  static Workers workers("logs", {});
  const LogBackends backends = make_log_backends(settings, {kEnvironments, workers, http, clock});
  for (const auto& tool : log_tools({backends, std::move(registry), &clock, kEnvironments})) {
    if (tool->spec().name == name) return tool;
  }
  throw std::logic_error("no such tool");
}

/// Makes one call of a tool, for tests/support/vendor_errors.h.
inline Task<Result<>> one_call(std::shared_ptr<const toolkit::Tool> tool, json::object arguments) {
  CO_TRY(const toolkit::Output output, co_await test::call_chain(*tool, std::move(arguments)));
  co_return Result<>{};
}

/// A query, and how many entries it finds.
struct SearchRow {
  std::string name;
  std::string query;
  std::int64_t found;
};
inline void PrintTo(const SearchRow& row, std::ostream* out) { *out << row.query; }

class RemoteLogs : public testing::Test, public test::OnLoop {
 protected:
  /// Starts the stand-in and returns its address.
  std::string start(const std::string& file, const json::object& config) {
    const auto path = folder_.write("config.json", json::serialize(config));
    peer_ = std::make_unique<test::Child>(test::node_program(file, {path.string()}));
    return "http://127.0.0.1:" + peer_->read_line().value_or("port 0").substr(5);
  }
  /// Fails if the stand-in saw a rule broken.
  ~RemoteLogs() override {
    if (!peer_) return;
    for (const std::string& line : said()) EXPECT_THAT(line, testing::Not(testing::StartsWith("broken")));
  }
  std::vector<std::string> said() {
    std::vector<std::string> lines;
    while (auto line = peer_->read_line_within(std::chrono::milliseconds(0))) lines.push_back(*std::move(line));
    return lines;
  }
  Result<toolkit::Output> call(std::string_view name, json::object arguments) {
    if (!arguments.contains("environment")) arguments["environment"] = "prod";
    return await(test::call_chain(*log_tool(settings_, http_, clock_, name, registry_), std::move(arguments)));
  }
  /// The text, or the error in words.
  std::string text(std::string_view name, json::object arguments) {
    const auto output = call(name, std::move(arguments));
    return output ? output->text : describe(output.error());
  }
  std::int64_t matched(std::string_view name, json::object arguments) {
    const auto output = call(name, std::move(arguments));
    if (!output) ADD_FAILURE() << describe(output.error());
    return output ? output->data.at("matched").to_number<std::int64_t>() : -1;
  }
  Result<std::string> diagnosis() {
    const LogBackends backends = make_log_backends(settings_, {kEnvironments, workers_, http_, clock_});
    return await(backends.all().front()->diagnose(std::chrono::seconds(10)));
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<test::Child> peer_;
  test::ManualClock clock_{kRemoteNow};
  net::Client http_{loop_.get_executor(), {}};
  Workers workers_{"logs", {}};
  LogToolsSettings settings_;
  std::shared_ptr<ServicesRegistry> registry_;
};

inline std::shared_ptr<ServicesRegistry> registry_of(const std::vector<Service>& services, const Clock& clock) {
  return std::make_shared<ServicesRegistry>([services] { return Result<std::vector<Service>>(services); }, clock);
}

}  // namespace deputy::tools
