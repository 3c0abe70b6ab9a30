// A settings document: a tree of JSON in which every scalar is text (YAML's null is null), and the origin of each of
// its paths. It knows no setting; the fields that read the text give it a meaning.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/json.h"

namespace deputy::config {

// Origins: the source and line of every path of a document. Problems, `deputy config show` and the rules about secrets
// all use them.

/// True for `log.level` in `log`, and for `hosts[2]` in `hosts`.
bool is_inside(std::string_view path, std::string_view outer);

enum class SourceKind { file, variable, vendor_variable, flag };

/// One file, one environment variable or one flag.
struct Source {
  SourceKind kind = SourceKind::file;
  std::string name;                 // "/etc/deputy/deputy.yaml", "environment variable DEPUTY_X", "flag --set"
  std::filesystem::path folder;     // relative paths in it start here
  bool readable_by_others = false;  // then a literal secret in it is a problem
};

struct Origin {
  std::shared_ptr<const Source> source;
  int line = 0;  // 0: the source has no lines

  /// "deputy.yaml:12", "environment variable X", or "default" when no source sets it.
  std::string where() const;
};

/// The origins of paths as FieldReader writes them ("a.b[0].c").
class Origins {
 public:
  void add(std::string path, Origin origin) { origins_.insert_or_assign(std::move(path), std::move(origin)); }

  /// The origin of `path` or of its nearest known parent; empty when there is none.
  Origin of(std::string_view path) const;

  /// The origin of the value at `path`: of the path itself, or of a parent scalar that holds it as JSON. Empty when it
  /// is the default.
  Origin of_value(std::string_view path) const;

  /// The origin of exactly `path`, or null.
  const Origin* find(std::string_view path) const;

  /// Replaces the origins of `path` and everything inside it with those of `other`.
  void replace(const std::string& path, const Origins& other);

  std::size_t size() const { return origins_.size(); }

 private:
  void erase(const std::string& path);
  bool has_inner(const std::string& path) const;

  std::map<std::string, Origin, std::less<>> origins_;
};

/// A problem and the place to fix it.
struct LocatedProblem : Problem {
  std::string source;  // empty: it is not about one source
  int line = 0;

  bool operator==(const LocatedProblem&) const = default;
};

LocatedProblem locate(Problem problem, const Origin& origin);

/// "deputy.yaml:12: `log.levl`: there is no setting `levl`", one line without the hint.
std::string describe(const LocatedProblem& problem);

inline constexpr std::size_t kDeepest = 32;
inline constexpr std::size_t kMaxPathBytes = 8'000'000;  // of all paths of a document: deep ones under long keys add up

struct Document {
  json::object root;
  Origins origins;
};

/// Merges `over` into `under`: objects key by key, everything else is replaced. Merging documents from the lowest
/// precedence to the highest gives the effective one.
void merge(Document& under, const Document& over);

/// Sets one value at a path of keys and creates its parents. False when a parent is not an object, or the path is empty
/// or too deep.
bool set_value(Document& document, std::span<const std::string> keys, std::string_view text, const Origin& origin);

}  // namespace deputy::config
