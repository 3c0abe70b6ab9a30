// A settings document: a tree of JSON in which every scalar is text (YAML's null is null), and where each of its paths
// came from. It knows no setting; what its text means is for the fields that read it.
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

// Where settings came from: for every path of a document the source that says it and the line there. Problems, `deputy
// config show` and the rules about secrets all ask here.

/// True for `log.level` in `log`, and for `hosts[2]` in `hosts`.
bool is_inside(std::string_view path, std::string_view outer);

enum class SourceKind { file, variable, vendor_variable, flag };

/// One file, one environment variable or one flag.
struct Source {
  SourceKind kind = SourceKind::file;
  std::string name;                 // "/etc/deputy/deputy.yaml", "environment variable DEPUTY_X", "flag --set"
  std::filesystem::path folder;     // what a relative path in it starts from
  bool readable_by_others = false;  // a literal secret in it is then a problem
};

struct Origin {
  std::shared_ptr<const Source> source;
  int line = 0;  // 0: the source has no lines

  /// "deputy.yaml:12", "environment variable X", or "default" when nothing says it.
  std::string where() const;
};

/// Paths as FieldReader writes them ("a.b[0].c") with their origins.
class Origins {
 public:
  void add(std::string path, Origin origin) { origins_.insert_or_assign(std::move(path), std::move(origin)); }

  /// The origin of `path` itself or of the nearest thing around it; empty when nothing around it is known.
  Origin of(std::string_view path) const;

  /// Who gave the value at `path`: itself, or a scalar around it that holds it as JSON. Empty: nobody, it is the
  /// default.
  Origin of_value(std::string_view path) const;

  /// The origin of exactly `path`, or null.
  const Origin* find(std::string_view path) const;

  /// `path` and all inside it now come from where `other` says.
  void replace(const std::string& path, const Origins& other);

  std::size_t size() const { return origins_.size(); }

 private:
  void erase(const std::string& path);
  bool has_inner(const std::string& path) const;

  std::map<std::string, Origin, std::less<>> origins_;
};

/// A problem and where to go to fix it.
struct LocatedProblem : Problem {
  std::string source;  // empty: it is about no one source
  int line = 0;

  bool operator==(const LocatedProblem&) const = default;
};

LocatedProblem locate(Problem problem, const Origin& origin);

/// "deputy.yaml:12: `log.levl`: there is no setting `levl`", one line without the hint.
std::string describe(const LocatedProblem& problem);

inline constexpr std::size_t kDeepest = 32;
inline constexpr std::size_t kMostPathBytes =
    8'000'000;  // of the paths of a document: deep ones under long keys add up

struct Document {
  json::object root;
  Origins origins;
};

/// Lays `over` on `under`: objects merge key by key, everything else replaces. Laying documents from the lowest
/// precedence to the highest gives the effective one.
void merge(Document& under, const Document& over);

/// Writes one value at a path of keys, with the objects around it. False when a value that is no object stands in the
/// way, or the path is empty or too deep.
bool set_value(Document& document, std::span<const std::string> keys, std::string_view text, const Origin& origin);

}  // namespace deputy::config
