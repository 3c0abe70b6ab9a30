// A SQLite file system that fails on request: the n-th write, sync, lock or request for space or room of this process
// returns an error, as a bad disk would, or all from that one on. Everything else goes to the real one.
#pragma once

#include <string>

namespace deputy::test {

enum class Fault {
  write,  // SQLITE_IOERR_WRITE
  sync,   // SQLITE_IOERR_FSYNC
  lock,   // SQLITE_IOERR_LOCK, on files and on shared memory
  space,  // SQLITE_FULL, on writes and growth
  room,   // SQLITE_IOERR_SHMSIZE on shared memory, which is what a full disk looks like there
};

constexpr const char* kFaultVfs = "faulty";

enum class Lasts { once, from_then_on };

/// Registers the file system; `nth` from 1, 0 never. Counting starts now.
void install_fault_vfs(Fault fault, int nth, Lasts lasts = Lasts::once);

/// How many calls of the chosen kind have been made.
int fault_calls();

/// "write" and so on; throws for anything else.
Fault parse_fault(const std::string& name);

}  // namespace deputy::test
