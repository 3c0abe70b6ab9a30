#include "clients/aws/account.h"

#include "clients/aws/s3.h"

namespace deputy::clients::aws {

Account::Account(Settings settings, config::Environment environment, net::HttpClient& http, const Clock& clock,
                 const asio::any_io_executor& loop)
    : around_{http, clock, std::move(environment), std::move(settings)},
      credentials_(loop, clock, [this] { return find_credentials(around_); }),
      signed_(http, credentials_, clock) {}

Result<std::string> Account::region() const { return find_region(around_.environment, around_.settings); }

Result<std::string> Account::endpoint_of(Service service) const {
  TRY(const std::string here, region());
  return endpoint(around_.settings, service, here);
}

std::shared_ptr<JsonApi> Account::json_api(const JsonService& service) {
  Result<JsonApi::Place> place = fail(ErrorKind::internal, "");
  if (const Result<std::string> here = region(); !here) {
    place = std::unexpected(here.error());
  } else if (const Result<std::string> url = endpoint(around_.settings, service.service, *here); !url) {
    place = std::unexpected(url.error());
  } else {
    place = JsonApi::Place{*here, *url};
  }
  return std::make_shared<JsonApi>(service, std::move(place), signed_, around_.clock);
}

Task<Result<std::string>> Account::read_s3(std::string address, std::size_t most) {
  CO_TRY(S3Object object, parse_s3_url(address));
  CO_TRY(std::string here, region());
  co_return co_await get_object(signed_, around_.settings, std::move(here), std::move(object), most);
}

}  // namespace deputy::clients::aws
