#include "policy/loose_readings.h"

#include "base/command_line.h"
#include "base/text.h"

namespace deputy::policy {

namespace {

bool ends_a_command(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::string_view(";|&()`<>").find(c) != std::string_view::npos || byte == 0x7f || (byte < 0x20 && c != '\t');
}

/// The replacement of a variable: its value may be a space, or nothing.
enum class VariableIs { kept, space, nothing };

std::string without_variables(std::string_view line, VariableIs meaning) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '$' || i + 1 == line.size()) {
      text += line[i];
      continue;
    }
    std::size_t end = i + 1;
    if (line[end] == '{') {
      const std::size_t close = line.find('}', end);
      if (close == std::string_view::npos) continue;  // keep the rest as it is, without the `$`
      end = close + 1;
    } else if (is_name_character(line[end])) {
      while (end < line.size() && is_name_character(line[end])) ++end;
    } else if (std::string_view("@*#?!-$").find(line[end]) != std::string_view::npos) {
      ++end;
    } else {
      continue;
    }
    if (meaning == VariableIs::space) text += ' ';
    i = end - 1;
  }
  return text;
}

enum class BracesAre { kept, space };

std::string flattened(std::string_view line, BracesAre braces) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == '\\' && i + 1 < line.size() && line[i + 1] == '\n') {
      ++i;
      continue;
    }
    if (c == '\'' || c == '"' || c == '\\' || c == '$') continue;
    if (ends_a_command(c)) c = '\n';
    if (c == '\t' || (braces == BracesAre::space && (c == '{' || c == '}' || c == ','))) c = ' ';
    const bool at_line_start = text.empty() || text.back() == '\n';
    if (c == ' ' && (at_line_start || text.back() == ' ')) continue;
    if (c == '\n') {
      if (at_line_start) continue;
      if (text.back() == ' ') text.pop_back();
    }
    text += c;
  }
  if (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::vector<std::string> loose_readings(std::string_view line) {
  std::vector<std::string> readings;
  const auto add = [&](std::string reading) {
    if (!contains(readings, reading)) readings.push_back(std::move(reading));
  };
  const std::string valid = to_valid_utf8(std::string(line));
  for (const VariableIs meaning : {VariableIs::kept, VariableIs::space, VariableIs::nothing}) {
    const std::string text = meaning == VariableIs::kept ? valid : without_variables(valid, meaning);
    for (const BracesAre braces : {BracesAre::kept, BracesAre::space}) add(flattened(text, braces));
  }
  return readings;
}

std::vector<std::size_t> possible_starts(std::string_view reading) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < reading.size(); ++i) {
    if (i == 0 || std::string_view(" \n/=").find(reading[i - 1]) != std::string_view::npos) starts.push_back(i);
  }
  return starts;
}

}  // namespace deputy::policy
