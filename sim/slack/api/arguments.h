// The arguments of a Web API call, however they came: a form, a multipart form, JSON or a query. In a form everything
// is text, and what is structured is JSON in that text.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/json.h"
#include "net/server.h"

namespace deputy::sim::slack {

class Arguments {
 public:
  /// Errors are Slack's codes: invalid_post_type, invalid_form_data, invalid_json …
  static std::expected<Arguments, std::string> read(const net::ServerRequest& request);

  bool has(std::string_view name) const;
  std::string text(std::string_view name) const;  // empty when there is none
  bool flag(std::string_view name) const;         // true, "true" or 1
  std::optional<std::int64_t> number(std::string_view name) const;

  /// A structured argument; nothing when there is none, null when it is text that is not JSON.
  std::optional<json::value> structured(std::string_view name) const;

  const std::map<std::string, json::value, std::less<>>& all() const { return values_; }
  void set(std::string name, json::value value) { values_[std::move(name)] = std::move(value); }
  bool is_json() const { return is_json_; }

 private:
  std::map<std::string, json::value, std::less<>> values_;
  bool is_json_ = false;
};

/// The first part of a multipart body that has this name (any name when empty); nothing when there is none.
std::optional<std::string> multipart_field(const net::ServerRequest& request, std::string_view name);

}  // namespace deputy::sim::slack
