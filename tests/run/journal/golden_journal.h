// Journals as a release wrote them, a row a line: tests/run/golden/*.jsonl. They are never changed; a release that
// writes something new adds files.
#pragma once

#include <string>
#include <vector>

#include "store/rows.h"

namespace deputy::run {

/// The names of all golden journals, sorted.
std::vector<std::string> golden_names();

/// Throws when there is no such file or a line of it is no row: a broken test.
std::vector<store::EntryRow> golden_rows(const std::string& name);

}  // namespace deputy::run
