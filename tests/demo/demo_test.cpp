// The demo's data: the same for the same seed, what the tools say of it against grep, and nothing of it known to src/.
#include <gmock/gmock.h>

#include "config/yaml.h"
#include "tools/logs/log_folder.h"

namespace deputy::tools {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTime = "2026-11-15T05:00:00Z";  // kNow

void generate(const std::filesystem::path& folder, int seed) {
  ASSERT_EQ(said_by(fmt::format("{} '{}' --seed {} --now {} 2>&1", DEMO_GENERATE, folder.string(), seed, kTime)), "");
}

Result<std::vector<Service>> read_services(const std::filesystem::path& file) {
  const auto source = std::make_shared<const config::Source>();
  config::ParsedFile parsed = config::parse_yaml(test::read_file(file), source);
  if (!parsed.problems.empty()) return fail(ErrorKind::invalid_input, "it is no good YAML");
  return services_from(parsed.document.root);
}

/// The tools over a generated folder.
struct Demo {
  explicit Demo(int seed) {
    generate(folder.path(), seed);
    settings.files.root = (folder / "logs").string();
    backend = make_files_backend(settings, environments, workers);
    registry = std::make_shared<ServicesRegistry>([this] { return read_services(folder / "services.yaml"); }, clock);
  }
  Result<toolkit::Output> errors(json::object arguments) {
    const auto tools = log_tools({choose_among(settings, {backend}), registry, &clock, environments});
    return test::call_tool(*tools[1], std::move(arguments));
  }

  test::TemporaryFolder folder;
  test::ManualClock clock{kNow};
  Workers workers{"demo", {}};
  LogToolsSettings settings;
  std::map<std::string, std::vector<std::string>> environments{{"prod", {}}, {"staging", {}}, {"dev", {}}};
  std::shared_ptr<LogBackend> backend;
  std::shared_ptr<ServicesRegistry> registry;
};

TEST(Demo, IsTheSameForTheSameSeed) {
  const test::TemporaryFolder first, second, other;
  generate(first / "x", 1);
  generate(second / "x", 1);
  generate(other / "x", 2);
  const auto differences = [](const test::TemporaryFolder& a, const test::TemporaryFolder& b) {
    return said_by(
        fmt::format("diff -rq --exclude=.git --exclude=deputy.yaml {} {}", a.path().string(), b.path().string()));
  };
  EXPECT_EQ(differences(first, second), "");
  EXPECT_NE(differences(first, other), "");
  for (const std::string name : {"cast-core", "tide-billing"}) {
    const auto head = [&](const test::TemporaryFolder& of) {
      return said_by(fmt::format("git -C {}/x/repositories/{} rev-parse HEAD", of.path().string(), name));
    };
    EXPECT_EQ(head(first), head(second));
    EXPECT_EQ(head(first).size(), 41u);
  }
  EXPECT_LT(number_said_by(fmt::format("du -sk {}", first.path().string())), 12'000);
}

class DemoSeeds : public testing::TestWithParam<int> {};

TEST_P(DemoSeeds, ErrorsOfTheLastHoursAreCountedAsGrepCountsThem) {
  Demo demo(GetParam());
  const std::string log = (demo.folder / "logs/prod/cast-core.log").string();
  const auto output = demo.errors({{"service", "castcore"}, {"environment", "prod"}});
  ASSERT_OK(output);
  const std::string recent = "awk '$0 >= \"2026-11-15 01:00:00\"' " + log;
  EXPECT_EQ(output->data.at("matched").to_number<std::int64_t>(), number_said_by(recent + " | grep -c ' ERROR '"));
  EXPECT_THAT(output->text, HasSubstr(fmt::format(
                                "\n{} × Connection timeout to payment gateway after {{n}} ms (error, first ",
                                number_said_by(recent + " | grep -c 'ERROR.*Connection timeout to payment gateway'"))));
}

TEST_P(DemoSeeds, ErrorsOfTwoWeeksAreCountedInEveryFormat) {
  Demo demo(GetParam());
  const std::map<std::string, std::string> kErrorLines{{"cast-core", " ERROR "},
                                                       {"tide-billing", "\"level\":50"},
                                                       {"gate-auth", "level=error"},
                                                       {"harbor-web", "\" 502 "},
                                                       {"edge-relay", "^E"},
                                                       {"lens-transcoder", "error: \\|Out of memory"},
                                                       {"hive-search", "\"severity\":\"ERROR\""},
                                                       {"reel-catalog", " ERROR "},
                                                       {"pulse-notify", " ERROR "},
                                                       {"ledger-sync", "] ERROR: "}};
  const auto services = read_services(demo.folder / "services.yaml");
  ASSERT_OK(services);
  ASSERT_EQ(services->size(), kErrorLines.size());
  for (const Service& service : *services) {
    for (const std::string environment : {"prod", "staging", "dev"}) {
      const auto output =
          demo.errors({{"service", service.key}, {"environment", environment}, {"hours_back", 24 * 15}});
      ASSERT_OK(output);
      EXPECT_EQ(output->data.at("matched").to_number<std::int64_t>(),
                number_said_by(fmt::format("zcat -f {}/logs/{}/{}.log* | grep -c '{}'", demo.folder.path().string(),
                                           environment, service.key, kErrorLines.at(service.key))))
          << service.key << " in " << environment;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DemoSeeds, testing::Values(1, 7));

TEST(Demo, IsNotKnownToTheProgram) {
  Demo demo(1);
  const auto services = read_services(demo.folder / "services.yaml");
  ASSERT_OK(services);
  std::vector<std::string> words{"payment gateway", "pool exhausted", "northlight"};
  for (const Service& service : *services) {
    words.push_back(service.key);
    words.push_back(service.full_name);
    words.insert(words.end(), service.aliases.begin(), service.aliases.end());
  }
  for (const std::string& word : words) {
    EXPECT_THAT(said_by(fmt::format("grep -rniF '{}' {}/src", word, DEPUTY_SOURCE)), IsEmpty()) << word;
  }
}

}  // namespace
}  // namespace deputy::tools
