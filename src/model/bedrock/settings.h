// Settings for Bedrock: the format of requests and the delivery of replies. Region, endpoint and credentials come from
// `aws`.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fields.h"
#include "base/secret.h"

namespace deputy::model::bedrock {

// The format of a request.

enum class ApiForm { messages, converse };

constexpr auto choices_of(ApiForm) {
  return std::to_array<std::pair<ApiForm, std::string_view>>(
      {{ApiForm::messages, "messages"}, {ApiForm::converse, "converse"}});
}

/// By a model's id, inference profile or ARN: Anthropic's contain "anthropic.".
inline ApiForm form_of(std::string_view model) {
  return model.find("anthropic.") == std::string_view::npos ? ApiForm::converse : ApiForm::messages;
}

/// Some models call tools only if the reply is not streamed.
enum class Delivery { streamed, whole };

constexpr auto choices_of(Delivery) {
  return std::to_array<std::pair<Delivery, std::string_view>>(
      {{Delivery::streamed, "streamed"}, {Delivery::whole, "whole"}});
}

struct Settings {
  Secret bearer_token;
  std::optional<ApiForm> form;
  Delivery delivery = Delivery::streamed;

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::bearer_token, "bearer_token", "A Bedrock API key, in place of the AWS credentials")
        .from_variable("AWS_BEARER_TOKEN_BEDROCK");
    f.optional(&S::form, "form", "The request format: messages (Anthropic's models only) or converse");
    f.optional(&S::delivery, "delivery", "How replies arrive; some models call tools only in whole replies");
  }
};

}  // namespace deputy::model::bedrock
