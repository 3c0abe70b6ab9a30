// The settings of the log backends, seen in calls made by hand and in `doctor`, through the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "base/clock.h"
#include "base/json.h"
#include "support/child.h"
#include "support/node.h"

namespace deputy {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr const char* kToken = "logs-token-0123456789";

std::string time_before(std::chrono::seconds ago) { return format_timestamp(SystemClock().now() - ago); }

class LogBackendSettingsAtWork : public testing::Test {
 protected:
  std::string call(const std::string& tool, const std::string& arguments) const {
    const ProcessEnd end = deputy_.run({"tools", "call", tool, arguments});
    return end.output + end.errors;
  }
  std::string errors_of(const std::string& service) const {
    return call("get_recent_errors", fmt::format(R"({{"service": "{}", "environment": "prod"}})", service));
  }
  std::string doctor() const { return deputy_.run({"doctor"}).output; }
  void set(const std::string& backend, const std::string& settings) {
    deputy_.write_user(fmt::format("tools: {{log_tools: {{{}: {{{}}}}}}}\n", backend, settings));
  }
  std::string start(const std::string& file, const json::object& config) {
    peer_ = std::make_unique<test::Child>(test::node_program(file, {json::serialize(config)}));
    return "http://127.0.0.1:" + peer_->read_line().value_or("port 0").substr(5);
  }

  test::Program deputy_;
  std::unique_ptr<test::Child> peer_;
};

json::object stream(const std::string& severity, const std::string& line) {
  json::array entry{std::to_string(to_millis(SystemClock().now()) - 60'000), line};
  json::array entries;
  entries.push_back(std::move(entry));
  return {{"labels", {{"app", "checkout"}, {"stage", "prod"}, {"severity", severity}}},
          {"entries", std::move(entries)}};
}

json::object loki_config() {
  return {{"token", kToken},
          {"tenant", "shop"},
          {"streams", json::array{stream("error", "it is broken"), stream("info", "ERROR is what users see")}}};
}

constexpr const char* kLokiLabels = "service_label: app, environment_label: stage";

TEST_F(LogBackendSettingsAtWork, UrlUserTokenAndTenantSayHowLokiIsReached) {
  EXPECT_THAT(errors_of("checkout"), HasSubstr("(LOKI_URL)"));
  json::object config = loki_config();
  deputy_.variables["LOKI_URL"] = start("loki.js", config) + "/";
  deputy_.variables["LOKI_TOKEN"] = kToken;
  set("loki", fmt::format("tenant: shop, {}", kLokiLabels));
  EXPECT_THAT(errors_of("checkout"), HasSubstr("ERROR is what users see"));
  EXPECT_THAT(doctor(), ContainsRegex("logs +ok +Loki at http://127[^ ]*: 1 service in the last day"));
  set("loki", fmt::format("tenant: elsewhere, {}", kLokiLabels));
  EXPECT_THAT(errors_of("checkout"), AllOf(HasSubstr("Loki answered 401"), HasSubstr(".tenant")));
  EXPECT_THAT(doctor(), ContainsRegex("logs +broken .*Loki answered 401"));
  config["user"] = "12345";
  deputy_.variables["LOKI_URL"] = start("loki.js", config);
  set("loki", fmt::format("user: '12345', tenant: shop, {}", kLokiLabels));
  EXPECT_THAT(errors_of("checkout"), HasSubstr("ERROR is what users see"));
}

TEST_F(LogBackendSettingsAtWork, LabelsSayWhichStreamsOfLokiAreWhose) {
  deputy_.variables["LOKI_URL"] = start("loki.js", loki_config());
  deputy_.variables["LOKI_TOKEN"] = kToken;
  set("loki", "tenant: shop");
  EXPECT_THAT(errors_of("checkout"), HasSubstr("`app`, `severity` and `stage`"));
  set("loki", "tenant: shop, service_label: app");
  EXPECT_THAT(call("get_recent_errors", R"({"environment": "prod"})"), HasSubstr("environment_label"));
  set("loki", fmt::format("tenant: shop, level_label: severity, {}", kLokiLabels));
  EXPECT_THAT(errors_of("checkout"), AllOf(HasSubstr("1 error, all “it is broken”")));
  set("loki", "service_label: 'a-b'");
  EXPECT_EQ(deputy_.run({"config", "check"}).exit_code, 1);
}

json::object elasticsearch_config() {
  const json::object source{{"when", time_before(std::chrono::seconds(60))},
                            {"said", "it is broken"},
                            {"app", "checkout"},
                            {"stage", "prod"},
                            {"severity", "error"}};
  json::object harmless = source;
  harmless["severity"] = "info";
  harmless["said"] = "an ERROR that users see";
  return {{"api_key", kToken},
          {"documents", json::array{json::object{{"_index", "shop-1"}, {"_source", source}},
                                    json::object{{"_index", "shop-1"}, {"_source", harmless}}}}};
}

constexpr const char* kFields =
    "index: shop-*, time_field: when, message_field: said, service_field: app, environment_field: stage";

TEST_F(LogBackendSettingsAtWork, UrlAndCredentialsSayHowElasticsearchIsReached) {
  EXPECT_THAT(errors_of("checkout"), HasSubstr("(ELASTICSEARCH_URL)"));
  json::object config = elasticsearch_config();
  deputy_.variables["ELASTICSEARCH_URL"] = start("elasticsearch.js", config);
  deputy_.variables["ELASTICSEARCH_API_KEY"] = kToken;
  set("elasticsearch", fmt::format("{}, level_field: severity", kFields));
  EXPECT_THAT(errors_of("checkout"), HasSubstr("1 error, all “it is broken”"));
  EXPECT_THAT(doctor(), ContainsRegex("logs +ok +Elasticsearch at http://127[^ ]*: 1 service in `shop-\\*`"));
  deputy_.variables["ELASTICSEARCH_API_KEY"] = "another";
  EXPECT_THAT(errors_of("checkout"), HasSubstr("Elasticsearch answered 401"));
  config["user"] = "deputy";
  config["password"] = kToken;
  deputy_.variables["ELASTICSEARCH_URL"] = start("elasticsearch.js", config);
  deputy_.variables["THE_PASSWORD"] = kToken;
  set("elasticsearch", fmt::format("user: deputy, password: env:THE_PASSWORD, level_field: severity, {}", kFields));
  EXPECT_THAT(errors_of("checkout"), HasSubstr("1 error, all “it is broken”"));
}

TEST_F(LogBackendSettingsAtWork, IndexAndFieldsSayWhatElasticsearchReads) {
  deputy_.variables["ELASTICSEARCH_URL"] = start("elasticsearch.js", elasticsearch_config());
  deputy_.variables["ELASTICSEARCH_API_KEY"] = kToken;
  set("elasticsearch", "");
  EXPECT_THAT(errors_of("checkout"), HasSubstr("a name like `logs-*`"));
  set("elasticsearch", "index: shop-*");
  EXPECT_THAT(errors_of("checkout"), HasSubstr("there is no service `checkout`"));  // no entry has the usual time
  set("elasticsearch", "index: shop-*, time_field: when");
  EXPECT_THAT(errors_of("checkout"), HasSubstr("tools.log_tools.elasticsearch.service_field"));
  set("elasticsearch", "index: shop-*, time_field: when, service_field: app");
  EXPECT_THAT(call("get_recent_errors", R"({"environment": "prod"})"), HasSubstr("environment_field"));
  set("elasticsearch", "index: shop-*, time_field: when, service_field: app, environment_field: stage");
  EXPECT_THAT(errors_of("checkout"), HasSubstr("No errors"));
  set("elasticsearch", fmt::format("{}, level_field: severity", kFields));
  EXPECT_THAT(errors_of("checkout"), HasSubstr("1 error, all “it is broken”"));
  set("elasticsearch", "index: ''");
  EXPECT_EQ(deputy_.run({"config", "check"}).exit_code, 1);
}

json::object coralogix_config() {
  std::string at = time_before(std::chrono::seconds(60));
  at.pop_back();
  const json::object entry{{"timestamp", at},
                           {"severity", 5},
                           {"labels", {{"applicationname", "prod"}, {"subsystemname", "checkout"}}},
                           {"data", {{"message", "it is broken"}, {"app", "till"}, {"stage", "live"}}}};
  return {{"api_key", kToken}, {"entries", json::array{entry}}};
}

TEST_F(LogBackendSettingsAtWork, UrlAndKeySayHowCoralogixIsReached) {
  EXPECT_THAT(errors_of("checkout"), HasSubstr("(CORALOGIX_API_KEY)"));
  deputy_.variables["CORALOGIX_API_URL"] = start("coralogix.js", coralogix_config());
  deputy_.variables["CORALOGIX_API_KEY"] = kToken;
  EXPECT_THAT(errors_of("checkout"), HasSubstr("1 error, all “it is broken”"));
  EXPECT_THAT(doctor(), ContainsRegex("logs +ok +Coralogix at http://127[^ ]*: 1 service in the last day"));
  deputy_.variables["CORALOGIX_API_KEY"] = "another";
  EXPECT_THAT(errors_of("checkout"), HasSubstr("Coralogix answered 401"));
}

TEST_F(LogBackendSettingsAtWork, RegionSaysWhereCoralogixIs) {
  deputy_.variables["CORALOGIX_API_KEY"] = kToken;
  deputy_.variables["HTTPS_PROXY"] = "http://127.0.0.1:1";  // nothing is there: no request leaves this machine
  EXPECT_THAT(errors_of("checkout"), HasSubstr("tools.log_tools.coralogix.region"));
  set("coralogix", "region: eu2");
  EXPECT_THAT(errors_of("checkout"), HasSubstr("Coralogix:"));
  set("coralogix", "region: mars");
  EXPECT_EQ(deputy_.run({"config", "check"}).exit_code, 1);
}

TEST_F(LogBackendSettingsAtWork, KeysSayWhichEntriesOfCoralogixAreWhose) {
  deputy_.variables["CORALOGIX_API_URL"] = start("coralogix.js", coralogix_config());
  deputy_.variables["CORALOGIX_API_KEY"] = kToken;
  set("coralogix", "service_key: $d.app");
  EXPECT_THAT(errors_of("till"), HasSubstr("1 error, all “it is broken”"));
  set("coralogix", "service_key: $d.app, environment_key: $d.tenant");
  EXPECT_THAT(errors_of("till"), HasSubstr("tools.log_tools.coralogix.environment_key"));
  set("coralogix", "service_key: $d.app, environment_key: $d.stage");
  EXPECT_THAT(errors_of("till"), HasSubstr("1 error, all “it is broken”"));
}

}  // namespace
}  // namespace deputy
