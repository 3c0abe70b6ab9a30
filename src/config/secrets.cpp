#include "config/secrets.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>

#include "base/json.h"
#include "base/process.h"
#include "base/text.h"
#include "config/files.h"

namespace deputy::config {

namespace {

constexpr std::size_t kLargestSecret = 64'000;
constexpr std::chrono::milliseconds kCommandLimit{10'000};
// How settings show a hidden secret (base/fields_codec.h). Read back, it would become the password.
constexpr std::string_view kHidden = "(secret)";

Result<Secret> finish(std::string value, std::string_view what) {
  if (value.ends_with('\n')) value.pop_back();
  if (value.ends_with('\r')) value.pop_back();
  if (value.empty()) return fail(ErrorKind::not_configured, fmt::format("{} gives an empty secret", what));
  return Secret(std::move(value));
}

Result<Secret> read_secret_file(const std::filesystem::path& path) {
  Result<FileContent> content = read_bounded(path, kLargestSecret);
  if (!content) {
    content.error().hint = content.error().kind == ErrorKind::not_found
                               ? "put the secret there, or correct the path: a relative one starts at the settings file"
                               : "use a regular file of at most 64 KB that the user who runs Deputy can read";
    return std::unexpected(std::move(content.error()));
  }
  const bool readable = others_can_read(content->owner);
  if (readable || others_can_write(content->owner, geteuid())) {
    return fail(
        ErrorKind::permission,
        readable ? fmt::format("others can read the secret in {}", path.string())
                 : fmt::format("others can write the secret in {}, or it belongs to someone else", path.string()),
        fmt::format("`chmod 600 {}`; a mounted one takes `defaultMode: 0400` (Kubernetes) or `mode: 0400` (Docker); "
                    "rotate the secret if others may have seen it",
                    path.string()));
  }
  return finish(std::move(content->text), path.string());
}

Result<ProcessEnd> run_here(ProcessSpec spec) {
  asio::io_context loop;
  Result<ProcessEnd> end = fail(ErrorKind::internal, "the command did not run");
  std::exception_ptr thrown;
  asio::co_spawn(loop, run_process(std::move(spec)), [&](std::exception_ptr error, Result<ProcessEnd> ended) {
    thrown = std::move(error);
    end = std::move(ended);
  });
  loop.run();
  if (thrown) std::rethrow_exception(thrown);
  return end;
}

struct CommandWord {
  std::string text;
  bool is_program = false;  // the first word, or the first after | ; & or a bracket
};

// The words of a command line without their quotes, as far as a simple reading goes.
std::vector<CommandWord> words_of(std::string_view command) {
  std::vector<CommandWord> words;
  bool program_next = true;
  for (std::size_t at = 0; at < command.size();) {
    const char c = command[at];
    if (std::string_view("|;&()\n").contains(c)) program_next = true;
    if (std::string_view(" \t\n|;&()<>").contains(c)) {
      ++at;
      continue;
    }
    std::string word;
    char quote = '\0';
    for (; at < command.size(); ++at) {
      const char next = command[at];
      if (quote == '\0' && std::string_view(" \t\n|;&()<>").contains(next)) break;
      if (next == quote) {
        quote = '\0';
      } else if (quote == '\0' && (next == '"' || next == '\'')) {
        quote = next;
      } else if (next == '\\' && quote != '\'' && at + 1 < command.size()) {
        word += command[++at];
      } else {
        word += next;
      }
    }
    // `NAME=value program`: the program is still to come.
    const std::size_t equals = word.find('=');
    const bool assigns = equals != std::string::npos && equals > 0 &&
                         std::ranges::all_of(std::string_view(word).substr(0, equals),
                                             [](char part) { return is_letter_or_digit(part) || part == '_'; });
    words.push_back({std::move(word), program_next && !assigns});
    program_next = program_next && assigns;
  }
  return words;
}

// The file that a word of a command names, also by the search path if it is a program; nothing if there is none, as for
// what a shell does itself.
std::optional<std::filesystem::path> file_named(const CommandWord& word, const std::filesystem::path& folder,
                                                const Environment& environment) {
  namespace fs = std::filesystem;
  std::error_code failed;
  std::string text = word.text;
  const std::string* home = find_variable(environment, "HOME");
  for (const std::string_view prefix : {"~/", "$HOME/", "${HOME}/"}) {
    if (home != nullptr && text.starts_with(prefix)) text = *home + "/" + text.substr(prefix.size());
  }
  if (text.contains('/')) {
    const fs::path path = folder / text;
    return fs::is_regular_file(path, failed) ? std::optional(path) : std::nullopt;
  }
  const fs::path here = folder / text;
  if (!word.is_program) return fs::is_regular_file(here, failed) ? std::optional(here) : std::nullopt;
  const std::string* search = find_variable(environment, "PATH");
  for (const std::string_view place : split(search == nullptr ? "/usr/local/bin:/usr/bin:/bin" : *search, ":")) {
    fs::path path = folder / place / text;
    if (fs::is_regular_file(path, failed) && access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

bool anyone_else_can_write(const std::filesystem::path& path) {
  struct stat about{};
  if (stat(path.c_str(), &about) != 0) return true;
  if (S_ISDIR(about.st_mode) && (about.st_mode & S_ISVTX) != 0 && (about.st_uid == 0 || about.st_uid == geteuid()))
    return false;
  return others_can_write({about.st_uid, about.st_mode}, geteuid());
}

// Whoever can change a program that is run here gets the secret, and more. Who can write its folder can replace it.
Result<> check_programs(const SecretReference& reference, const Environment& environment) {
  for (const CommandWord& word : words_of(reference.text)) {
    const auto file = file_named(word, reference.folder, environment);
    if (!file) {
      const bool hidden = word.is_program && word.text.find_first_of("$`") != std::string::npos;
      if (!hidden) continue;
      return fail(ErrorKind::permission, "the command for this secret does not name its program plainly",
                  "write the path of the program: it is checked that nobody else can write it");
    }
    std::error_code failed;
    const auto real = std::filesystem::canonical(*file, failed);
    for (const auto& path : {*file, file->parent_path(), real, real.parent_path()}) {
      if (!anyone_else_can_write(path)) continue;
      return fail(ErrorKind::permission,
                  fmt::format("others can write {}, which the command for this secret runs or is in", path.string()),
                  fmt::format("make it yours alone: `chmod go-w {}`", path.string()));
    }
  }
  return {};
}

// A command's output and errors may contain the secret, so they are never repeated.
Result<Secret> run_command(const SecretReference& reference, const Environment& environment) {
  TRY(check_programs(reference, environment));
  ProcessSpec spec;
  spec.arguments = {"/bin/sh", "-c", reference.text};
  for (const auto& [name, value] : environment) spec.environment.push_back(fmt::format("{}={}", name, value));
  spec.working_dir = reference.folder.string();
  spec.timeout = kCommandLimit;
  spec.max_output = kLargestSecret;
  TRY(ProcessEnd end, run_here(std::move(spec)));
  const std::string hint = "run it by hand to see what it says";
  if (end.timed_out) return fail(ErrorKind::timeout, "the command for this secret timed out after 10s", hint);
  if (end.exit_code != 0) {
    return fail(ErrorKind::not_configured,
                fmt::format("the command for this secret ended with exit code {}", end.exit_code), hint);
  }
  if (end.output_bytes > end.output.size()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the command for this secret printed more than {} bytes", kLargestSecret), hint);
  }
  return finish(std::move(end.output), "the command for this secret");
}

}  // namespace

std::vector<std::filesystem::path> files_of_command(std::string_view command, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const CommandWord& word : words_of(command)) {
    if (const auto file = file_named({word.text, false}, folder, {})) files.push_back(*file);
  }
  return files;
}

std::filesystem::path path_of(const SecretReference& reference) {
  return (reference.folder / reference.text).lexically_normal();
}

Result<Secret> fetch_secret(const SecretReference& reference, const Environment& environment) {
  return reference.kind == SecretReference::Kind::file ? read_secret_file(path_of(reference))
                                                       : run_command(reference, environment);
}

Result<Secret> SecretResolution::resolve(const std::string& path, const std::string& text) {
  TRY(Secret secret, look_up(path, text));
  digests[path] = sha256_hex(secret.reveal());
  return secret;
}

Result<Secret> SecretResolution::look_up(const std::string& path, const std::string& text) {
  const Origin origin = origins_.of(path);
  // A vendor's variable holds the value itself.
  if (origin.source != nullptr && origin.source->kind == SourceKind::vendor_variable) return Secret(text);
  const auto after = [&](std::string_view prefix) {
    return std::string(trim(std::string_view(text).substr(prefix.size())));
  };
  const std::filesystem::path folder = origin.source == nullptr ? std::filesystem::path() : origin.source->folder;
  if (text.starts_with("env:")) {
    const std::string name = after("env:");
    if (const std::string* value = find_variable(environment_, name)) return Secret(*value);
    return fail(ErrorKind::not_configured,
                fmt::format("the environment variable {} is not set", cut_with_mark(name, 60)),
                "set it, or use another one");
  }
  if (text.starts_with("file:")) {
    const SecretReference reference{SecretReference::Kind::file, after("file:"), folder};
    std::ranges::move(fingerprint({path_of(reference)}), std::back_inserter(seen));
    return fetch(reference);
  }
  if (text.starts_with("cmd:")) return fetch({SecretReference::Kind::command, after("cmd:"), folder});
  return literal(path, text, origin);
}

Result<Secret> SecretResolution::fetch(const SecretReference& reference) {
  Result<Secret> secret = fetch_(reference, environment_);
  missing = missing || !secret;
  return secret;
}

Result<Secret> SecretResolution::literal(const std::string& path, const std::string& text, const Origin& origin) {
  if (text == kHidden) {
    return fail(ErrorKind::invalid_input, "this is the placeholder for a hidden secret, not a secret",
                "write env:NAME, file:PATH or cmd:COMMAND");
  }
  if (origin.source != nullptr && origin.source->readable_by_others) {
    return fail(ErrorKind::permission, "this secret is in a file that others can read",
                fmt::format("`chmod 600 {}`, or write env:NAME or file:PATH here; rotate it if others may have seen it",
                            origin.source->name));
  }
  if (origin.source != nullptr && origin.source->kind == SourceKind::flag) {
    notices.push_back(
        fmt::format("`{}`: a secret on the command line is visible in the process list; env:NAME is not", path));
  }
  return Secret(text);
}

}  // namespace deputy::config
