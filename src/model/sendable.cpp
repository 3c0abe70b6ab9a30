#include "model/sendable.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace deputy::model {

namespace {

constexpr std::size_t kMaxId = 40;    // OpenAI's limit; others allow more
constexpr std::size_t kMaxName = 64;  // Anthropic, Bedrock and OpenAI
constexpr std::string_view kNoText = "(no text)";
constexpr std::string_view kNoResult = "no result";
constexpr std::string_view kNoImage = "(An image stood here that could not be shown to you: say so if it matters.)";

bool is_plain(char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; }

bool is_plain_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxId && std::ranges::all_of(id, is_plain);
}

std::string hashed_id(std::string_view id, int use) {
  return "call_" + sha256_hex(fmt::format("{}\n{}", id, use)).substr(0, 24);
}

std::string_view without_trailing_space(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n\f\v") + 1);
}

/// A call waiting for its result: its id in the turns, and the id that is sent.
struct Open {
  std::string id;
  std::string sent_id;
  std::string tool;
};

class Sendable {
 public:
  void add(const Turn& turn) { turn.role == Role::assistant ? add_assistant(turn) : add_user(turn); }

  std::vector<Turn> take() {
    if (turns_.empty() || !open_.empty()) add_user({Role::user, {}});
    return std::move(turns_);
  }

 private:
  void add_assistant(const Turn& turn) {
    if (!open_.empty()) add_user({Role::user, {}});
    std::vector<Block> blocks;
    std::vector<Open> calls;
    for (const Block& block : turn.blocks) {
      if (const auto* text = std::get_if<Text>(&block)) {
        add_text(blocks, *text);
      } else if (const auto* call = std::get_if<Call>(&block)) {
        calls.push_back({call->id, unique_id(call->id), sendable_name(call->tool)});
        blocks.emplace_back(Call{calls.back().sent_id, calls.back().tool, call->arguments});
      } else if (std::holds_alternative<Thinking>(block)) {
        blocks.push_back(block);
      }
    }
    // APIs accept thinking only together with the text or calls that followed it.
    if (std::ranges::all_of(blocks, [](const Block& block) { return std::holds_alternative<Thinking>(block); })) return;
    if (auto* last = std::get_if<Text>(&blocks.back())) last->text = without_trailing_space(last->text);
    if (turns_.empty()) add_user({Role::user, {}});
    append(Role::assistant, std::move(blocks));
    open_ = std::move(calls);
  }

  void add_user(const Turn& turn) {
    std::vector<Block> blocks;
    std::vector<const CallResult*> results;
    for (const Block& block : turn.blocks) {
      if (const auto* result = std::get_if<CallResult>(&block)) results.push_back(result);
    }
    for (const Open& call : open_) {
      const auto found =
          std::ranges::find_if(results, [&](const CallResult* one) { return one != nullptr && one->call == call.id; });
      const CallResult result =
          found != results.end() ? **found : CallResult{call.id, std::string(kNoResult), /*failed=*/true};
      if (found != results.end()) *found = nullptr;
      blocks.emplace_back(CallResult{call.sent_id, as_data(result, call.tool), result.failed});
    }
    open_.clear();
    for (const Block& block : turn.blocks) {
      if (const auto* text = std::get_if<Text>(&block)) add_text(blocks, *text);
      if (const auto* image = std::get_if<Image>(&block)) add_image(blocks, *image);
    }
    if (blocks.empty() && (turns_.empty() || turns_.back().role == Role::assistant))
      blocks.emplace_back(Text{std::string(kNoText)});
    append(Role::user, std::move(blocks));
  }

  void append(Role role, std::vector<Block> blocks) {
    if (blocks.empty()) return;
    if (turns_.empty() || turns_.back().role != role) turns_.push_back({role, {}});
    std::ranges::move(blocks, std::back_inserter(turns_.back().blocks));
  }

  static void add_text(std::vector<Block>& blocks, const Text& text) {
    if (!trim(text.text).empty()) blocks.emplace_back(Text{to_valid_utf8(text.text)});
  }

  static void add_image(std::vector<Block>& blocks, const Image& image) {
    if (image.base64 != nullptr) {
      blocks.emplace_back(image);
    } else {
      blocks.emplace_back(Text{std::string(kNoImage)});
    }
  }

  // Ids are unique within a reply only; APIs want them unique within the request.
  std::string unique_id(const std::string& id) {
    std::string sent = is_plain_id(id) ? id : hashed_id(id, 0);
    for (int use = 1; !used_.insert(sent).second; ++use) sent = hashed_id(id, use);
    return sent;
  }

  std::vector<Turn> turns_;
  std::vector<Open> open_;
  std::set<std::string> used_;
};

}  // namespace

std::vector<Turn> sendable_turns(const std::vector<Turn>& turns) {
  Sendable sendable;
  for (const Turn& turn : turns) sendable.add(turn);
  return sendable.take();
}

std::string sendable_name(std::string_view tool) {
  std::string name(tool.substr(0, kMaxName));
  std::ranges::replace_if(name, [](char c) { return !is_plain(c); }, '_');
  return name.empty() ? std::string(kUnnamedTool) : name;
}

json::object sendable_schema(const json::object& params) {
  json::object schema = params;
  schema["type"] = "object";
  return schema;
}

json::object strict_schema(const json::object& schema) {
  json::object strict;
  for (const std::string_view key : {"type", "description", "enum", "required"}) {
    if (const json::value* value = schema.if_contains(key)) strict[key] = *value;
  }
  if (const json::object* items = find_object(schema, "items")) strict["items"] = strict_schema(*items);
  if (const json::object* members = find_object(schema, "properties")) {
    json::object properties;
    for (const auto& member : *members) {
      if (const json::object* one = member.value().if_object()) properties[member.key()] = strict_schema(*one);
    }
    strict["properties"] = std::move(properties);
    strict["additionalProperties"] = false;
  }
  return strict;
}

std::string system_with_format(const Request& request) {
  std::string system = to_valid_utf8(request.system);
  if (!request.format) return system;
  return fmt::format("{}{}Reply with one JSON object that fits this JSON Schema, and with nothing else:\n{}", system,
                     system.empty() ? "" : "\n\n", json::serialize(strict_schema(*request.format)));
}

std::string without_closing_tags(std::string_view text) {
  constexpr std::string_view kCloses = "</";
  std::string broken_up;
  broken_up.reserve(text.size());
  std::size_t from = 0;
  for (std::size_t at = text.find(kCloses); at != std::string_view::npos; at = text.find(kCloses, from)) {
    broken_up.append(text.substr(from, at - from)).append("<\\/");
    from = at + kCloses.size();
  }
  return broken_up.append(text.substr(from));
}

std::string as_data(const CallResult& result, std::string_view tool) {
  const std::string name = json::serialize(json::value(to_valid_utf8(std::string(tool))));
  return fmt::format("<tool_result tool={}>\n{}\n</tool_result>", name,
                     without_closing_tags(to_valid_utf8(result.text)));
}

}  // namespace deputy::model
