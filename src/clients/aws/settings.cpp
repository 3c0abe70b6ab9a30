#include "clients/aws/settings.h"

#include "clients/aws/endpoints.h"

namespace deputy::clients::aws {

void check_region(const std::string& region, FieldReader& reader) {
  if (!region.empty() && !is_region(region)) {
    reader.problem("a region has small letters, digits and hyphens", "as in eu-central-1");
  }
}

}  // namespace deputy::clients::aws
