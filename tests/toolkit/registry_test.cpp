#include "toolkit/registry.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/sample_tools.h"

namespace deputy::toolkit {
namespace {

const test::World kWorld = std::make_shared<test::SampleWorld>();

Registry sample_registry() {
  Registry registry;
  EXPECT_OK(registry.add(test::search_notes(kWorld)));
  EXPECT_OK(registry.add(test::run_command(kWorld)));
  EXPECT_OK(registry.add(test::restart_service(kWorld)));
  return registry;
}

/// A tool that only has a spec.
class Described final : public Tool {
 public:
  explicit Described(ToolSpec spec) : spec_(std::move(spec)) {}
  const ToolSpec& spec() const override { return spec_; }
  Result<json::object> complete_arguments(const json::object& arguments) const override { return arguments; }
  std::vector<Problem> problems_of(const json::object&) const override { return {}; }

 private:
  Result<Pipeline> chain_for(const json::object&) const override { return Pipeline(); }
  ToolSpec spec_;
};

ToolSpec good_spec() {
  ToolSpec spec = test::restart_service(kWorld)->spec();
  spec.name = "another_tool";
  spec.aliases = {"another_name"};
  return spec;
}

struct Row {
  std::string name;
  std::function<void(ToolSpec&)> change;
  std::string problem;  // empty: it is taken
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class RegistryRules : public testing::TestWithParam<Row> {};

TEST_P(RegistryRules, Hold) {
  Registry registry = sample_registry();
  ToolSpec spec = good_spec();
  GetParam().change(spec);
  const Result<> added = registry.add(std::make_shared<Described>(spec));
  if (GetParam().problem.empty()) {
    EXPECT_OK(added);
    EXPECT_EQ(registry.size(), 4U);
    return;
  }
  ASSERT_FAILS(added, invalid_input);
  EXPECT_EQ(added.error().message, "the tool `" + spec.name + "` is refused: " + GetParam().problem);
  EXPECT_EQ(registry.size(), 3U);
  EXPECT_FAILS(registry.find("another_name"), not_found);
}

INSTANTIATE_TEST_SUITE_P(
    Registry, RegistryRules,
    testing::Values(Row{"GoodSpec", [](ToolSpec&) {}, ""},
                    Row{"TopicsOfAWriteWithoutAVerb", [](ToolSpec& s) { s.topics = {.words = {"service"}}; },
                        "it may change something and its topics name no verb that must be ordered"},
                    Row{"WorkingLineOfAKindItDoesNotTake", [](ToolSpec& s) { s.topics.working = "Reading {url}"; },
                        "`Reading {url}` names what is no kind of its parameters"},
                    Row{"ExampleOfNoKind", [](ToolSpec& s) { s.topics.examples = {"restart {it}"}; },
                        "`restart {it}` names what is no kind of its parameters"},
                    Row{"NameTaken", [](ToolSpec& s) { s.name = "search_notes"; },
                        "the name `search_notes` is taken by `search_notes`"},
                    Row{"NameTakenByAnAlias", [](ToolSpec& s) { s.name = "find_notes"; },
                        "the name `find_notes` is taken by `search_notes`"},
                    Row{"AliasTaken", [](ToolSpec& s) { s.aliases = {"run_command"}; },
                        "the name `run_command` is taken by `run_command`"},
                    Row{"AliasIsItsName", [](ToolSpec& s) { s.aliases = {"another_tool"}; },
                        "it lists the name `another_tool` twice"},
                    Row{"NameWithASpace", [](ToolSpec& s) { s.name = "two words"; },
                        "`two words` is no name: 1 to 64 letters, digits, _ and -"},
                    Row{"NoVersion", [](ToolSpec& s) { s.version = 0; }, "its version must be at least 1"},
                    Row{"DescriptionOf9", [](ToolSpec& s) { s.description = std::string(9, 'a'); },
                        "its description must have 10 to 500 characters, not 9"},
                    Row{"DescriptionOf10", [](ToolSpec& s) { s.description = "ääääääääää"; }, ""},
                    Row{"DescriptionOf500", [](ToolSpec& s) { s.description = std::string(500, 'a'); }, ""},
                    Row{"DescriptionOf501", [](ToolSpec& s) { s.description = std::string(501, 'a'); },
                        "its description must have 10 to 500 characters, not 501"},
                    Row{"UnknownCategory", [](ToolSpec& s) { s.category = "doc_tool"; },
                        "there is no category `doc_tool`; did you mean `doc_tools`?"},
                    Row{"McpCategory", [](ToolSpec& s) { s.category = "mcp:github"; }, ""},
                    Row{"McpCategoryOfNoServer", [](ToolSpec& s) { s.category = "mcp:"; },
                        "there is no category `mcp:`"},
                    Row{"TimeoutOfASecond", [](ToolSpec& s) { s.timeout = std::chrono::seconds(1); }, ""},
                    Row{"TimeoutOfFiveMinutes", [](ToolSpec& s) { s.timeout = std::chrono::minutes(5); }, ""},
                    Row{"TimeoutTooShort", [](ToolSpec& s) { s.timeout = std::chrono::milliseconds(999); },
                        "its timeout must be 1s to 5m, not 999ms"},
                    Row{"TimeoutTooLong", [](ToolSpec& s) { s.timeout = std::chrono::milliseconds(300'001); },
                        "its timeout must be 1s to 5m, not 5m1ms"},
                    Row{"PrimaryParamThatIsNone", [](ToolSpec& s) { s.primary_param = "pod"; },
                        "its primary_param `pod` is no parameter"},
                    Row{"PinThatIsNone", [](ToolSpec& s) { s.pins = {"pod"}; }, "its pin `pod` is no parameter"},
                    Row{"CommandLineWithoutParam",
                        [](ToolSpec& s) {
                          s.primary_param.clear();
                          s.primary_is_command_line = true;
                        },
                        "it has a command line and names no primary_param"},
                    Row{"NoSchema", [](ToolSpec& s) { s.params = {}; },
                        "its params must be a JSON Schema of type object with properties"},
                    Row{"RequiredThatIsNone", [](ToolSpec& s) { s.params["required"].get_array().emplace_back("pod"); },
                        "its required `pod` is no parameter"},
                    Row{"RequiredThatIsNoName", [](ToolSpec& s) { s.params["required"] = json::array{4}; },
                        "`required` of its params must be a list of names"},
                    Row{"ParameterWithoutSchema", [](ToolSpec& s) { s.params["properties"].get_object()["force"] = 4; },
                        "its parameter `force` has no schema"},
                    Row{"OwnBackground",
                        [](ToolSpec& s) { s.params["properties"].get_object()["background"] = {{"type", "boolean"}}; },
                        "`background` is no parameter of its own"},
                    Row{"HugeSchema", [](ToolSpec& s) { s.params["description"] = std::string(70'000, 'a'); },
                        "its params take more than 65536 bytes"},
                    Row{"AllAtOnce",
                        [](ToolSpec& s) {
                          s.version = 0;
                          s.description = "short";
                        },
                        "its version must be at least 1; its description must have 10 to 500 characters, not 5"}),
    [](const auto& info) { return info.param.name; });

TEST(Registry, FindsByNameAndAlias) {
  const Registry registry = sample_registry();
  ASSERT_OK(registry.find("search_notes"));
  EXPECT_EQ(registry.find("search_notes"), registry.find("find_notes"));
}

TEST(Registry, AnUnknownToolIsAnErrorThatNamesTheChoicesAndTheNearest) {
  const auto found = sample_registry().find_enabled("serch_notes", {});
  ASSERT_FAILS(found, not_found);
  EXPECT_EQ(found.error().message, "there is no tool `serch_notes`; did you mean `search_notes`?");
  EXPECT_EQ(found.error().hint, "the tools are `restart_service`, `run_command` and `search_notes`");
  EXPECT_EQ(sample_registry().find("find_note").error().message,
            "there is no tool `find_note`; did you mean `search_notes`?");
  EXPECT_EQ(Registry().find("anything").error().hint, "there are no tools");
}

TEST(Registry, AToolThatIsOffIsAnErrorThatNamesTheSettingAndTheChoices) {
  ToolsSettings settings;
  settings["doc_tools"].enabled = false;
  settings["workspace_tools"].tools["run_command"].enabled = false;
  const Registry registry = sample_registry();
  const auto by_category = registry.find_enabled("find_notes", settings);
  ASSERT_FAILS(by_category, not_configured);
  EXPECT_EQ(by_category.error().message, "the tool `search_notes` is turned off by `tools.doc_tools.enabled`");
  EXPECT_EQ(by_category.error().hint, "the tools are `restart_service`");
  EXPECT_EQ(registry.find_enabled("run_command", settings).error().message,
            "the tool `run_command` is turned off by `tools.workspace_tools.run_command.enabled`");
  EXPECT_OK(registry.find_enabled("restart_service", settings));
  EXPECT_OK(registry.find("run_command"));
}

TEST(Registry, AToolThatIsOffByDefaultCanBeTurnedOn) {
  Registry registry;
  ToolSpec spec = good_spec();
  spec.enabled = false;
  ASSERT_OK(registry.add(std::make_shared<Described>(spec)));
  EXPECT_FAILS(registry.find_enabled("another_tool", {}), not_configured);
  ToolsSettings settings;
  settings["service_tools"].tools["another_tool"].enabled = true;
  EXPECT_OK(registry.find_enabled("another_tool", settings));
}

TEST(Registry, ListsEveryToolSortedByName) {
  ToolsSettings settings;
  settings["doc_tools"].enabled = false;
  Registry registry = sample_registry();
  ToolSpec unconfigured = good_spec();
  unconfigured.missing = "set ANOTHER_TOKEN";
  ASSERT_OK(registry.add(std::make_shared<Described>(unconfigured)));
  const auto listed = registry.list(settings);
  ASSERT_EQ(listed.size(), 4U);
  std::vector<std::string> names;
  names.reserve(listed.size());
  for (const ToolListing& tool : listed) names.push_back(tool.name);
  EXPECT_EQ(names, (std::vector<std::string>{"another_tool", "restart_service", "run_command", "search_notes"}));
  const json::object last = to_json(listed[3]);
  EXPECT_EQ(last.at("effect"), "read");
  EXPECT_EQ(last.at("category"), "doc_tools");
  EXPECT_EQ(last.at("enabled"), false);
  EXPECT_EQ(last.at("configured"), true);
  EXPECT_TRUE(last.at("params").at("properties").as_object().contains("query"));
  EXPECT_EQ(listed[0].configured, false);
  EXPECT_EQ(listed[0].missing, "set ANOTHER_TOKEN");
  EXPECT_EQ(registry.enabled_tools(settings).size(), 3U);
}

}  // namespace
}  // namespace deputy::toolkit
