#include "tools/logs/settings.h"

#include <gmock/gmock.h>

namespace deputy::tools {
namespace {

struct SettingsRow {
  std::string document;
  std::vector<std::string> problems;  // path and message of each
};
void PrintTo(const SettingsRow& row, std::ostream* out) { *out << row.document; }
class LogSettings : public testing::TestWithParam<SettingsRow> {};

TEST_P(LogSettings, AreChecked) {
  FieldReader reader(FieldReader::Scalars::text, "setting");
  LogToolsSettings settings;
  FieldCodec<LogToolsSettings>::read_object(*parse_json_object(GetParam().document), settings, reader);
  std::vector<std::string> problems;
  for (const Problem& problem : reader.take_problems()) problems.push_back(problem.path + ": " + problem.message);
  EXPECT_EQ(problems, GetParam().problems);
}

INSTANTIATE_TEST_SUITE_P(
    Documents, LogSettings,
    testing::Values(
        SettingsRow{"{}", {}},
        SettingsRow{R"({"backend": "files", "files": {"root": "/var/log"}, "search_logs": {"timeout_seconds": "60"}})",
                    {}},
        SettingsRow{R"({"files": {"paths": [{"path": "nginx/access.log", "environment": "prod", "service": "web"}]}})",
                    {}},
        SettingsRow{R"({"backend": "flies"})", {"backend: there is no backend `flies` for these tools"}},
        SettingsRow{R"({"files": {"paths": [{"path": "{service}.log"}]}})",
                    {"files.paths[0]: the path does not name the environment"}},
        SettingsRow{R"({"files": {"paths": [{"path": "{environment}/{service}.log", "service": "web"}]}})",
                    {"files.paths[0]: `service` is set twice: in the path and beside it"}},
        SettingsRow{R"({"files": {"paths": [{"path": "/{environment}/{service}.log"}]}})",
                    {"files.paths[0]: `/{environment}/{service}.log`: a pattern is a path under the root"}},
        SettingsRow{R"({"loki": {"service_label": "a-b", "level_label": ""}})",
                    {"loki.service_label: `a-b` is not the name of a label"}},
        SettingsRow{R"({"elasticsearch": {"index": " "}})", {"elasticsearch.index: it is empty"}},
        SettingsRow{R"({"coralogix": {"region": "eu9", "service_key": "subsystem"}})",
                    {"coralogix.region: Coralogix has no region `eu9`",
                     "coralogix.service_key: `subsystem` is not a key of DataPrime"}},
        SettingsRow{R"({"files": {"utc_offset_minutes": "5000"}})",
                    {"files.utc_offset_minutes: this must be between -900 and 900, not 5000"}}));

}  // namespace
}  // namespace deputy::tools
