#include "model/openai/body.h"

#include <algorithm>

#include "base/text.h"
#include "model/images.h"
#include "model/sendable.h"

namespace deputy::model::openai {

namespace {

constexpr int kFewestTokens = 16;  // the API's minimum

json::object message_of(std::string_view role, std::string_view part, std::string_view text) {
  return {{"type", "message"}, {"role", role}, {"content", json::array{{{"type", part}, {"text", text}}}}};
}

json::object call_of(const Call& call) {
  return {{"type", "function_call"},
          {"call_id", call.id},
          {"name", call.tool},
          {"arguments", json::serialize(call.arguments)}};
}

// The API has no field for a failed call.
json::object result_of(const CallResult& result) {
  return {{"type", "function_call_output"},
          {"call_id", result.call},
          {"output", result.failed ? "The call failed.\n" + result.text : result.text}};
}

// The API refuses reasoning at the end of a turn, with nothing after it.
void add_assistant_items(json::array& input, const std::vector<Block>& blocks) {
  const auto last = std::find_if(blocks.rbegin(), blocks.rend(),
                                 [](const Block& block) { return !std::holds_alternative<Thinking>(block); });
  for (auto block = blocks.begin(); block != last.base(); ++block) {
    if (const auto* text = std::get_if<Text>(&*block))
      input.push_back(message_of("assistant", "output_text", text->text));
    if (const auto* call = std::get_if<Call>(&*block)) input.push_back(call_of(*call));
    if (const auto* thinking = std::get_if<Thinking>(&*block)) input.push_back(thinking->part);
  }
}

void add_user_items(json::array& input, const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    if (const auto* result = std::get_if<CallResult>(&block)) input.push_back(result_of(*result));
  }
  json::array parts;
  for (const Block& block : blocks) {
    if (const auto* text = std::get_if<Text>(&block)) parts.push_back({{"type", "input_text"}, {"text", text->text}});
    if (const auto* image = std::get_if<Image>(&block))
      parts.push_back({{"type", "input_image"}, {"image_url", data_url(*image)}});
  }
  if (!parts.empty()) input.push_back({{"type", "message"}, {"role", "user"}, {"content", std::move(parts)}});
}

json::array input_of(const std::vector<Turn>& turns) {
  json::array input;
  for (const Turn& turn : turns) {
    if (turn.role == Role::user) {
      add_user_items(input, turn.blocks);
    } else {
      add_assistant_items(input, turn.blocks);
    }
  }
  return input;
}

json::array tools_of(const ToolList& tools) {
  json::array written;
  for (const ToolDescription& tool : tools) {
    written.push_back({{"type", "function"},
                       {"name", sendable_name(tool.name)},
                       {"description", to_valid_utf8(tool.description)},
                       {"parameters", sendable_schema(tool.params)},
                       {"strict", false}});
  }
  return written;
}

std::string_view effort_of(const Manner& manner, const Family* family) {
  if (family != nullptr && !family->takes_effort) return {};
  if (family != nullptr && manner.thinking == ThinkingAmount::least) return family->least_thinking;
  return manner.effort ? word_for(*manner.effort) : std::string_view();
}

}  // namespace

ResponsesBody responses_body(const Request& request, const Manner& manner, const SecondTry& second_try,
                             bool shows_thinking) {
  ResponsesBody written;
  json::object& body = written.body;
  const Family* family = find_family(manner.model);
  body = {{"model", manner.model},
          {"stream", true},
          {"store", false},
          {"max_output_tokens", std::max(second_try.reply_tokens(request.max_tokens), kFewestTokens)}};
  written.sent |= SecondTry::long_reply(request.max_tokens);
  if (sends_temperature(manner, second_try)) {
    body["temperature"] = manner.temperature.value_or(0);
    written.sent |= kTemperature;
  }
  json::object reasoning;
  if (const std::string_view effort = effort_of(manner, family); !effort.empty() && second_try.sends(kEffort)) {
    reasoning["effort"] = effort;
    written.sent |= kEffort;
  }
  if (second_try.sends(kThinking)) {
    body["include"] = json::array{"reasoning.encrypted_content"};
    if (shows_thinking) reasoning["summary"] = "auto";
    written.sent |= kThinking;
  }
  if (!reasoning.empty()) body["reasoning"] = std::move(reasoning);
  const bool is_formatted = request.format && second_try.sends(kFormat);
  if (is_formatted) {
    body["text"] = {
        {"format",
         {{"type", "json_schema"}, {"name", "reply"}, {"schema", strict_schema(*request.format)}, {"strict", false}}}};
    written.sent |= kFormat;
  }
  const std::string system = is_formatted ? to_valid_utf8(request.system) : system_with_format(request);
  if (!trim(system).empty()) body["instructions"] = system;
  if (!request.tools.empty()) {
    body["tools"] = tools_of(request.tools);
    body["tool_choice"] = request.calls == Calls::allowed ? "auto" : "none";
  }
  body["input"] = input_of(sendable_turns(request.turns));
  return written;
}

}  // namespace deputy::model::openai
