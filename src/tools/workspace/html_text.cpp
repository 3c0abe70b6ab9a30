#include "tools/workspace/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/html_entities.h"
#include "base/text.h"

namespace deputy::tools {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// Elements whose content is not text for people.
constexpr auto kDropped =
    std::to_array<std::string_view>({"script", "style", "template", "svg", "iframe", "object", "canvas", "textarea"});

constexpr auto kBlocks = std::to_array<std::string_view>(
    {"address", "article", "aside", "blockquote", "br",    "dd",    "details", "div", "dl",  "dt",      "fieldset",
     "figure",  "footer",  "form",  "h1",         "h2",    "h3",    "h4",      "h5",  "h6",  "head",    "header",
     "hr",      "html",    "li",    "main",       "nav",   "ol",    "option",  "p",   "pre", "section", "select",
     "summary", "table",   "tbody", "thead",      "tfoot", "title", "tr",      "ul",  "body"});

constexpr auto kParagraphs = std::to_array<std::string_view>(
    {"article", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "section", "table", "title", "ul", "ol"});

// Collects the text character by character and joins white space.
class Page {
 public:
  void add(char c) {
    if (preformatted_ > 0 && (c == '\n' || c == '\t' || c == ' ')) {
      if (c == '\n') {
        end_line(1);
      } else {
        kept_spaces_ += c;
      }
      return;
    }
    if (is_space(c)) {
      space_ = true;
      return;
    }
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') return;
    flush();
    text_ += c;
  }

  void end_line(int ends) {
    space_ = false;
    kept_spaces_.clear();
    ends_ = std::min(2, preformatted_ > 0 ? ends_ + ends : std::max(ends_, ends));
  }
  void begin_item() {
    end_line(1);
    item_ = true;
  }
  void enter_preformatted() { preformatted_ = 1; }
  void leave_preformatted() { preformatted_ = 0; }
  void end_cell() { space_ = true; }

  std::string take() && { return std::move(text_); }

 private:
  void flush() {
    const bool begins = text_.empty();
    if (ends_ > 0) {
      if (!begins) text_.append(static_cast<std::size_t>(ends_), '\n');
      if (item_) text_ += "- ";
    } else if (space_ && !begins) {
      text_ += ' ';
    }
    text_ += kept_spaces_;
    kept_spaces_.clear();
    space_ = false;
    item_ = false;
    ends_ = 0;
  }

  std::string text_;
  std::string kept_spaces_;
  int ends_ = 0;
  int preformatted_ = 0;
  bool space_ = false;
  bool item_ = false;
};

struct Tag {
  std::string name;
  bool closes = false;
};

class Reader {
 public:
  explicit Reader(std::string_view html) : rest_(html) {}

  std::string read() && {
    while (!rest_.empty()) {
      if (rest_.front() == '<' && skip_markup()) continue;
      if (rest_.front() == '&' && read_entity()) continue;
      page_.add(rest_.front());
      rest_.remove_prefix(1);
    }
    return std::move(page_).take();
  }

 private:
  // False when the < is only a character.
  bool skip_markup() {
    if (rest_.starts_with("<!--")) return skip_past("-->", 4);
    if (rest_.starts_with("<![CDATA[")) return skip_past("]]>", 9);
    if (rest_.starts_with("<!") || rest_.starts_with("<?")) return skip_past(">", 2);
    const std::size_t name = rest_.starts_with("</") ? 2 : 1;
    if (rest_.size() <= name || !is_letter(rest_[name])) return false;
    take_tag(read_tag(name));
    return true;
  }

  // If there is no end, drop the rest: searching for it at every tag would take quadratic time.
  bool skip_past(std::string_view end, std::size_t from) {
    const std::size_t found = rest_.find(end, from);
    rest_ = found == std::string_view::npos ? std::string_view{} : rest_.substr(found + end.size());
    return true;
  }

  Tag read_tag(std::size_t at) {
    Tag tag{.closes = at == 2};
    const std::size_t begin = at;
    while (at < rest_.size() && !is_space(rest_[at]) && rest_[at] != '>' && rest_[at] != '/') ++at;
    tag.name = to_lower(rest_.substr(begin, std::min<std::size_t>(at - begin, 20)));
    for (char quote = 0; at < rest_.size(); ++at) {
      const char c = rest_[at];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if ((c == '"' || c == '\'') && rest_[at - 1] == '=') {
        quote = c;
      } else if (c == '>') {
        break;
      }
    }
    rest_ = rest_.substr(std::min(at + 1, rest_.size()));
    return tag;
  }

  void take_tag(const Tag& tag) {
    if (!tag.closes && contains(kDropped, tag.name)) return drop_until_closed(tag.name);
    if (tag.name == "pre") {
      page_.end_line(2);
      tag.closes ? page_.leave_preformatted() : page_.enter_preformatted();
    } else if (tag.name == "li" && !tag.closes) {
      page_.begin_item();
    } else if (tag.name == "td" || tag.name == "th") {
      page_.end_cell();
    } else if (contains(kParagraphs, tag.name)) {
      page_.end_line(2);
    } else if (contains(kBlocks, tag.name)) {
      page_.end_line(1);
    }
  }

  void drop_until_closed(const std::string& name) {
    for (std::size_t at = rest_.find("</"); at != std::string_view::npos; at = rest_.find("</", at + 2)) {
      if (to_lower(rest_.substr(at + 2, name.size())) != name) continue;
      rest_ = rest_.substr(at);
      return;
    }
    rest_ = {};
  }

  bool read_entity() {
    const std::optional<HtmlEntity> entity = html_entity_at(rest_);
    if (!entity) return false;
    for (const char c : entity->text) page_.add(c);
    rest_ = rest_.substr(entity->length);
    return true;
  }

  std::string_view rest_;
  Page page_;
};

}  // namespace

std::string html_to_text(std::string_view html) {
  if (is_valid_utf8(html)) return Reader(html).read();
  const std::string valid = to_valid_utf8(std::string(html));
  return Reader(valid).read();
}

namespace {

constexpr auto kTexts = std::to_array<std::string_view>(
    {"application/json", "application/xml", "application/javascript", "application/ecmascript", "application/yaml",
     "application/x-yaml", "application/toml", "application/x-ndjson", "application/jsonl", "application/x-sh",
     "application/sql", "application/graphql", "image/svg+xml"});

bool is_text(std::string_view type) {
  return type.starts_with("text/") || type.ends_with("+json") || type.ends_with("+xml") || type.ends_with("+yaml") ||
         contains(kTexts, type);
}

std::string from_latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

std::string shown_type(std::string_view type) {
  std::string shown(cut_bytes(type, 100));
  std::erase_if(shown, [](char c) { return c < '!' || c > '~' || c == '`'; });
  return shown.empty() ? "bytes of no known type" : fmt::format("`{}`", shown);
}

}  // namespace

Result<std::string> web_text(std::string_view content_type, std::string_view body) {
  const std::string type = to_lower(trim(content_type.substr(0, content_type.find(';'))));
  const std::string parameters = to_lower(content_type);
  const bool binary = body.contains('\0') || (type.empty() && !is_valid_utf8(body));
  if (binary || (!type.empty() && !is_text(type))) {
    return fail(ErrorKind::invalid_input, fmt::format("the response is {}, which is not text", shown_type(type)),
                "fetch a page, JSON or other text");
  }
  const bool latin1 = parameters.contains("charset=iso-8859-1") || parameters.contains("charset=\"iso-8859-1") ||
                      parameters.contains("charset=windows-1252");
  std::string text = latin1 ? from_latin1(body) : to_valid_utf8(std::string(body));
  if (type == "text/html" || type == "application/xhtml+xml") return html_to_text(text);
  return text;
}

}  // namespace deputy::tools
