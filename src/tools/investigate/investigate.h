// The tool that investigates an issue in a run of its own.
#pragma once

#include <memory>
#include <string>

#include "toolkit/tool.h"

namespace deputy::tools {

/// investigate_issue(service*, environment*, description): a child run that may only read, with a turn limit of its
/// own.
std::shared_ptr<const toolkit::Tool> investigate_issue();

/// The answer as a report with four sections; missing sections are added and say that nothing was given. An answer with
/// none of the sections is not a conclusion: it becomes the evidence.
std::string as_report(std::string answer);

}  // namespace deputy::tools
