#include "store/sqlite/transaction.h"

#include <unistd.h>

#include "base/log.h"

namespace deputy::store {

void end_process(const Error& error) {
  log::error("the database can no longer be trusted; exiting", {{"error", describe(error)}});
  _exit(70);
}

}  // namespace deputy::store
