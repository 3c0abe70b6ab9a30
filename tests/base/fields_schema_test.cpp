// What a list of fields says of itself: the JSON Schema of its parser, and the reference.
#include "base/sample_fields.h"

namespace deputy {
namespace {

using test::Account;
using test::object;
using test::RichFields;
using test::SearchParams;

TEST(Schema, SaysWhatTheParserTakes) {
  EXPECT_EQ(json_schema<SearchParams>(), object(R"({
    "type": "object",
    "properties": {
      "query": {"type": "string", "minLength": 1, "maxLength": 12, "description": "Words to look for"},
      "limit": {"type": "integer", "minimum": 1, "maximum": 336, "description": "How many", "default": 4},
      "page": {"type": "integer", "minimum": 1, "maximum": 2147483647, "description": "Which page", "default": 1}
    },
    "additionalProperties": false,
    "required": ["query"]
  })"));
}

TEST(Schema, DescribesEveryKindOfField) {
  const json::object item = object(R"({
    "type": "object",
    "properties": {
      "name": {"type": "string", "minLength": 1, "maxLength": 10, "description": "What it is called"},
      "weight": {"type": "number", "minimum": 0, "maximum": 99.5, "description": "How heavy it is", "default": 1.0},
      "tags": {"type": "array", "items": {"type": "string", "enum": ["new", "old", "broken"]}, "minItems": 0, "maxItems": 3,
               "description": "Marks on it", "default": []}
    },
    "additionalProperties": false,
    "required": ["name"]
  })");
  const auto with = [](json::object schema, std::string_view doc, json::value default_value) {
    schema["description"] = doc;
    if (!default_value.is_null()) schema["default"] = std::move(default_value);
    return schema;
  };
  const json::object properties = json_schema<RichFields>().at("properties").as_object();
  EXPECT_EQ(
      properties.at("offset"),
      object(R"({"type":"integer","minimum":-5,"maximum":1000000000000,"description":"Where to begin","default":0})"));
  EXPECT_EQ(
      properties.at("count"),
      object(R"({"type":"integer","minimum":0,"maximum":4294967295,"description":"How many tries","default":3})"));
  EXPECT_EQ(properties.at("deep"),
            object(R"({"type":"boolean","description":"Look into folders too","default":false})"));
  EXPECT_EQ(
      properties.at("colour"),
      object(R"({"type":"string","enum":["red","green","dark_blue"],"description":"Which colour","default":"red"})"));
  EXPECT_EQ(properties.at("wait"),
            object(R"({"type":"string","minLength":2,"pattern":"^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$",
                       "description":"How long to wait","default":"1m30s"})"));
  EXPECT_EQ(properties.at("item"), with(item, "One thing", nullptr));
  EXPECT_EQ(properties.at("spare"), with(item, "Another thing", object(R"({"name":"spare","weight":2.5,"tags":[]})")));
  EXPECT_EQ(properties.at("items"),
            with({{"type", "array"}, {"items", item}, {"minItems", 0}, {"maxItems", 2}}, "Many things", json::array{}));
  EXPECT_EQ(
      properties.at("weights"),
      object(
          R"({"type":"object","additionalProperties":{"type":"number","minimum":-1},"description":"Weights by name","default":{}})"));
  EXPECT_EQ(properties.at("named"),
            with({{"type", "object"}, {"additionalProperties", item}}, "Things by name", json::object{}));
  EXPECT_EQ(properties.at("anything"), object(R"({"description":"Whatever it is"})"));
  EXPECT_EQ(json_schema<Account>().at("additionalProperties"), json::value(json_schema<SearchParams>()));
}

TEST(DescribeFields, WritesTheReferenceOfAStruct) {
  std::vector<std::string> lines;
  for (const FieldDoc& doc : describe_fields<Account>()) {
    lines.push_back(fmt::format("{} | {} | {} | {} | {} | {}", doc.path, doc.type, doc.doc,
                                json::serialize(doc.default_value), doc.variable,
                                doc.required ? "required" : "optional"));
  }
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                "user | text | Who logs in | null |  | required",
                "token | secret (`env:NAME`, `file:PATH`, `cmd:…`) | What proves it | null | VENDOR_TOKEN | optional",
                "<search>.query | text | Words to look for | null |  | required",
                "<search>.limit | whole number, 1 to 336 | How many | 4 |  | optional",
                "<search>.page | whole number, at least 1 | Which page | 1 |  | optional",
            }));
}

TEST(DescribeFields, NamesItemsAndOpenKeys) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const FieldDoc& doc : describe_fields<RichFields>()) {
    if (!doc.path.starts_with("spare")) lines.emplace_back(doc.path, doc.type);
  }
  EXPECT_EQ(lines, (std::vector<std::pair<std::string, std::string>>{
                       {"query", "text"},
                       {"limit", "whole number, 1 to 100"},
                       {"offset", "whole number, -5 to 1000000000000"},
                       {"count", "whole number"},
                       {"plain", "whole number"},
                       {"ratio", "number, 0 to 1"},
                       {"deep", "true or false"},
                       {"order", "text"},
                       {"colour", "text"},
                       {"wait", "duration (`30d`, `1h30m`, `90s`)"},
                       {"item.name", "text"},
                       {"item.weight", "number, 0 to 99.5"},
                       {"item.tags", "list of text"},
                       {"items", "list of objects"},
                       {"items[].name", "text"},
                       {"items[].weight", "number, 0 to 99.5"},
                       {"items[].tags", "list of text"},
                       {"numbers", "list of whole number, 0 to 9"},
                       {"weights.<name>", "number, at least -1"},
                       {"named.<name>.name", "text"},
                       {"named.<name>.weight", "number, 0 to 99.5"},
                       {"named.<name>.tags", "list of text"},
                       {"anything", "anything"},
                       {"options", "object"},
                   }));
}

}  // namespace
}  // namespace deputy
