// Reads one whole object from S3.
#pragma once

#include <string>
#include <string_view>

#include "clients/aws/settings.h"
#include "clients/aws/signed_client.h"

namespace deputy::clients::aws {

struct S3Object {
  std::string bucket;
  std::string key;

  bool operator==(const S3Object&) const = default;
};

/// "s3://bucket/some/key"
Result<S3Object> parse_s3_url(std::string_view url);
/// For FieldBuilder::check_with; an empty one is not set.
void check_s3_url(const std::string& url, FieldReader& reader);

/// The object's URL: `https://bucket.s3.region.amazonaws.com/key`. The bucket goes into the path when its name is not a
/// single-part host name, or when settings give an endpoint. Pure.
Result<std::string> object_url(const Settings& settings, std::string_view region, const S3Object& object);

/// The object's bytes; more than `most` is an error of kind `upstream`. A bucket in another region is requested there,
/// once. Errors are one sentence with a hint.
Task<Result<std::string>> get_object(SignedClient& client, Settings settings, std::string region, S3Object object,
                                     std::size_t most);

}  // namespace deputy::clients::aws
