// Block Kit as tables: every block, element, text, option and rich text object, with its fields, their kinds and
// limits, and where it may be used. Where sources differ the narrower one stands here: a message that passes is one
// that Slack takes.
//
// To add a block or an element: its fields and its line in block_shapes.cpp, its name in the lists of what may hold it,
// and its rows in tests/sim/slack/blocks_test.cpp.
#pragma once

#include "sim/slack/kit/shape.h"

namespace deputy::sim::slack {

/// Every shape. Those of a view are "view/modal" and "view/home", an attachment is "part/attachment".
std::span<const Shape> block_shapes();

/// The shapes that may stand in a list of blocks.
extern const std::string_view kBlocks;

constexpr std::int64_t kMaxMessageBlocks = 50;
constexpr std::int64_t kMaxViewBlocks = 100;

}  // namespace deputy::sim::slack
