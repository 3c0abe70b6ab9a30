// Settings of the code tools: `tools.code_tools`.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "toolkit/settings.h"

namespace deputy::tools {

struct BedrockKbSettings {
  std::string id;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&BedrockKbSettings::id, "id", "The id of the knowledge base, ten letters and digits")
        .check_with(check_id);
  }

 private:
  static void check_id(const std::string& id, FieldReader& reader);
};

struct CodeToolsSettings : toolkit::CategorySettings {
  std::map<std::string, std::filesystem::path> repositories;
  BedrockKbSettings bedrock_kb;

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&CodeToolsSettings::repositories, "repositories",
               "The backend `local`: git repositories of this machine, a name and its folder");
    f.optional(&CodeToolsSettings::bedrock_kb, "bedrock_kb",
               "The backend `bedrock_kb`: a knowledge base of Amazon Bedrock in aws.region");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
