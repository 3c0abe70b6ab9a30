#include "run/redaction.h"

#include "base/json.h"

namespace deputy::run {

redact::Redactor Redaction::of(const RunId& run) const { return redact::Redactor(sha256_hex(secret_ + run.text())); }

}  // namespace deputy::run
