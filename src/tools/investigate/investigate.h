// Looking into an issue on its own.
#pragma once

#include <memory>
#include <string>

#include "toolkit/tool.h"

namespace deputy::tools {

/// investigate_issue(service*, environment*, description): a child run that may only read, with a turn limit of its
/// own.
std::shared_ptr<const toolkit::Tool> investigate_issue();

/// The answer in the four sections of a report. One that has none of them was no conclusion: it is the evidence, and
/// the rest says that there is none.
std::string as_report(std::string answer);

}  // namespace deputy::tools
