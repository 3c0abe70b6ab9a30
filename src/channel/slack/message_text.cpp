#include "channel/slack/message_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::channel::slack {

namespace {

constexpr int kMaxDepth = 6;
constexpr std::size_t kMaxMessage = 20'000;  // bytes; whoever reads it cuts further
constexpr std::size_t kMaxFiles = 20;

const json::array* find_array(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_array();
}

/// Collects lines up to a bound.
class Lines {
 public:
  void add(std::string_view line) {
    line = trim(line);
    if (line.empty() || text_.size() > kMaxMessage) return;
    if (!text_.empty()) text_ += '\n';
    text_ += line;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(const NameOf& name_of) : name_of_(name_of) {}

  std::string message(const json::object& message, int depth) {
    Lines lines;
    const json::array* blocks = find_array(message, "blocks");
    std::string drawn = blocks == nullptr ? "" : this->blocks(*blocks, depth);
    // What a person typed is in the text too, and better readable there; what an app drew is in its blocks alone.
    lines.add(drawn.empty() || is_typed(*blocks) ? written(text_at(message, "text")) : drawn);
    if (const json::array* attachments = find_array(message, "attachments")) {
      for (const json::value& one : *attachments) {
        if (one.is_object()) lines.add(attachment(one.get_object(), depth));
      }
    }
    for (const InboundFile& file : files_of_message(message)) lines.add(fmt::format("[file: {}]", file.name));
    return lines.text();
  }

 private:
  std::string written(std::string_view mrkdwn) const { return readable(mrkdwn, name_of_); }

  static bool is_typed(const json::array& blocks) {
    for (const json::value& block : blocks) {
      if (!block.is_object() || text_at(block.get_object(), "type") != "rich_text") return false;
    }
    return true;
  }

  // A text object, or text.
  std::string object_text(const json::value* value) const {
    if (value == nullptr) return "";
    if (value->is_string()) return written(as_view(value->get_string()));
    const json::object* object = value->if_object();
    if (object == nullptr) return "";
    const std::string text = text_at(*object, "text");
    return text_at(*object, "type") == "plain_text" ? text : written(text);
  }

  std::string blocks(const json::array& blocks, int depth) {
    Lines lines;
    for (const json::value& block : blocks) {
      if (block.is_object()) lines.add(this->block(block.get_object(), depth));
    }
    return lines.text();
  }

  std::string block(const json::object& block, int depth) {
    if (depth > kMaxDepth) return "";
    const std::string type = text_at(block, "type");
    if (type == "rich_text") return rich(block, depth);
    Lines lines;
    lines.add(type == "markdown" ? text_at(block, "text") : object_text(block.if_contains("text")));
    lines.add(object_text(block.if_contains("title")));
    if (const json::array* fields = find_array(block, "fields")) {
      for (const json::value& field : *fields) lines.add(object_text(&field));
    }
    if (const json::array* elements = find_array(block, "elements")) {
      std::string row;
      for (const json::value& element : *elements) {
        const json::object* object = element.if_object();
        if (object == nullptr) continue;
        const std::string type_of_element = text_at(*object, "type");
        std::string text = type_of_element == "mrkdwn" || type_of_element == "plain_text"
                               ? object_text(&element)
                               : object_text(object->if_contains("text"));
        if (type_of_element == "button" && !text.empty()) text = fmt::format("[{}]", text);
        if (!text.empty()) row += (row.empty() ? "" : " ") + text;
      }
      lines.add(row);
    }
    if (const std::string alternative = text_at(block, "alt_text"); !alternative.empty())
      lines.add(fmt::format("[image: {}]", alternative));
    if (const json::array* rows = find_array(block, "rows")) table(*rows, lines);
    return lines.text();
  }

  void table(const json::array& rows, Lines& lines) {
    for (const json::value& row : rows) {
      const json::array* cells = row.if_array();
      if (cells == nullptr) continue;
      std::string line;
      for (const json::value& cell : *cells) line += (line.empty() ? "" : " | ") + object_text(&cell);
      lines.add(line);
    }
  }

  // Its sections, lists and quotes, each a line.
  std::string rich(const json::object& part, int depth) {
    if (depth > kMaxDepth) return "";
    const json::array* elements = find_array(part, "elements");
    if (elements == nullptr) return "";
    Lines lines;
    std::string line;
    for (const json::value& value : *elements) {
      const json::object* element = value.if_object();
      if (element == nullptr) continue;
      const std::string type = text_at(*element, "type");
      if (type.starts_with("rich_text_")) {
        const std::string inner = rich(*element, depth + 1);
        lines.add(type == "rich_text_quote" ? "> " + inner : inner);
      } else {
        line += rich_run(*element, type);
      }
    }
    lines.add(line);
    return lines.text();
  }

  std::string rich_run(const json::object& run, const std::string& type) const {
    if (type == "user") return "@" + name_or_id(text_at(run, "user_id"));
    if (type == "usergroup") return "@" + name_or_id(text_at(run, "usergroup_id"));
    if (type == "channel") return "#" + name_or_id(text_at(run, "channel_id"));
    if (type == "broadcast") return "@" + text_at(run, "range");
    if (type == "emoji") return ":" + text_at(run, "name") + ":";
    std::string text = text_at(run, "text");
    if (type != "link") return text;
    const std::string url = text_at(run, "url");
    return text.empty() ? url : fmt::format("{} ({})", text, url);
  }

  std::string name_or_id(const std::string& id) const {
    std::string name = name_of_(id);
    return name.empty() ? id : name;
  }

  // An alert card or a forwarded message.
  std::string attachment(const json::object& attachment, int depth) {
    if (depth > kMaxDepth) return "";
    Lines lines;
    lines.add(written(text_at(attachment, "pretext")));
    if (const std::string author = text_at(attachment, "author_name"); !author.empty()) lines.add(author + ":");
    const std::string title = written(text_at(attachment, "title"));
    const std::string link = text_at(attachment, "title_link");
    lines.add(link.empty() || title.empty() ? title : fmt::format("{} ({})", title, link));
    lines.add(written(text_at(attachment, "text")));
    if (const json::array* fields = find_array(attachment, "fields")) {
      for (const json::value& value : *fields) {
        const json::object* field = value.if_object();
        if (field == nullptr) continue;
        lines.add(fmt::format("{}: {}", written(text_at(*field, "title")), written(text_at(*field, "value"))));
      }
    }
    if (const json::array* drawn = find_array(attachment, "blocks")) lines.add(blocks(*drawn, depth + 1));
    if (const json::array* quoted = find_array(attachment, "message_blocks"); quoted != nullptr) {
      for (const json::value& one : *quoted) {
        const json::object* holder = one.if_object();
        const json::object* inner = holder == nullptr ? nullptr : find_object(*holder, "message");
        const bool is_told_already = !text_at(attachment, "text").empty();
        if (inner != nullptr && !is_told_already) lines.add(message(*inner, depth + 1));
      }
    }
    if (lines.text().empty()) lines.add(written(text_at(attachment, "fallback")));
    if (const std::string footer = written(text_at(attachment, "footer")); !footer.empty()) lines.add(footer);
    return lines.text();
  }

  const NameOf& name_of_;
};

}  // namespace

std::string text_of_message(const json::object& message, const NameOf& name_of) {
  return std::string(cut_bytes(Reader(name_of).message(message, 0), kMaxMessage));
}

std::vector<InboundFile> files_of_message(const json::object& message) {
  std::vector<InboundFile> files;
  const json::array* listed = find_array(message, "files");
  if (listed == nullptr) return files;
  for (const json::value& value : *listed) {
    const json::object* file = value.if_object();
    if (file == nullptr || files.size() == kMaxFiles) continue;
    InboundFile one{
        .id = text_at(*file, "id"), .name = text_at(*file, "name"), .media_type = text_at(*file, "mimetype")};
    if (one.name.empty()) one.name = text_at(*file, "title");
    if (const json::value* size = file->if_contains("size")) one.size = as_whole(*size).value_or(0);
    if (!one.id.empty()) files.push_back(std::move(one));
  }
  return files;
}

}  // namespace deputy::channel::slack
