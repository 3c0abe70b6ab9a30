#include "support/fault_vfs.h"

#include <sqlite3.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>

namespace deputy::test {

namespace {

Fault chosen = Fault::write;
std::atomic<int> fail_at = 0;
std::atomic<int> calls = 0;
std::atomic<bool> goes_on = false;
sqlite3_vfs* real = nullptr;

bool fails(Fault kind) {
  if (kind != chosen) return false;
  const int call = ++calls;
  return call == fail_at || (goes_on && fail_at != 0 && call > fail_at);
}

// SQLite allocates szOsFile bytes: ours, then the real file's.
struct File {
  sqlite3_file base;
  sqlite3_file* inner() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

sqlite3_file* inner(sqlite3_file* file) { return reinterpret_cast<File*>(file)->inner(); }

int close(sqlite3_file* file) { return inner(file)->pMethods->xClose(inner(file)); }
int read(sqlite3_file* file, void* into, int size, sqlite3_int64 at) {
  return inner(file)->pMethods->xRead(inner(file), into, size, at);
}
int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  if (fails(Fault::write)) return SQLITE_IOERR_WRITE;
  if (fails(Fault::space)) return SQLITE_FULL;
  return inner(file)->pMethods->xWrite(inner(file), from, size, at);
}
int truncate(sqlite3_file* file, sqlite3_int64 size) { return inner(file)->pMethods->xTruncate(inner(file), size); }
int sync(sqlite3_file* file, int flags) {
  if (fails(Fault::sync)) return SQLITE_IOERR_FSYNC;
  return inner(file)->pMethods->xSync(inner(file), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) { return inner(file)->pMethods->xFileSize(inner(file), size); }
int lock(sqlite3_file* file, int level) {
  if (fails(Fault::lock)) return SQLITE_IOERR_LOCK;
  return inner(file)->pMethods->xLock(inner(file), level);
}
int unlock(sqlite3_file* file, int level) { return inner(file)->pMethods->xUnlock(inner(file), level); }
int check_reserved(sqlite3_file* file, int* result) {
  return inner(file)->pMethods->xCheckReservedLock(inner(file), result);
}
int control(sqlite3_file* file, int operation, void* argument) {
  if (operation == SQLITE_FCNTL_SIZE_HINT && fails(Fault::space)) return SQLITE_FULL;
  return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}
int sector_size(sqlite3_file* file) { return inner(file)->pMethods->xSectorSize(inner(file)); }
int characteristics(sqlite3_file* file) { return inner(file)->pMethods->xDeviceCharacteristics(inner(file)); }
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** into) {
  if (extend != 0 && fails(Fault::space)) return SQLITE_FULL;
  if (extend != 0 && fails(Fault::room)) {
    errno = ENOSPC;
    return SQLITE_IOERR_SHMSIZE;
  }
  return inner(file)->pMethods->xShmMap(inner(file), page, size, extend, into);
}
int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  if ((flags & SQLITE_SHM_LOCK) != 0 && fails(Fault::lock)) return SQLITE_IOERR_SHMLOCK;
  return inner(file)->pMethods->xShmLock(inner(file), offset, count, flags);
}
void shm_barrier(sqlite3_file* file) { inner(file)->pMethods->xShmBarrier(inner(file)); }
int shm_unmap(sqlite3_file* file, int remove) { return inner(file)->pMethods->xShmUnmap(inner(file), remove); }
int fetch(sqlite3_file*, sqlite3_int64, int, void** into) {
  *into = nullptr;
  return SQLITE_OK;
}
int unfetch(sqlite3_file*, sqlite3_int64, void*) { return SQLITE_OK; }

constexpr sqlite3_io_methods kMethods{
    3,         close,          read,    write,       truncate,        sync,    file_size, lock,
    unlock,    check_reserved, control, sector_size, characteristics, shm_map, shm_lock,  shm_barrier,
    shm_unmap, fetch,          unfetch};

int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  std::memset(inner(file), 0, static_cast<std::size_t>(real->szOsFile));
  const int code = real->xOpen(real, name, inner(file), flags, out_flags);
  file->pMethods = inner(file)->pMethods == nullptr ? nullptr : &kMethods;
  return code;
}

}  // namespace

void install_fault_vfs(Fault fault, int nth, Lasts lasts) {
  chosen = fault;
  goes_on = lasts == Lasts::from_then_on;
  fail_at = nth;
  calls = 0;
  static sqlite3_vfs vfs;
  if (real != nullptr) return;
  real = sqlite3_vfs_find(nullptr);
  vfs = *real;
  vfs.zName = kFaultVfs;
  vfs.szOsFile = static_cast<int>(sizeof(File)) + real->szOsFile;
  vfs.xOpen = open;
  sqlite3_vfs_register(&vfs, 0);
}

int fault_calls() { return calls; }

Fault parse_fault(const std::string& name) {
  if (name == "write") return Fault::write;
  if (name == "sync") return Fault::sync;
  if (name == "lock") return Fault::lock;
  if (name == "space") return Fault::space;
  if (name == "room") return Fault::room;
  throw std::runtime_error("there is no fault " + name);
}

}  // namespace deputy::test
