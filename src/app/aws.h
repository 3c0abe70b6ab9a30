// The one AWS account of a process: its credentials and what is read from it. Asks nobody until something is wanted.
#pragma once

#include <string>

#include "clients/aws/chain.h"
#include "clients/aws/credentials.h"
#include "clients/aws/signed_client.h"

namespace deputy::app {

class Aws {
 public:
  /// Client and clock outlive it.
  Aws(clients::aws::Settings settings, config::Environment environment, net::HttpClient& http, const Clock& clock,
      const asio::any_io_executor& loop);

  clients::aws::CredentialSource& credentials() { return credentials_; }
  /// An error of kind not_configured when nobody says one.
  Result<std::string> region() const;
  Result<std::string> bedrock_endpoint() const;

  /// What stands under "s3://bucket/key", at most so many bytes of it.
  Task<Result<std::string>> read_s3(std::string address, std::size_t most);

 private:
  clients::aws::Surroundings around_;
  clients::aws::CachedCredentials credentials_;
  clients::aws::SignedClient signed_;
};

}  // namespace deputy::app
