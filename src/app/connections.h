// How the outside is reached: HTTP, the one AWS account; and what `doctor` looks at by a real call.
#pragma once

#include <functional>
#include <string>

#include "app/settings.h"
#include "base/task.h"
#include "clients/aws/chain.h"
#include "clients/aws/credentials.h"
#include "clients/aws/signed_client.h"
#include "net/client.h"

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

net::ClientOptions client_options(const NetworkSettings& settings);

struct Check {
  std::string name;
  std::string missing;  // what to set first; empty: it is set, so that a look which fails says it is broken
  std::function<Task<Result<std::string>>()> look = {};  // what was found, in a few words
};

}  // namespace deputy::app
