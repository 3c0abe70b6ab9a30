#include "base/result.h"

namespace deputy {

std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::network:
      return "network";
    case ErrorKind::authentication:
      return "authentication";
    case ErrorKind::permission:
      return "permission";
    case ErrorKind::rate_limit:
      return "rate_limit";
    case ErrorKind::invalid_input:
      return "invalid_input";
    case ErrorKind::not_configured:
      return "not_configured";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::timeout:
      return "timeout";
    case ErrorKind::cancelled:
      return "cancelled";
    case ErrorKind::conflict:
      return "conflict";
    case ErrorKind::upstream:
      return "upstream";
    case ErrorKind::internal:
      return "internal";
  }
  return "internal";
}

std::string describe(const Error& error) {
  if (error.hint.empty()) return error.message;
  return error.message + " (" + error.hint + ")";
}

}  // namespace deputy
