// The tools that have a model read a conversation: summarize_messages and analyze_conversation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "toolkit/tool.h"
#include "tools/transcript.h"

namespace deputy::tools {

struct AnalysisSetup {
  ReadTranscript read;
  std::string missing = {};        // what to set before it can read; empty: it can
  json::object target = {};        // what is read, for the chain's digest
  toolkit::LeadsTo leads_to = {};  // of the channel that is named
};

std::vector<std::shared_ptr<const toolkit::Tool>> analysis_tools(const AnalysisSetup& setup);

/// summarize_messages(channel*, limit, style, focus_areas, max_words)
std::shared_ptr<const toolkit::Tool> summarize_messages(const AnalysisSetup& setup);
/// analyze_conversation(channel*, analysis_type, confidence_threshold)
std::shared_ptr<const toolkit::Tool> analyze_conversation(const AnalysisSetup& setup);

}  // namespace deputy::tools
