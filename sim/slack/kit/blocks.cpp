#include "sim/slack/kit/blocks.h"

#include <fmt/format.h>

#include "sim/slack/kit/block_shapes.h"

namespace deputy::sim::slack {
namespace {

// Undocumented: Slack refuses a message somewhere near 13,200 characters of text in all its blocks.
constexpr std::int64_t kMaxMessageCharacters = 12'000;
constexpr std::int64_t kMaxAttachments = 100;
constexpr std::size_t kMaxViewBytes = 250'000;

Surfaces as_surfaces(Surface surface) {
  switch (surface) {
    case Surface::message:
      return kOnMessages;
    case Surface::modal:
      return kOnModals;
    case Surface::home:
      return kOnHomes;
  }
  return 0;
}

void check_message_length(Walk& walk, const std::string& pointer) {
  if (walk.found_problems() || walk.seen.shown <= kMaxMessageCharacters) return;
  walk.complain(fmt::format("must be less than {} characters", kMaxMessageCharacters + 1), pointer,
                "msg_blocks_too_long");
}

}  // namespace

std::vector<BlockProblem> check_blocks(const json::value& blocks, Surface surface) {
  Walk walk(block_shapes(), as_surfaces(surface), "invalid_blocks");
  const auto most = surface == Surface::message ? kMaxMessageBlocks : kMaxViewBlocks;
  walk.check_value(blocks, objects("blocks", kBlocks, 0, most), "/blocks");
  if (surface == Surface::message) check_message_length(walk, "/blocks");
  return std::move(walk).take_problems();
}

std::vector<BlockProblem> check_view(const json::value& view) {
  const auto* const object = view.if_object();
  const bool is_home = object != nullptr && text_at(*object, "type") == "home";
  Walk walk(block_shapes(), is_home ? kOnHomes : kOnModals, "invalid_arguments");
  walk.check_object(view, "view/modal view/home", "/view");
  if (object == nullptr) return std::move(walk).take_problems();
  if (!is_home && !walk.seen.first_input.empty() && !object->contains("submit"))
    walk.complain("must define `submit` to use an `input` block in modals", walk.seen.first_input + "/input");
  if (json::serialize(view).size() > kMaxViewBytes)
    walk.complain(fmt::format("must be less than {} bytes", kMaxViewBytes + 1), "/view", "view_too_large");
  return std::move(walk).take_problems();
}

std::vector<BlockProblem> check_attachments(const json::value& attachments) {
  Walk walk(block_shapes(), kOnMessages, "invalid_attachments");
  const auto* const list = attachments.if_array();
  if (list != nullptr && std::cmp_greater(list->size(), kMaxAttachments))
    walk.complain(fmt::format("no more than {} items allowed", kMaxAttachments), "/attachments",
                  "too_many_attachments");
  else
    walk.check_value(attachments, objects("attachments", "part/attachment", 0, kMaxAttachments), "/attachments");
  check_message_length(walk, "/attachments");
  return std::move(walk).take_problems();
}

}  // namespace deputy::sim::slack
