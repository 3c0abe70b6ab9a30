#include "tools/docs/storage_tree.h"

#include <algorithm>
#include <array>

#include "base/html_entities.h"
#include "base/text.h"

namespace deputy::tools {

namespace {

constexpr auto kVoid = std::to_array<std::string_view>({"br", "hr", "img", "col"});

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

std::string decoded(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    if (text.front() == '&') {
      if (const auto entity = html_entity_at(text)) {
        result += entity->text;
        text.remove_prefix(entity->length);
        continue;
      }
    }
    const auto c = static_cast<unsigned char>(text.front());
    if ((c >= ' ' && c != 0x7f) || c == '\n' || c == '\t') result += text.front();
    text.remove_prefix(1);
  }
  return result;
}

class Reader {
 public:
  explicit Reader(std::string_view storage) : rest_(storage) { open_.push_back(&root_); }

  StorageNode read() && {
    while (!rest_.empty()) {
      if (rest_.starts_with("<![CDATA[")) {
        add_text(until("]]>", 9), true);
      } else if (rest_.starts_with("<!--")) {
        until("-->", 4);
      } else if (rest_.starts_with("<!") || rest_.starts_with("<?")) {
        until(">", 2);
      } else if (rest_.starts_with("</")) {
        end(to_lower(trim(until(">", 2))));
      } else if (rest_.size() > 1 && rest_.front() == '<' && is_letter(rest_[1])) {
        begin();
      } else {
        const std::size_t next = std::min(rest_.find('<', 1), rest_.size());
        add_text(rest_.substr(0, next), false);
        rest_.remove_prefix(next);
      }
    }
    return std::move(root_);
  }

 private:
  /// What stands before `mark`, from `from` on; all the rest if there is none.
  std::string_view until(std::string_view mark, std::size_t from) {
    const std::size_t found = rest_.find(mark, from);
    const std::string_view inside = rest_.substr(from, found == std::string_view::npos ? found : found - from);
    rest_ = found == std::string_view::npos ? std::string_view() : rest_.substr(found + mark.size());
    return inside;
  }

  void add_text(std::string_view raw, bool literal) {
    StorageNode node;
    node.literal = literal;
    if (literal) {
      std::ranges::copy_if(raw, std::back_inserter(node.text), [](char c) {
        return (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') || c == '\n' || c == '\t';
      });
    } else {
      node.text = decoded(raw);
    }
    open_.back()->children.push_back(std::move(node));
  }

  void begin() {
    std::size_t at = 1;
    while (at < rest_.size() && !is_space(rest_[at]) && rest_[at] != '>' && rest_[at] != '/') ++at;
    StorageNode node;
    node.name = to_lower(rest_.substr(1, std::min<std::size_t>(at - 1, 60)));
    bool closed = contains(kVoid, node.name);
    while (at < rest_.size() && rest_[at] != '>') {
      if (is_space(rest_[at])) {
        ++at;
      } else if (rest_[at] == '/') {
        closed = closed || (at + 1 < rest_.size() && rest_[at + 1] == '>');
        ++at;
      } else {
        at = attribute(at, node);
      }
    }
    rest_ = rest_.substr(std::min(at + 1, rest_.size()));
    if (!closed && open_.size() >= kMaxStorageDepth) {
      // Its end must not end the element around it.
      ++too_deep_;
      return;
    }
    StorageNode& parent = *open_.back();
    parent.children.push_back(std::move(node));
    if (!closed) open_.push_back(&parent.children.back());
  }

  std::size_t attribute(std::size_t at, StorageNode& node) const {
    const std::size_t name = at;
    while (at < rest_.size() && !is_space(rest_[at]) && rest_[at] != '=' && rest_[at] != '>' && rest_[at] != '/') ++at;
    if (at == name) return at + 1;
    const std::string key = to_lower(rest_.substr(name, at - name));
    if (at >= rest_.size() || rest_[at] != '=') return at;
    ++at;
    const char quote = at < rest_.size() ? rest_[at] : ' ';
    if (quote != '"' && quote != '\'') return at;
    const std::size_t end = std::min(rest_.find(quote, at + 1), rest_.size());
    node.attributes.emplace(key, decoded(rest_.substr(at + 1, end - at - 1)));
    return std::min(end + 1, rest_.size());
  }

  void end(std::string_view name) {
    if (too_deep_ > 0) {
      --too_deep_;
      return;
    }
    for (std::size_t i = open_.size(); i-- > 1;) {
      if (open_[i]->name != name) continue;
      open_.resize(i);
      return;
    }
  }

  std::string_view rest_;
  StorageNode root_;
  std::vector<StorageNode*> open_;  // from the root to the innermost; a parent grows only while its child is closed
  std::size_t too_deep_ = 0;
};

}  // namespace

std::string StorageNode::attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? std::string() : found->second;
}

const StorageNode* StorageNode::child(std::string_view wanted) const {
  const auto found = std::ranges::find(children, wanted, &StorageNode::name);
  return found == children.end() ? nullptr : &*found;
}

std::string StorageNode::all_text() const {
  std::string all = text;
  for (const StorageNode& node : children) all += node.all_text();
  return all;
}

StorageNode read_storage(std::string_view storage) { return Reader(storage).read(); }

}  // namespace deputy::tools
