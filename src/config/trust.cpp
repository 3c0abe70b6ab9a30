#include "config/trust.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "config/files.h"
#include "config/secrets.h"

namespace deputy::config {

namespace {

constexpr std::size_t kLargestList = 1'000'000;

// One name per file, also when it is reached by another path to the same folder.
std::string name_of(const std::filesystem::path& file) {
  std::error_code failed;
  const auto folder = std::filesystem::weakly_canonical(file.parent_path(), failed);
  return failed ? file.string() : (folder / file.filename()).string();
}

/// True for a file below the folder, whatever links lead to it.
bool is_inside(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code failed;
  const auto from_folder = std::filesystem::weakly_canonical(file, failed)
                               .lexically_relative(std::filesystem::weakly_canonical(folder, failed));
  return !failed && !from_folder.empty() && !from_folder.string().starts_with("..");
}

/// The digest of the file and of the scripts of the project that its `cmd:` secrets name: a script that changes is
/// trusted no more than a changed file.
std::string digest_of(const std::filesystem::path& file, std::string_view bytes) {
  constexpr std::size_t kMaxScripts = 100;
  std::map<std::string, std::string> scripts;
  for (std::size_t at = bytes.find("cmd:"); at != std::string_view::npos; at = bytes.find("cmd:", at + 1)) {
    const std::string_view rest = bytes.substr(at + 4);
    const std::string_view command = rest.substr(0, rest.find('\n'));
    std::string plain(command);
    std::ranges::replace_if(plain, [](char c) { return std::string_view("\"'{}[],").contains(c); }, ' ');
    for (const auto& script : files_of_command(plain, file.parent_path())) {
      if (scripts.size() == kMaxScripts || !is_inside(script, file.parent_path()) || script == file) continue;
      const Result<FileContent> content = read_bounded(script, kLargestList);
      scripts[script.string()] = content ? sha256_hex(content->text) : "unreadable";
    }
  }
  if (scripts.empty()) return sha256_hex(bytes);
  std::string all = sha256_hex(bytes);
  for (const auto& [path, digest] : scripts) all += "\n" + path + " " + digest;
  return sha256_hex(all);
}

}  // namespace

Result<TrustedFiles> TrustedFiles::read(const std::filesystem::path& trusted_file) {
  TrustedFiles trusted(trusted_file);
  const Result<FileContent> content = read_bounded(trusted_file, kLargestList);
  if (!content && content.error().kind == ErrorKind::not_found) return trusted;
  if (!content) return std::unexpected(content.error());
  if (others_can_write(content->owner, geteuid())) {
    return fail(ErrorKind::permission, fmt::format("others can write {}", trusted_file.string()),
                fmt::format("make it yours alone, `chmod 600 {}`, and check what it lists", trusted_file.string()));
  }
  const Result<json::object> list = parse_json_object(content->text);
  const std::string hint = fmt::format("remove {} and trust again", trusted_file.string());
  if (!list) return fail(ErrorKind::internal, fmt::format("{}: {}", trusted_file.string(), list.error().message), hint);
  for (const auto& member : *list) {
    const json::string* digest = member.value().if_string();
    if (digest == nullptr)
      return fail(ErrorKind::internal, fmt::format("{}: a digest is not text", trusted_file.string()), hint);
    trusted.digests_.emplace(as_view(member.key()), as_view(*digest));
  }
  return trusted;
}

Trust TrustedFiles::judge(const std::filesystem::path& file, std::string_view bytes) const {
  const auto known = digests_.find(name_of(file));
  if (known == digests_.end()) return Trust::never;
  return known->second == digest_of(file, bytes) ? Trust::trusted : Trust::changed;
}

Result<std::string> TrustedFiles::trust(const std::filesystem::path& file, std::string_view bytes) {
  TRY(make_ours_alone(trusted_file_.parent_path()));  // anyone who can write there could trust files in our name
  std::string digest = digest_of(file, bytes);
  digests_[name_of(file)] = digest;
  json::object list;
  for (const auto& [path, known] : digests_) list[path] = known;
  TRY(write_private(trusted_file_, json::serialize(list) + "\n", Existing::replace));
  return digest;
}

}  // namespace deputy::config
