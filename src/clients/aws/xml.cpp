#include "clients/aws/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace deputy::clients::aws {

namespace {

constexpr std::size_t kMaxDepth = 16;
constexpr std::size_t kMaxName = 100;
constexpr std::size_t kMaxTexts = 5000;

std::unexpected<Error> broken(std::string_view why) {
  return fail(ErrorKind::upstream, fmt::format("the response is not valid XML: {}", why));
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_name(std::string_view text) {
  const auto allowed = [](char c) { return is_letter_or_digit(c) || std::string_view("_-.:").contains(c); };
  return !text.empty() && text.size() <= kMaxName && std::ranges::all_of(text, allowed) &&
         !std::string_view("-.0123456789").contains(text.front());
}

std::optional<char32_t> entity(std::string_view name) {
  if (name == "lt") return U'<';
  if (name == "gt") return U'>';
  if (name == "amp") return U'&';
  if (name == "quot") return U'"';
  if (name == "apos") return U'\'';
  if (!name.starts_with('#')) return std::nullopt;
  const bool is_hex = name.starts_with("#x");
  const std::string_view digits = name.substr(is_hex ? 2 : 1);
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
  if (digits.empty() || code != std::errc() || end != digits.data() + digits.size() || value == 0) return std::nullopt;
  return value;
}

Result<std::string> unescaped(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find('&'), text.size());
    plain += text.substr(0, mark);
    text.remove_prefix(mark);
    if (text.empty()) break;
    const std::size_t end = text.substr(0, 12).find(';');
    const auto point = end == std::string_view::npos ? std::nullopt : entity(text.substr(1, end - 1));
    if (!point) return broken("it has an unknown entity");
    append_utf8(plain, *point);
    text.remove_prefix(end + 1);
  }
  return plain;
}

class Reader {
 public:
  explicit Reader(std::string_view document) : left_(document) {}

  Result<std::vector<XmlText>> read() {
    while (!left_.empty()) {
      if (left_.front() == '<') {
        TRY(take_mark());
      } else {
        TRY(take_text(left_.substr(0, left_.find('<'))));
      }
    }
    if (!open_.empty() || !had_root_) return broken("it ends too early");
    return std::move(texts_);
  }

 private:
  struct Element {
    std::string name;
    std::string text;
    bool has_children = false;
  };

  // Takes the text before `end` and moves past it.
  std::optional<std::string_view> take_until(std::string_view end) {
    const std::size_t at = left_.find(end);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view taken = left_.substr(0, at);
    left_.remove_prefix(at + end.size());
    return taken;
  }

  Result<> take_text(std::string_view text) {
    left_.remove_prefix(text.size());
    if (open_.empty()) {
      return std::ranges::all_of(text, is_space) ? Result<>{} : broken("it has text outside of its element");
    }
    TRY(const std::string plain, unescaped(text));
    open_.back().text += plain;
    return {};
  }

  Result<> take_mark() {
    if (left_.starts_with("<?")) return take_until("?>") ? Result<>{} : broken("it ends too early");
    if (left_.starts_with("<!--")) return take_until("-->") ? Result<>{} : broken("it ends too early");
    if (left_.starts_with("<![CDATA[") && !open_.empty()) {
      left_.remove_prefix(9);
      const auto text = take_until("]]>");
      if (!text) return broken("it ends too early");
      open_.back().text += *text;
      return {};
    }
    if (left_.starts_with("<!")) return broken("it has a document type");
    left_.remove_prefix(1);
    TRY(const std::string_view tag, take_tag());
    return tag.starts_with('/') ? close(trim(tag.substr(1))) : open(tag);
  }

  // The text between < and >; a > inside quotes does not end it.
  Result<std::string_view> take_tag() {
    char quote = 0;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const char c = left_[i];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '<') {
        return broken("it has a < inside of a tag");
      } else if (c == '>') {
        const std::string_view tag = left_.substr(0, i);
        left_.remove_prefix(i + 1);
        return tag;
      }
    }
    return broken("it ends too early");
  }

  Result<> open(std::string_view tag) {
    const bool is_empty = tag.ends_with('/');
    if (is_empty) tag.remove_suffix(1);
    const auto* const end = std::ranges::find_if(tag, is_space);
    const std::string_view name(tag.begin(), end);
    if (!is_name(name)) return broken("an element has an invalid name");
    if (open_.size() >= kMaxDepth) return broken("its elements are nested too deep");
    if (open_.empty() && had_root_) return broken("it has more than one outer element");
    had_root_ = true;
    if (!open_.empty()) open_.back().has_children = true;
    open_.push_back({std::string(name), {}});
    return is_empty ? close(name) : Result<>{};
  }

  Result<> close(std::string_view name) {
    if (open_.empty() || open_.back().name != name) return broken("its elements do not match");
    if (!open_.back().has_children) {
      if (texts_.size() >= kMaxTexts) return broken("it has too many elements");
      texts_.push_back({path(), std::move(open_.back().text)});
    }
    open_.pop_back();
    return {};
  }

  std::string path() const {
    std::string path;
    for (const Element& element : open_) path += (path.empty() ? "" : "/") + element.name;
    return path;
  }

  std::string_view left_;
  std::vector<Element> open_;
  std::vector<XmlText> texts_;
  bool had_root_ = false;
};

}  // namespace

Result<std::vector<XmlText>> read_xml(std::string_view document) {
  if (document.size() > kMaxXml) return broken("it is too large");
  if (document.starts_with("\xEF\xBB\xBF")) document.remove_prefix(3);
  if (!is_valid_utf8(document)) return broken("it is not UTF-8");
  return Reader(document).read();
}

std::optional<std::string_view> find_text(const std::vector<XmlText>& texts, std::string_view path) {
  for (const XmlText& text : texts) {
    if (!text.path.ends_with(path)) continue;
    const std::size_t before = text.path.size() - path.size();
    if (before == 0 || text.path[before - 1] == '/') return text.text;
  }
  return std::nullopt;
}

}  // namespace deputy::clients::aws
