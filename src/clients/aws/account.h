// The AWS account that models and tools share: credentials, region, addresses, and calls to its services.
#pragma once

#include <memory>
#include <string>

#include "clients/aws/chain.h"
#include "clients/aws/credentials.h"
#include "clients/aws/json_api.h"
#include "clients/aws/settings.h"
#include "clients/aws/signed_client.h"

namespace deputy::clients::aws {

class Account {
 public:
  /// Client and clock outlive it. Nothing is read before it is needed.
  Account(Settings settings, config::Environment environment, net::HttpClient& http, const Clock& clock,
          const asio::any_io_executor& loop);

  CredentialSource& credentials() { return credentials_; }
  /// not_configured if neither settings, nor the environment, nor the profile name a region.
  Result<std::string> region() const;
  Result<std::string> endpoint_of(Service service) const;
  const Settings& settings() const { return around_.settings; }
  const config::Environment& environment() const { return around_.environment; }

  /// This object outlives it.
  std::shared_ptr<JsonApi> json_api(const JsonService& service);

  /// The bytes of the object at "s3://bucket/key"; more than `most` is an error.
  Task<Result<std::string>> read_s3(std::string address, std::size_t most);

 private:
  AwsContext around_;
  CachedCredentials credentials_;
  SignedClient signed_;
};

}  // namespace deputy::clients::aws
