// Texts of Jira and Confluence of any bytes: Markdown becomes a document without empty text nodes, a document and a
// page become text in UTF-8.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json_pointer.h"
#include "base/text.h"
#include "clients/atlassian/adf.h"
#include "tools/docs/storage_markdown.h"

namespace {

void check_texts(const deputy::json::value& node) {
  if (deputy::text_in(node, "/type") == "text" && deputy::text_in(node, "/text").empty()) std::abort();
  for (const auto& child : deputy::items_in(node, "/content")) check_texts(child);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace deputy;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const json::object document = clients::atlassian::adf_from_markdown(bytes);
  check_texts(document);
  if (!is_valid_utf8(clients::atlassian::markdown_from_adf(document))) std::abort();
  if (const auto parsed = parse_json(bytes)) (void)clients::atlassian::markdown_from_adf(*parsed);
  if (!is_valid_utf8(tools::markdown_from_storage(bytes))) std::abort();
  return 0;
}
