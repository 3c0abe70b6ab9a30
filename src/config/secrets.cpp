#include "config/secrets.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

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

// A command's output and errors may contain the secret, so they are never repeated.
Result<Secret> run_command(const SecretReference& reference, const Environment& environment) {
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
