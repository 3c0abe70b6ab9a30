// S3: one object, whole. Reading only.
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

/// Where the object is asked for: `https://bucket.s3.region.amazonaws.com/key`; with the bucket in the path where its
/// name is no host name of one part, or where settings give an endpoint. Pure.
Result<std::string> object_url(const Settings& settings, std::string_view region, const S3Object& object);

/// The object's bytes, at most `most` of them; a larger one is an error of kind `upstream`. A bucket that is in another
/// region is asked for there, once. Errors are one sentence with a hint.
Task<Result<std::string>> get_object(SignedClient& client, Settings settings, std::string region, S3Object object,
                                     std::size_t most);

}  // namespace deputy::clients::aws
