#include "model/data_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::model {

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
