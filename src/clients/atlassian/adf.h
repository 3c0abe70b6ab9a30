// The Atlassian Document Format, in which Jira keeps descriptions and comments: a tree of nodes in JSON. Made from
// Markdown, and turned back into it. Pure, linear, bounded in depth.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace deputy::clients::atlassian {

/// A valid document of any text: no empty text node, no mark where none may be, links to http, https and mailto only.
/// It knows headings, paragraphs, lists, quotes, code blocks, tables and rules; bold, italics, strikethrough, code and
/// links. A line break in a paragraph stays one.
json::object adf_from_markdown(std::string_view markdown);

/// A document of any shape as Markdown; text as it is. What is not text is named in brackets: "[image]". Nodes that are
/// not known show the text in them.
std::string markdown_from_adf(const json::value& document);

}  // namespace deputy::clients::atlassian
