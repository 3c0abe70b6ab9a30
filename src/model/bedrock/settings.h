// What settings say of Bedrock; region, endpoint and credentials are those of `aws`.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fields.h"
#include "base/secret.h"

namespace deputy::model::bedrock {

// In whose words a request to Bedrock is put, and how its reply comes.

enum class Form { messages, converse };

constexpr auto choices_of(Form) {
  return std::to_array<std::pair<Form, std::string_view>>({{Form::messages, "messages"}, {Form::converse, "converse"}});
}

/// By the id, inference profile or ARN of a model: Anthropic's hold "anthropic.".
inline Form form_of(std::string_view model) {
  return model.find("anthropic.") == std::string_view::npos ? Form::converse : Form::messages;
}

/// Some models call tools only when their reply comes whole.
enum class Delivery { streamed, whole };

constexpr auto choices_of(Delivery) {
  return std::to_array<std::pair<Delivery, std::string_view>>(
      {{Delivery::streamed, "streamed"}, {Delivery::whole, "whole"}});
}

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
