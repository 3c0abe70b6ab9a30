// Block Kit as Slack checks it. Pure: it knows nothing of scopes, channels or files. A message's `blocks` and its
// `attachments` are checked apart, so who posts both must still count the tables of both (one a message); a video block
// needs the scope links.embed:write, which only the caller knows.
//
// The tables are in block_shapes.h, how fields depend on each other in block_rules.h. Where Slack's own sources differ
// the narrower one counts: what passes here Slack takes, and not everything that Slack takes passes.
#pragma once

#include "sim/slack/kit/shape.h"

namespace deputy::sim::slack {

enum class Surface { message, modal, home };

/// What is wrong with a list of blocks; nothing when Slack takes it. Pointers begin with "/blocks". The codes are
/// `invalid_blocks` and, for a message with more than 12,000 characters of text, `msg_blocks_too_long`.
std::vector<BlockProblem> check_blocks(const json::value& blocks, Surface surface);

/// The same for a modal or a home tab. Pointers begin with "/view", codes are `invalid_arguments` and `view_too_large`.
std::vector<BlockProblem> check_view(const json::value& view);

/// The same for a message's attachments. Pointers begin with "/attachments", codes are `invalid_attachments`,
/// `too_many_attachments` and `msg_blocks_too_long`.
std::vector<BlockProblem> check_attachments(const json::value& attachments);

}  // namespace deputy::sim::slack
