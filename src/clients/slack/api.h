// Calls to the Web API of one Slack workspace. calls.h has them typed.
//
// A call never waits for a rate limit: it returns `rate_limit` with `retry_after`. A call that may be made twice is
// tried again after a failure on the way; any other is not, because nobody knows whether it was carried out: its error
// is of kind `network` or `timeout`.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"
#include "clients/slack/limiter.h"
#include "clients/slack/settings.h"
#include "net/http.h"

namespace deputy::clients::slack {

enum class Token { bot, app, user };

struct CallOptions {
  Token token = Token::bot;
  Use use = Use::needed;
};

/// Who wrote a message to Deputy, and where. Slack sends a token with it that allows that person's search for a while.
struct Asker {
  std::string conversation;
  std::string account;

  bool operator==(const Asker&) const = default;
};

class Api {
 public:
  /// `http` and `clock` outlive it.
  Api(Settings settings, net::HttpClient& http, const Clock& clock);

  /// The reply of a call that succeeded. `arguments` that are null are left out.
  Task<Result<json::object>> call(std::string_view method, json::object arguments, CallOptions options = {});

  /// All pages of a list: the items of `list` in each reply, at most `most`.
  Task<Result<json::array>> pages(std::string_view method, json::object arguments, std::string_view list,
                                  std::size_t most, CallOptions options = {});

  /// Sends bytes to an address that files.getUploadURLExternal gave.
  Task<Result<>> upload(std::string url, std::string content);
  /// The bytes of a file. The token is sent to Slack's file host or the host of the API only, encrypted unless that is
  /// this machine, and never after a redirect.
  Task<Result<std::string>> download(std::string url, std::size_t most);
  /// Answers through the address that came with a click or a command.
  Task<Result<>> respond(std::string url, json::object message);

  /// Keeps the newest token of an asker, in memory only: it soon expires.
  void keep_action_token(Asker asker, Secret token);
  /// Null if there is none. Valid until the next one is kept.
  const Secret* action_token(const Asker& asker) const;

  bool has(Token token) const { return !secret_of(token).empty(); }
  const Settings& settings() const { return settings_; }
  /// The scopes of the bot token, as the last reply listed them; empty before the first.
  const std::string& scopes() const { return scopes_; }

 private:
  const Secret& secret_of(Token token) const;
  Task<Result<json::object>> attempt(const Method& method, net::Request request, std::string channel, Token token);
  bool is_own_host(std::string_view url) const;

  Settings settings_;
  net::HttpClient& http_;
  const Clock& clock_;
  Limiter limiter_;
  std::string scopes_;
  std::deque<std::pair<Asker, Secret>> action_tokens_;  // by asker, the newest first
};

/// The arguments as a form, as Slack's own clients send them: lists and objects as JSON text. Pure.
std::string form_of(const json::object& arguments);

/// The cursor of the next page; empty if this is the last.
std::string next_cursor(const json::object& reply);

}  // namespace deputy::clients::slack
