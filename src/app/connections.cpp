#include "app/connections.h"

#include "clients/aws/s3.h"
#include "clients/aws/settings.h"
#include "net/url.h"

namespace deputy::app {

namespace aws = clients::aws;

Aws::Aws(aws::Settings settings, config::Environment environment, net::HttpClient& http, const Clock& clock,
         const asio::any_io_executor& loop)
    : around_{http, clock, std::move(environment), std::move(settings)},
      credentials_(loop, clock, [this] { return aws::find_credentials(around_); }),
      signed_(http, credentials_, clock) {}

Result<std::string> Aws::region() const { return aws::find_region(around_.environment, around_.settings); }

Result<std::string> Aws::bedrock_endpoint() const {
  TRY(const std::string here, region());
  return aws::endpoint(around_.settings, aws::Service::bedrock_runtime, here);
}

Task<Result<std::string>> Aws::read_s3(std::string address, std::size_t most) {
  CO_TRY(aws::S3Object object, aws::parse_s3_url(address));
  CO_TRY(std::string here, region());
  co_return co_await aws::get_object(signed_, around_.settings, std::move(here), std::move(object), most);
}

net::ClientOptions client_options(const NetworkSettings& settings) {
  return {.proxy = settings.proxy,
          .no_proxy = net::split_no_proxy(settings.no_proxy),
          .ca_file = settings.ca_file.string()};
}

Accounts::Accounts(const Settings& settings, const Clock& clock, const asio::any_io_executor& loop) {
  net::ClientOptions options = client_options(settings.network);
  slack_http = std::make_unique<net::Client>(loop, options);
  options.max_connections = options.max_connections_per_host = settings.limits.live_runs;
  http = std::make_unique<net::Client>(loop, std::move(options));
  const channel::slack::Settings& slack_settings = settings.channels.slack;
  if (slack_settings.is_set()) slack = std::make_unique<clients::slack::Api>(slack_settings, *slack_http, clock);
}

}  // namespace deputy::app
