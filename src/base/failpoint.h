// Points at which crash tests kill this process: `failpoint("store.before_commit");`. The process named by
// DEPUTY_FAILPOINT="name" or "name:3" (the third time) sends itself SIGKILL there. Absent from release builds.
#pragma once

namespace deputy {

#ifdef DEPUTY_FAILPOINTS
void failpoint(const char* name);
#else
inline void failpoint(const char*) {}
#endif

}  // namespace deputy
