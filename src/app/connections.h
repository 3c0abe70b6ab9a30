// Connections to the outside: HTTP, Slack's and AWS's accounts. Also the checks that `doctor` makes with a real call.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/settings.h"
#include "base/task.h"
#include "clients/aws/account.h"
#include "clients/slack/api.h"
#include "net/client.h"

namespace deputy::app {

net::ClientOptions client_options(const NetworkSettings& settings);

/// The clients for addresses from settings, and the accounts that a channel and tools share: each has one rate limiter.
struct Accounts {
  /// Clock and loop outlive it. `environment` is where AWS's credentials are looked for.
  Accounts(const Settings& settings, const config::Environment& environment, const Clock& clock,
           const asio::any_io_executor& loop);

  /// Models, AWS. A model takes seconds to answer, and over HTTP/1.1 each request holds a connection meanwhile: every
  /// live run may have one.
  std::unique_ptr<net::HttpClient> http;
  std::unique_ptr<clients::aws::Account> aws;
  std::unique_ptr<net::HttpClient> slack_http;
  std::unique_ptr<clients::slack::Api> slack;  // null: not set up
};

/// One check of `doctor`.
struct Check {
  std::string name;
  std::string missing;  // the setting to set first; empty: it is set up, and a failing `look` means it is broken
  std::function<Task<Result<std::string>>()> look = {};  // makes a real call; the result in a few words
};

}  // namespace deputy::app
