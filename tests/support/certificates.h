// An authority of our own and a certificate by it for `localhost` and 127.0.0.1, made anew for each test program.
#pragma once

#include <string>

#include "support/temporary_folder.h"

namespace deputy::test {

class Certificates {
 public:
  Certificates();

  std::string authority_file() const { return folder_ / "authority.pem"; }
  std::string certificate_file() const { return folder_ / "certificate.pem"; }
  std::string key_file() const { return folder_ / "key.pem"; }

 private:
  TemporaryFolder folder_;
};

}  // namespace deputy::test
