// The redactor of one run: the same secret has the same marker in it, in whatever process.
#pragma once

#include <string>

#include "base/ids.h"
#include "redact/redact.h"

namespace deputy::run {

class Redaction {
 public:
  /// `secret` is random and the same in all processes on one store.
  explicit Redaction(std::string secret) : secret_(std::move(secret)) {}

  redact::Redactor of(const RunId& run) const;

 private:
  std::string secret_;
};

}  // namespace deputy::run
