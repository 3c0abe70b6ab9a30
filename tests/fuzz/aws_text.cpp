// What AWS answers in XML and JSON, and the AWS files of a person: whatever they hold, they are read or refused, within
// bounds, and no refusal repeats what it refused. The first byte says which.
#include <cstdint>

#include "base/text.h"
#include "clients/aws/metadata.h"
#include "clients/aws/profiles.h"
#include "clients/aws/s3.h"
#include "clients/aws/signed_client.h"
#include "clients/aws/xml.h"
#include "fuzz/complain.h"

namespace {

using namespace deputy;
using namespace deputy::clients::aws;

void check_xml(std::string_view text) {
  const auto texts = read_xml(text);
  if (!texts) return;
  std::size_t bytes = 0;
  for (const XmlText& found : *texts) {
    bytes += found.text.size();
    if (!is_valid_utf8(found.text) || found.path.empty()) complain("a text is not valid");
  }
  if (bytes > text.size()) complain("more comes out than goes in");
}

void check_profiles(std::string_view text) {
  for (const ProfileFile file : {ProfileFile::credentials, ProfileFile::config}) {
    const auto sections = parse_profiles(text, file);
    if (!sections && !sections.error().message.starts_with("line ")) complain("a problem has no line");
  }
}

void check_object(std::string_view text) {
  const auto object = parse_s3_url(text);
  if (!object) return;
  const auto url = object_url({}, "eu-central-1", *object);
  if (!url) complain("an object has no URL");
  const auto parsed = net::parse_url(*url, net::UrlPath::as_is);
  if (!parsed || parsed->text != *url) complain("the URL is another when it goes out");
  if (!parsed->host.ends_with(".amazonaws.com")) complain("the object is asked for elsewhere");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      check_xml(text);
      break;
    case 1:
      check_profiles(text);
      break;
    case 2: {
      const ServiceError error = read_service_error({}, text);
      if (!is_valid_utf8(error.message)) complain("a message is not valid");
      break;
    }
    case 3:
      if (const auto issued = read_issued(text, "a test"); issued && issued->key.secret.empty()) complain("no secret");
      break;
    default:
      check_object(text);
  }
  return 0;
}
