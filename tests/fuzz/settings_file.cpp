// Arbitrary bytes as a settings file, through the whole load into a struct with every type of field. Nothing may crash
// or hang, and what was loaded must show as YAML that parses.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "config/load.h"
#include "config/reference.h"
#include "config/sample_settings.h"
#include "config/yaml.h"
#include "support/temporary_folder.h"

namespace {

using namespace deputy;

struct Rule {
  std::string tool;
  std::vector<std::string> deny;
  std::optional<double> weight;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Rule::tool, "tool", "The tool").characters(1, 20);
    f.optional(&Rule::deny, "deny", "Patterns").items(0, 3);
    f.optional(&Rule::weight, "weight", "A number").in_range(0, 1);
  }
};

struct Account {
  Secret token;
  std::string address = "https://example.com";
  std::chrono::milliseconds timeout{1000};

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&Account::token, "token", "A secret").from_variable("VENDOR_TOKEN");
    f.optional(&Account::address, "address", "Where");
    f.optional(&Account::timeout, "timeout", "How long");
  }
  void check(FieldReader& reader) const {
    if (token.empty() && timeout.count() == 0) reader.problem("a token or a timeout is needed");
  }
};

struct Channels {
  std::optional<Account> slack;
  std::map<std::string, Account> others;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&Channels::slack, "slack", "Slack");
    f.rest(&Channels::others, "<id>", "One channel");
  }
};

struct Everything {
  bool on = false;
  int count = 3;
  std::uint8_t small = 1;
  config::test::Mode mode = config::test::Mode::ask;
  std::vector<Rule> rules;
  std::map<std::string, std::vector<std::string>> environments;
  Channels channels;
  json::object free;
  json::value any;

  template <class Fields>
  static void fields(Fields& f) {
    using E = Everything;
    f.optional(&E::on, "on", "On");
    f.optional(&E::count, "count", "Count").at_least(0);
    f.optional(&E::small, "small", "Small");
    f.optional(&E::mode, "mode", "Mode");
    f.optional(&E::rules, "rules", "Rules");
    f.optional(&E::environments, "environments", "Names");
    f.optional(&E::channels, "channels", "Channels");
    f.optional(&E::free, "free", "Free");
    f.optional(&E::any, "any", "Any");
  }
};

// One file, owned by this process, gone when it ends.
const std::filesystem::path& settings_file() {
  static const test::TemporaryFolder folder;
  static const std::filesystem::path path = folder.write("deputy.yaml", "");
  return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::ofstream(settings_file(), std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<long>(size));
  config::Sources sources;
  sources.places.files = {{config::Role::named, {settings_file()}}};
  sources.places.working_dir = "/";
  sources.environment = {{"DEPUTY_COUNT", "7"},
                         {"DEPUTY_CHANNELS__C1__TIMEOUT", "5s"},
                         {"DEPUTY_ENVIRONMENTS", R"({"prod": ["live"]})"},
                         {"VENDOR_TOKEN", "t"}};
  // A file from outside must not make the fuzzer read others or run commands.
  sources.fetch = [](const config::SecretReference&, const config::Environment&) -> Result<Secret> {
    return Secret("fetched");
  };
  const config::Loaded<Everything> loaded = config::load<Everything>(sources);
  for (const auto& problem : loaded.problems) {
    if (problem.message.empty() || problem.line < 0) std::abort();
  }
  if (!loaded.ok()) return 0;
  if (!loaded.settings.environments.contains("prod")) std::abort();  // whatever the file says, the variable counts
  const std::string shown = config::show_yaml(to_json(loaded.settings), loaded.provenance);
  const auto source = std::make_shared<const config::Source>(config::SourceKind::file, "shown", "/", false);
  if (shown.size() <= config::kLargestFile && !config::parse_yaml(shown, source).problems.empty()) std::abort();
  return 0;
}
