// In whose words a request to Bedrock is put, and how its reply comes.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace deputy::model::bedrock {

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

}  // namespace deputy::model::bedrock
