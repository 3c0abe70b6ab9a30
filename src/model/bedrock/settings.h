// What settings say of Bedrock; region, endpoint and credentials are those of `aws`.
#pragma once

#include <optional>

#include "base/fields.h"
#include "base/secret.h"
#include "model/bedrock/form.h"

namespace deputy::model::bedrock {

struct Settings {
  Secret bearer_token;
  std::optional<Form> form;
  Delivery delivery = Delivery::streamed;

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::bearer_token, "bearer_token", "A Bedrock API key, in place of the AWS credentials")
        .from_variable("AWS_BEARER_TOKEN_BEDROCK");
    f.optional(&S::form, "form",
               "In whose words models are asked: Anthropic's, which only its own know, or Converse's");
    f.optional(&S::delivery, "delivery", "How replies come; some models call tools only in whole ones");
  }
};

}  // namespace deputy::model::bedrock
