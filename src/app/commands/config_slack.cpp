// deputy config init slack
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <optional>

#include "app/command_line.h"
#include "app/connections.h"
#include "base/json.h"
#include "base/text.h"
#include "channel/slack/settings.h"
#include "channel/terminal/styled_text.h"
#include "clients/slack/manifest.h"
#include "config/files.h"
#include "config/secrets.h"
#include "net/url.h"
#include "policy/persons.h"

namespace deputy::app {

namespace {

namespace fs = std::filesystem;
namespace slack = clients::slack;
using channel::slack::Transport;

constexpr const char* kExamples = R"(Examples:
  deputy config init slack > manifest.json                   the manifest of the app, and the steps
  deputy config init slack --approver T1/U1 --approver S1    and who may approve: a person, a user group
  deputy config init slack --channel C1                      and the only channels that Deputy answers in
  deputy config init slack --transport http --url https://deputy.example.com
  deputy config init slack --create                          create the app with a configuration token

The configuration token (https://api.slack.com/apps, "Your App Configuration Tokens") comes from --configuration-token-file,
from SLACK_CONFIGURATION_TOKEN, or is asked for in a terminal. It is sent to Slack and kept nowhere.)";

constexpr std::string_view kTokenVariable = "SLACK_CONFIGURATION_TOKEN";
constexpr std::string_view kTokenBegins = "xoxe.xoxp-";
constexpr std::string_view kTokenIsMissing =
    "name a file with --configuration-token-file, set SLACK_CONFIGURATION_TOKEN, or run this in a terminal";
constexpr std::size_t kMaxTyped = 4000;

struct Given {
  std::vector<std::string> approvers;
  std::vector<std::string> channels;
  Transport transport = Transport::socket;
  std::string url;
  bool create = false;
  std::string token_file;
};

// ---- What was given.

bool is_group(const std::string& entry) {
  return policy::spelling_of(entry) == policy::Spelling::id && entry.starts_with('S') && !entry.contains('/');
}

Result<> check_approver(const std::string& entry) {
  const policy::Spelling spelling = policy::spelling_of(entry);
  const bool is_account = spelling == policy::Spelling::id && entry.contains('/');
  if (spelling == policy::Spelling::email || is_account || is_group(entry)) return {};
  return fail(ErrorKind::invalid_input, fmt::format("`{}` is not an approver", cut_with_mark(entry, 60)),
              "write the ids of workspace and person as T1/U1, the id of a user group as S1, or an e-mail address");
}

Result<> check_channel_id(const std::string& id) {
  const bool is_id = policy::spelling_of(id) == policy::Spelling::id && (id.starts_with('C') || id.starts_with('G'));
  if (is_id) return {};
  return fail(ErrorKind::invalid_input, fmt::format("`{}` is not the id of a channel", cut_with_mark(id, 60)),
              "Slack shows it at the end of a channel's details; it looks like C012AB3CD");
}

/// Where Slack sends events; empty with Socket Mode.
Result<std::string> request_url(const Given& given) {
  if (given.transport == Transport::socket) {
    if (given.url.empty()) return std::string();
    return fail(ErrorKind::invalid_input, "--url is only for events over HTTP",
                "add --transport http, or leave it out");
  }
  const Result<net::Url> url = net::parse_url(given.url);
  if (!url || url->scheme != "https") {
    return fail(ErrorKind::invalid_input, "events over HTTP need the https address under which Slack reaches Deputy",
                "add --url https://deputy.example.com");
  }
  std::string_view base = given.url;
  while (base.ends_with('/')) base.remove_suffix(1);
  return fmt::format("{}{}", base, channel::slack::kEventsPath);
}

Result<> check_given(const Given& given) {
  for (const std::string& entry : given.approvers) {
    TRY(check_approver(entry));
  }
  for (const std::string& id : given.channels) {
    TRY(check_channel_id(id));
  }
  return {};
}

// ---- What is typed.

/// What is typed is not shown while it lives.
class HiddenTyping {
 public:
  explicit HiddenTyping(int terminal) : terminal_(terminal) {
    if (tcgetattr(terminal_, &before_) != 0) return;
    termios hidden = before_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    changed_ = tcsetattr(terminal_, TCSAFLUSH, &hidden) == 0;
  }
  ~HiddenTyping() {
    if (changed_) tcsetattr(terminal_, TCSAFLUSH, &before_);
  }
  HiddenTyping(const HiddenTyping&) = delete;
  HiddenTyping& operator=(const HiddenTyping&) = delete;

 private:
  int terminal_;
  termios before_{};
  bool changed_ = false;
};

std::string read_typed_line(int terminal) {
  std::string line;
  char c = 0;
  while (line.size() < kMaxTyped && read(terminal, &c, 1) == 1 && c != '\n') line += c;
  return std::string(trim(line));
}

Result<Secret> configuration_token(const Context& context, const Given& given) {
  const Outside& outside = context.outside;
  if (!given.token_file.empty()) {
    using Kind = config::SecretReference::Kind;
    return config::fetch_secret({Kind::file, given.token_file, outside.working_dir}, outside.environment);
  }
  if (const std::string* set = config::find_variable(outside.environment, kTokenVariable)) return Secret(*set);
  if (isatty(outside.input) != 1)
    return fail(ErrorKind::invalid_input, "there is no configuration token", std::string(kTokenIsMissing));
  const HiddenTyping hidden(outside.input);
  outside.errors << "Configuration token (xoxe.xoxp-…, not shown): " << std::flush;
  Secret typed(read_typed_line(outside.input));
  outside.errors << "\n";
  return typed;
}

void ask_for_approvers(const Context& context, Given& given) {
  if (isatty(context.outside.input) != 1 || !given.approvers.empty()) return;
  context.outside.errors
      << "Who may approve changes? Ids such as T1/U1 or S1, or e-mail addresses, with spaces between "
         "them; empty: nobody yet\n> "
      << std::flush;
  const std::string typed = read_typed_line(context.outside.input);
  for (const std::string_view entry : split(typed, " ")) {
    if (!trim(entry).empty()) given.approvers.emplace_back(trim(entry));
  }
}

// ---- The settings.

std::string as_list(const std::vector<std::string>& words) {
  json::array list;
  for (const std::string& word : words) list.emplace_back(word);
  return json::serialize(list);
}

std::string settings_yaml(const Given& given) {
  std::string yaml;
  if (given.transport == Transport::http) yaml += "channels:\n  slack:\n    transport: http\n";
  if (!given.channels.empty()) {
    yaml += fmt::format("access:\n  channels: {}  # and direct messages; without this every channel it is invited to\n",
                        as_list(given.channels));
  }
  std::vector<std::string> people;
  std::vector<std::string> groups;
  for (const std::string& entry : given.approvers) (is_group(entry) ? groups : people).push_back(entry);
  if (!given.approvers.empty()) yaml += "roles:\n  approver:  # may approve everything that asks\n";
  if (!people.empty()) yaml += fmt::format("    people: {}\n", as_list(people));
  if (!groups.empty()) yaml += fmt::format("    groups: {}\n", as_list(groups));
  return yaml;
}

struct Wrote {
  fs::path file;
  std::string yaml;      // empty: nothing was given
  bool written = false;  // false: the file was there before
};

// A file that exists may say something else on purpose: it is never changed.
Result<Wrote> write_settings(const Context& context, const Given& given) {
  const Outside& outside = context.outside;
  Wrote wrote;
  TRY(wrote.file, config::file_to_begin(context.places, outside.environment, outside.working_dir));
  wrote.yaml = settings_yaml(given);
  std::error_code ignored;
  // A new deputy.yaml would hide a deputy.json.
  const bool exists =
      fs::exists(wrote.file, ignored) || fs::exists(fs::path(wrote.file).replace_extension(".json"), ignored);
  if (wrote.yaml.empty() || exists) return wrote;
  TRY(config::write_private(wrote.file, wrote.yaml, config::Existing::keep));
  wrote.written = true;
  return wrote;
}

// ---- What is said.

std::string settings_text(const Wrote& wrote) {
  if (wrote.yaml.empty()) {
    return "Nobody is named yet who may approve, so everything that changes something is refused in Slack. Name them "
           "with --approver, or under `roles.approver` in the settings.\n";
  }
  if (wrote.written) return fmt::format("Wrote {}:\n{}", wrote.file.string(), channel::indented(wrote.yaml));
  return fmt::format("{} exists and was not changed. Add to it:\n{}", wrote.file.string(),
                     channel::indented(wrote.yaml));
}

std::string steps(const Given& given, const std::optional<slack::CreatedApp>& app) {
  const std::string page = app ? "https://api.slack.com/apps/" + app->id : "https://api.slack.com/apps";
  std::vector<std::string> list;
  if (app) {
    list.push_back(fmt::format("Install the app in your workspace: {}", app->install_url));
  } else {
    list.push_back(page + ": Create New App, From a manifest. Choose the workspace and paste the manifest.");
    list.push_back("Install App: install it in the workspace.");
  }
  list.push_back(
      fmt::format("{}: OAuth & Permissions has the Bot User OAuth Token (xoxb-…). Set it as SLACK_BOT_TOKEN.", page));
  if (given.transport == Transport::socket) {
    list.push_back(
        "Basic Information, App-Level Tokens: generate a token with the scope connections:write (xapp-…). Set it as "
        "SLACK_APP_TOKEN.");
  } else {
    list.push_back("Basic Information, App Credentials: set the Signing Secret as SLACK_SIGNING_SECRET.");
    list.push_back(
        "Let your proxy hand that address to serve.listen. While `deputy serve` runs, Event Subscriptions verifies "
        "it.");
  }
  list.push_back("`deputy doctor` checks all of it with real calls, `deputy serve` runs it.");
  list.push_back("In Slack: /invite @deputy in a channel, then mention it: @deputy help");
  std::string text = "Next:\n";
  for (std::size_t i = 0; i < list.size(); ++i) text += fmt::format("{}. {}\n", i + 1, list[i]);
  return text +
         "A token may also be a reference in the settings, file:PATH or env:NAME: "
         "`channels: {slack: {bot_token: file:/etc/deputy/bot-token}}`.\n";
}

void print(const Context& context, const Given& given, const json::object& manifest,
           const std::optional<slack::CreatedApp>& app, const Result<Wrote>& wrote) {
  if (context.json) {
    json::object document{{"manifest", manifest}};
    if (app) document["app_id"] = app->id;
    if (app) document["install_url"] = app->install_url;
    if (wrote)
      document["settings"] = {{"path", wrote->file.string()}, {"written", wrote->written}, {"yaml", wrote->yaml}};
    context.outside.out << json::serialize(document) << "\n";
    return;
  }
  if (app) {
    context.outside.out << "created the app " << channel::one_line(app->id) << "\n";
  } else {
    context.outside.out << slack::manifest_text(manifest);
  }
  context.outside.out.flush();
  context.outside.errors << channel::shown_lines(steps(given, app));
  if (wrote) context.outside.errors << channel::shown_lines(settings_text(*wrote));
}

// ---- All of it.

Result<slack::CreatedApp> create_app(const Context& context, const Given& given, const json::object& manifest) {
  Context loading = context;
  std::error_code ignored;
  // The file that --config names may be the one that this command begins.
  if (loading.places.config && !fs::exists(context.outside.working_dir / *loading.places.config, ignored))
    loading.places.config.reset();
  const SystemClock clock;
  asio::io_context loop;
  TRY(const ReadSettings read, sound_settings(loading, clock, loop.get_executor()));
  TRY(Secret token, configuration_token(context, given));
  if (!token.reveal().starts_with(kTokenBegins)) {
    return fail(ErrorKind::invalid_input, "this is not a configuration token: one begins with xoxe.xoxp-",
                "https://api.slack.com/apps has it under Your App Configuration Tokens; it is not a bot token");
  }
  Result<slack::CreatedApp> app = fail(ErrorKind::internal, "the app was not created");
  asio::co_spawn(loop,
                 slack::create_app(read.loaded.settings.channels.slack.api_url, std::move(token), manifest,
                                   *read.accounts->http, clock),
                 [&](const std::exception_ptr& thrown, Result<slack::CreatedApp> created) {
                   if (thrown) std::rethrow_exception(thrown);
                   app = std::move(created);
                 });
  loop.run();
  return app;
}

Result<> set_up(const Context& context, Given given) {
  TRY(check_given(given));
  TRY(const std::string url, request_url(given));
  const json::object manifest = slack::app_manifest(url);
  ask_for_approvers(context, given);
  TRY(check_given(given));
  std::optional<slack::CreatedApp> app;
  if (given.create || !given.token_file.empty()) {
    TRY(app, create_app(context, given, manifest));
  }
  // An app that was created is named whatever comes after: trying again would create a second one.
  const Result<Wrote> wrote = write_settings(context, given);
  print(context, given, manifest, app, wrote);
  return wrote ? Result<>{} : std::unexpected(wrote.error());
}

}  // namespace

void add_config_init_slack(CLI::App& init, Context& context) {
  CLI::App* command =
      init.add_subcommand("slack", "Create the Slack app: its manifest, the steps, and who may approve");
  command->footer(kExamples);
  command->fallthrough();
  auto given = std::make_shared<Given>();
  command
      ->add_option("--approver", given->approvers,
                   "Who may approve: T1/U1, a user group S1, an e-mail; may be repeated")
      ->type_name("ID")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--channel", given->channels, "A channel Deputy answers in; none given: all; may be repeated")
      ->type_name("ID")
      ->take_all()
      ->allow_extra_args(false);
  const std::map<std::string, Transport> transports{{"socket", Transport::socket}, {"http", Transport::http}};
  command->add_option("--transport", given->transport, "How events arrive: socket (needs no open port) or http")
      ->transform(CLI::CheckedTransformer(transports));
  command->add_option("--url", given->url, "With --transport http: the https address under which Slack reaches Deputy");
  command->add_flag("--create", given->create, "Create the app with a configuration token");
  command->add_option("--configuration-token-file", given->token_file, "A file with the token; implies --create")
      ->type_name("FILE");
  command->callback([&context, given] {
    context.action = [&context, given] {
      const Result<> done = set_up(context, *given);
      return done ? ExitCode::done : print_failure(context, done.error());
    };
  });
}

}  // namespace deputy::app
