// Crash tests kill the process at a failpoint: `failpoint("store.before_commit");`. A process started with
// DEPUTY_FAILPOINT="name", or "name:3" for the third time, sends itself SIGKILL there. Absent from release builds.
#pragma once

namespace deputy {

#ifdef DEPUTY_FAILPOINTS
void failpoint(const char* name);
#else
inline void failpoint(const char*) {}
#endif

}  // namespace deputy
