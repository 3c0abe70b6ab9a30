#include "tools/workspace/glob.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kLongestGlob = 500;

std::string expression_of(std::string_view pattern) {
  std::string expression;
  int open = 0;
  while (!pattern.empty()) {
    std::size_t taken = 1;
    if (pattern.starts_with("**/")) {
      expression += "(?:.*/)?";
      taken = 3;
    } else if (pattern.starts_with("**")) {
      expression += ".*";
      taken = 2;
    } else if (pattern[0] == '*') {
      expression += "[^/]*";
    } else if (pattern[0] == '?') {
      expression += "[^/]";
    } else if (pattern[0] == '{') {
      expression += "(?:";
      ++open;
    } else if (pattern[0] == '}' && open > 0) {
      expression += ")";
      --open;
    } else if (pattern[0] == ',' && open > 0) {
      expression += "|";
    } else {
      taken = decode_utf8(pattern).bytes;
      expression += re2::RE2::QuoteMeta(re2::StringPiece(pattern.data(), taken));
    }
    pattern.remove_prefix(taken);
  }
  return expression;
}

}  // namespace

Result<Glob> Glob::parse(std::string_view pattern) {
  Glob glob;
  if (pattern.empty()) return glob;
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);
  glob.last_name_only_ = !pattern.contains('/');
  auto expression = std::make_shared<const re2::RE2>(
      pattern.size() <= kLongestGlob ? expression_of(pattern) : std::string("("), options);
  if (!expression->ok()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("`{}` is not a file pattern", cut_with_mark(to_valid_utf8(std::string(pattern)), 100)),
                "give one such as *.cpp, src/**/*.{h,cpp} or docs/*");
  }
  glob.expression_ = std::move(expression);
  return glob;
}

bool Glob::matches(std::string_view path) const {
  if (!expression_) return true;
  if (last_name_only_) path.remove_prefix(path.rfind('/') + 1);
  return re2::RE2::FullMatch(re2::StringPiece(path.data(), path.size()), *expression_);
}

}  // namespace deputy::tools
