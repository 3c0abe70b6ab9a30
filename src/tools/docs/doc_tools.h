// The tools that search and read the team's pages in Confluence.
//
// To add one: its parameters and a function that makes it in doc_tools.cpp, and its line in doc_tools().
#pragma once

#include <memory>
#include <vector>

#include "net/http.h"
#include "toolkit/tool.h"
#include "tools/backend_choice.h"
#include "tools/docs/confluence.h"
#include "tools/docs/settings.h"

namespace deputy::tools {

using DocBackends = Backends<Confluence>;

/// The one that settings set up, if any. Client and clock outlive it.
DocBackends make_doc_backends(const DocToolsSettings& settings, const clients::atlassian::Settings& account,
                              net::HttpClient& http, const Clock& clock);

std::vector<std::shared_ptr<const toolkit::Tool>> doc_tools(const DocBackends& backends);

}  // namespace deputy::tools
