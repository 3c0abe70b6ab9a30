#include "config/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "base/text.h"

namespace deputy::config {

namespace {

constexpr std::size_t kMaxKey = 200;
// Appended to the text, so that an unclosed quote is an error. At the mere end of the file yaml-cpp closes the quote
// and takes everything after it as its text.
constexpr std::string_view kEndMark = "\n...\n";

// Ends the parsing of a file. yaml-cpp can only be stopped by an exception; it does not leave this file.
struct Stop {
  int line;
  std::string message;
  std::string hint;
};

Stop alias_in(int line) {
  return {line, "aliases (`*name`) are not supported in settings",
          "write the value out; a text that begins with `*` needs quotes"};
}

// Builds the document without recursion: `open_` holds the open containers, innermost last.
class Builder final : public YAML::EventHandler {
 public:
  Builder(ParsedFile& file, std::shared_ptr<const Source> source) : file_(file), source_(std::move(source)) {}

  void report(int line, std::string message, std::string hint = {}) {
    file_.problems.push_back(locate({path_, std::move(message), std::move(hint)}, {source_, line}));
  }

  /// The line of the last key or item that began.
  int last_line() const { return last_line_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (started_)
      throw Stop{line_of(mark), "a settings file must hold one document",
                 "remove the `---` and what follows, or make two files"};
    started_ = true;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    if (expects_key()) throw Stop{line_of(mark), "a key is missing before `:`", "write `key: value`"};
    begin_value(mark);
    end_value(nullptr);
  }

  // Anchors are refused before; yaml-cpp itself reports an unknown one.
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { throw alias_in(line_of(mark)); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    refuse_anchor(mark, anchor);
    if (expects_key()) return begin_member(mark, value);
    begin_value(mark);
    end_value(json::string(value.data(), value.size()));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    begin_container(mark, tag, json::array());
  }
  void OnSequenceEnd() override { end_container(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    begin_container(mark, tag, json::object());
  }
  void OnMapEnd() override { end_container(); }

 private:
  struct Open {
    json::value container;
    std::string key;  // of the member whose value comes next
    bool has_key = false;
    bool duplicate = false;   // the member occurred before: its value is read and dropped
    std::size_t path_length;  // of path_ outside this container
  };

  static int line_of(const YAML::Mark& mark) { return mark.line + 1; }

  bool expects_key() const { return !open_.empty() && open_.back().container.is_object() && !open_.back().has_key; }

  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw Stop{line_of(mark), "tags (`!name`) are not supported in settings", "remove the tag"};
    }
  }

  static void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      throw Stop{line_of(mark), "anchors (`&name`) are not supported in settings",
                 "remove it; a text that begins with `&` needs quotes"};
    }
  }

  void count(const YAML::Mark& mark) {
    last_line_ = line_of(mark);
    path_bytes_ += path_.size();
    if (++values_ > kMaxValues || path_bytes_ > kMaxPathBytes) {
      throw Stop{line_of(mark), fmt::format("this file has more than {} values", kMaxValues),
                 "remove values that are not needed"};
    }
  }

  void note_origin(const YAML::Mark& mark) {
    count(mark);
    if (dropping_ == 0) file_.document.origins.add(path_, {source_, line_of(mark)});
  }

  void begin_member(const YAML::Mark& mark, const std::string& key) {
    if (key.empty()) throw Stop{line_of(mark), "a key is empty", "write `key: value`"};
    if (key.size() > kMaxKey)
      throw Stop{line_of(mark), fmt::format("a key is longer than {} bytes", kMaxKey),
                 "write `key: value`; is a colon or a quote in the wrong place?"};
    if (key == "<<")
      throw Stop{line_of(mark), "merge keys (`<<`) are not supported in settings", "write the values out"};
    Open& inside = open_.back();
    inside.key = key;
    inside.has_key = true;
    if (!path_.empty()) path_ += '.';
    path_ += key;
    inside.duplicate = inside.container.get_object().contains(key);
    if (!inside.duplicate) return note_origin(mark);
    count(mark);
    if (dropping_ == 0) {
      report(line_of(mark),
             fmt::format("this key occurs twice, first in line {}", file_.document.origins.of(path_).line),
             "keep one of them");
    }
    ++dropping_;
  }

  // Before a value that is not a member of an object: list items have their own paths.
  void begin_value(const YAML::Mark& mark) {
    if (open_.empty() || !open_.back().container.is_array()) return;
    path_ += fmt::format("[{}]", open_.back().container.get_array().size());
    note_origin(mark);
  }

  void end_value(json::value value) {
    if (open_.empty()) {
      end_document(std::move(value));
      return;
    }
    Open& inside = open_.back();
    if (json::array* list = inside.container.if_array()) {
      list->push_back(std::move(value));
    } else {
      if (inside.duplicate) {
        --dropping_;
      } else {
        inside.container.get_object().emplace(inside.key, std::move(value));
      }
      inside.has_key = inside.duplicate = false;
    }
    path_.resize(inside.path_length);
  }

  void end_document(json::value value) {
    if (value.is_object()) {
      file_.document.root = std::move(value.get_object());
    } else if (!value.is_null()) {
      throw Stop{1, fmt::format("a settings file must be an object, got: {}", kind_in_words(value)),
                 "write `key: value` lines"};
    }
  }

  void begin_container(const YAML::Mark& mark, const std::string& tag, json::value empty) {
    refuse_tag(mark, tag);
    if (expects_key())
      throw Stop{line_of(mark), "a key must be plain text", "write `key: value`; or a bracket here is not closed"};
    if (open_.size() >= kDeepest)
      throw Stop{line_of(mark), fmt::format("this is nested more than {} levels deep", kDeepest),
                 "no setting is that deep: look for brackets that are not closed"};
    begin_value(mark);
    open_.push_back({.container = std::move(empty), .path_length = path_.size()});
  }

  void end_container() {
    json::value finished = std::move(open_.back().container);
    open_.pop_back();
    end_value(std::move(finished));
  }

  ParsedFile& file_;
  std::shared_ptr<const Source> source_;
  std::vector<Open> open_;
  std::string path_;
  std::size_t values_ = 0;
  std::size_t path_bytes_ = 0;
  int last_line_ = 1;
  int dropping_ = 0;
  bool started_ = false;
};

// yaml-cpp treats byte 4 as the end of the file and guesses other encodings, so it gets only plain UTF-8 text.
void check_bytes(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (!point.valid) throw Stop{line, "this is not UTF-8 text", "save the file as UTF-8"};
    const bool is_control = (point.value < 0x20 && point.value != '\n' && point.value != '\t' && point.value != '\r') ||
                            point.value == 0x7F;
    if (is_control)
      throw Stop{line, fmt::format("there is a control character (byte {})", static_cast<int>(point.value)),
                 "remove it"};
    if (point.value == '\n') ++line;
    text.remove_prefix(point.bytes);
  }
}

// Rewords yaml-cpp's error, which may be about the end mark that we appended.
Stop complaint(const YAML::Exception& broken, std::string_view text, int last_line) {
  if (broken.msg == YAML::ErrorMsg::DOC_IN_SCALAR || broken.msg == YAML::ErrorMsg::EOF_IN_SCALAR)
    return {last_line, "a quote is opened and not closed", "look for the other quote in this line and those after it"};
  if (broken.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR)) return alias_in(broken.mark.line + 1);
  const auto lines = std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; }) + 1;
  return {broken.mark.is_null() ? 0 : std::min(broken.mark.line + 1, static_cast<int>(lines)),
          fmt::format("this is not valid YAML: {}", broken.msg),
          "look at this line and the one before it: indentation, quotes, brackets, a missing colon"};
}

}  // namespace

ParsedFile parse_yaml(std::string_view text, const std::shared_ptr<const Source>& source) {
  ParsedFile file;
  Builder builder(file, source);
  const auto give_up = [&](Stop stop) {
    file.problems.push_back(locate({{}, std::move(stop.message), std::move(stop.hint)}, {source, stop.line}));
    file.document = {};
  };
  try {
    if (text.size() > kLargestFile)
      throw Stop{0, fmt::format("this file is larger than {} bytes", kLargestFile),
                 "remove values that are not needed"};
    check_bytes(text);
    // Add a newline only where there is none: a text block may keep those at its end.
    std::istringstream stream{fmt::format("{}{}", text, text.ends_with('\n') ? kEndMark.substr(1) : kEndMark)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop& stop) {
    give_up(stop);
  } catch (const YAML::Exception& broken) {
    give_up(complaint(broken, text, builder.last_line()));
  }
  return file;
}

}  // namespace deputy::config
