#include "toolkit/digest.h"

namespace deputy::toolkit {

namespace {

json::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::before_gate:
      return "before_gate";
    case Stage::after_gate:
      return "after_gate";
    case Stage::finally:
      return "finally";
  }
  return "after_gate";
}

}  // namespace

std::string chain_digest(const ToolSpec& spec, const Pipeline& pipeline) {
  json::array links;
  for (const LinkInfo& link : pipeline.links()) {
    links.push_back({{"name", link.name}, {"stage", name_of(link.stage)}, {"repeatable", link.repeatable}});
  }
  return sha256_hex(canonical_json(json::object{{"links", std::move(links)},
                                                {"gate", pipeline.has_gate()},  // it may stand before all handlers
                                                {"version", spec.version},
                                                {"target", spec.target}}));
}

std::string call_digest(const ApprovedCall& call) {
  return sha256_hex(canonical_json(json::object{{"tool", call.tool},
                                                {"arguments", call.arguments},
                                                {"background", call.mode == CallMode::background},
                                                {"chain", call.chain},
                                                {"preview", call.preview}}));
}

}  // namespace deputy::toolkit
