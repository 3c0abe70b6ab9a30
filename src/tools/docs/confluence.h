// Pages of Confluence Cloud: searched over its v1 API, which has CQL, and read over its v2 API.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/atlassian/account.h"
#include "tools/docs/settings.h"

namespace deputy::tools {

/// Texts are from outside and of any length.
struct DocPage {
  std::string id;
  std::string title;
  std::string space = {};    // its name or key
  std::string author = {};   // of the last change
  std::string excerpt = {};  // around what was found
  std::optional<Timestamp> updated = std::nullopt;
  std::string link = {};
  std::string text = {};  // Markdown; only of a page that was read
};

struct FoundPages {
  std::vector<DocPage> pages;
  bool has_more = false;
};

struct DocSpace {
  std::string key;
  std::string name;
  std::string type = {};
};

struct FoundSpaces {
  std::vector<DocSpace> spaces;  // by key
  bool has_more = false;
};

class Confluence {
 public:
  explicit Confluence(std::shared_ptr<clients::rest::Api> api) : api_(std::move(api)) {}

  std::string_view name() const { return "confluence"; }
  json::object target() const { return {{"url", api_->base_url()}}; }

  Task<Result<FoundPages>> search(std::string cql, std::size_t most, std::chrono::milliseconds limit);
  Task<Result<DocPage>> page(std::string id, std::chrono::milliseconds limit);
  Task<Result<FoundSpaces>> spaces(std::chrono::milliseconds limit);
  /// Makes a harmless read and says in a few words what came back, for `deputy doctor`.
  Task<Result<std::string>> diagnose(std::chrono::milliseconds limit);

 private:
  std::shared_ptr<clients::rest::Api> api_;
};

// Pure.

/// Pages with these words; an empty space: all. invalid_input if there are no words.
Result<std::string> cql_for_words(std::string_view words, std::string_view space);
/// Pages that changed in the last days, the newest first.
std::string cql_for_updates(std::string_view space, int days);

/// One result of a search. `base` is the address that links are relative to.
DocPage page_from(const json::value& result, std::string_view base);

/// The id in "12345" or in the address of a page; empty if there is none.
std::string page_id_in(std::string_view text);

}  // namespace deputy::tools
