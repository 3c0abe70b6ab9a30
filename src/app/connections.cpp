#include "app/connections.h"

#include "net/url.h"

namespace deputy::app {

net::ClientOptions client_options(const NetworkSettings& settings) {
  return {.proxy = settings.proxy,
          .no_proxy = net::split_no_proxy(settings.no_proxy),
          .ca_file = settings.ca_file.string()};
}

Accounts::Accounts(const Settings& settings, const config::Environment& environment, const Clock& clock,
                   const asio::any_io_executor& loop) {
  net::ClientOptions options = client_options(settings.network);
  slack_http = std::make_unique<net::Client>(loop, options);
  options.max_connections = options.max_connections_per_host = settings.limits.live_runs;
  http = std::make_unique<net::Client>(loop, std::move(options));
  aws = std::make_unique<clients::aws::Account>(settings.aws, environment, *http, clock, loop);
  const channel::slack::Settings& slack_settings = settings.channels.slack;
  if (slack_settings.is_set()) slack = std::make_unique<clients::slack::Api>(slack_settings, *slack_http, clock);
}

}  // namespace deputy::app
