#include "net/form.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::net {

namespace {

enum class Plus { is_space, is_itself };

std::optional<int> hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

Result<std::string> decode(std::string_view text, Plus plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus == Plus::is_space) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
      if (!high || !low) return fail(ErrorKind::invalid_input, "a percent sign is not followed by two hex digits");
      decoded += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  if (!is_valid_utf8(decoded)) return fail(ErrorKind::invalid_input, "the text is not valid UTF-8");
  return decoded;
}

void encode(std::string& form, std::string_view text) {
  for (const char c : text) {
    if (is_letter_or_digit(c) || std::string_view("*-._").contains(c)) {
      form += c;
    } else if (c == ' ') {
      form += '+';
    } else {
      form += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

}  // namespace

Result<std::vector<FormField>> parse_form(std::string_view text, FormLimits limits) {
  if (text.size() > limits.bytes) {
    return fail(ErrorKind::invalid_input, fmt::format("the form is larger than {} bytes", limits.bytes));
  }
  std::vector<FormField> fields;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view piece = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (piece.empty()) continue;
    if (fields.size() == limits.fields) {
      return fail(ErrorKind::invalid_input, fmt::format("the form has more than {} fields", limits.fields));
    }
    const std::size_t equals = std::min(piece.find('='), piece.size());
    TRY(std::string name, decode(piece.substr(0, equals), Plus::is_space));
    TRY(std::string value, decode(piece.substr(std::min(equals + 1, piece.size())), Plus::is_space));
    fields.push_back({std::move(name), std::move(value)});
  }
  return fields;
}

std::string build_form(std::span<const FormField> fields) {
  std::string form;
  for (const FormField& field : fields) {
    if (!form.empty()) form += '&';
    encode(form, field.name);
    form += '=';
    encode(form, field.value);
  }
  return form;
}

std::optional<std::string_view> find_field(std::span<const FormField> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &FormField::name);
  if (found == fields.end()) return std::nullopt;
  return found->value;
}

Result<std::string> percent_decode(std::string_view text) { return decode(text, Plus::is_itself); }

}  // namespace deputy::net
