// Settings of the AWS tools, `tools.aws_tools`. Region, addresses and credentials are those of `aws`.
#pragma once

#include <filesystem>

#include "toolkit/settings.h"

namespace deputy::tools {

struct AwsToolsSettings : toolkit::CategorySettings {
  std::filesystem::path program;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&AwsToolsSettings::program, "program",
               "The AWS CLI of this machine, such as /usr/bin/aws; without it aws_cli is off");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
