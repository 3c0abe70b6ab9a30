#include "sim/slack/page/emoji.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace deputy::sim::slack {
namespace {

struct Emoji {
  std::string_view name;
  std::string_view characters;
};

constexpr Emoji kEmoji[] = {
    {"+1", "👍"},
    {"-1", "👎"},
    {"100", "💯"},
    {"alarm_clock", "⏰"},
    {"arrow_down", "⬇️"},
    {"arrow_left", "⬅️"},
    {"arrow_right", "➡️"},
    {"arrow_up", "⬆️"},
    {"arrows_counterclockwise", "🔄"},
    {"ballot_box_with_check", "☑️"},
    {"bangbang", "‼️"},
    {"bar_chart", "📊"},
    {"bell", "🔔"},
    {"black_circle", "⚫"},
    {"book", "📖"},
    {"boom", "💥"},
    {"broken_heart", "💔"},
    {"brain", "🧠"},
    {"bug", "🐛"},
    {"bulb", "💡"},
    {"calendar", "📆"},
    {"chart_with_downwards_trend", "📉"},
    {"chart_with_upwards_trend", "📈"},
    {"clap", "👏"},
    {"clipboard", "📋"},
    {"clock1", "🕐"},
    {"cloud", "☁️"},
    {"computer", "💻"},
    {"construction", "🚧"},
    {"cry", "😢"},
    {"dart", "🎯"},
    {"exclamation", "❗"},
    {"eyes", "👀"},
    {"file_folder", "📁"},
    {"fire", "🔥"},
    {"gear", "⚙️"},
    {"ghost", "👻"},
    {"green_circle", "🟢"},
    {"grey_question", "❔"},
    {"hammer", "🔨"},
    {"hammer_and_wrench", "🛠️"},
    {"heart", "❤️"},
    {"heavy_check_mark", "✔️"},
    {"hourglass", "⌛"},
    {"hourglass_flowing_sand", "⏳"},
    {"information_source", "ℹ️"},
    {"joy", "😂"},
    {"key", "🔑"},
    {"label", "🏷️"},
    {"large_blue_circle", "🔵"},
    {"large_green_circle", "🟢"},
    {"large_orange_circle", "🟠"},
    {"large_yellow_circle", "🟡"},
    {"link", "🔗"},
    {"lock", "🔒"},
    {"mag", "🔍"},
    {"mag_right", "🔎"},
    {"memo", "📝"},
    {"moneybag", "💰"},
    {"no_entry", "⛔"},
    {"no_entry_sign", "🚫"},
    {"octagonal_sign", "🛑"},
    {"ok", "🆗"},
    {"ok_hand", "👌"},
    {"one", "1️⃣"},
    {"package", "📦"},
    {"page_facing_up", "📄"},
    {"paperclip", "📎"},
    {"party_popper", "🎉"},
    {"pencil2", "✏️"},
    {"pray", "🙏"},
    {"pushpin", "📌"},
    {"question", "❓"},
    {"raised_hands", "🙌"},
    {"recycle", "♻️"},
    {"red_circle", "🔴"},
    {"repeat", "🔁"},
    {"robot_face", "🤖"},
    {"rocket", "🚀"},
    {"rotating_light", "🚨"},
    {"scroll", "📜"},
    {"shield", "🛡️"},
    {"simple_smile", "🙂"},
    {"slightly_smiling_face", "🙂"},
    {"smile", "😄"},
    {"sos", "🆘"},
    {"sparkles", "✨"},
    {"speech_balloon", "💬"},
    {"star", "⭐"},
    {"stop_sign", "🛑"},
    {"stopwatch", "⏱️"},
    {"tada", "🎉"},
    {"test_tube", "🧪"},
    {"thinking_face", "🤔"},
    {"three", "3️⃣"},
    {"thumbsdown", "👎"},
    {"thumbsup", "👍"},
    {"ticket", "🎫"},
    {"triangular_flag_on_post", "🚩"},
    {"two", "2️⃣"},
    {"unlock", "🔓"},
    {"warning", "⚠️"},
    {"wastebasket", "🗑️"},
    {"wave", "👋"},
    {"white_check_mark", "✅"},
    {"white_circle", "⚪"},
    {"wrench", "🔧"},
    {"x", "❌"},
    {"zap", "⚡"},
    {"zzz", "💤"},
};

}  // namespace

std::string_view emoji(std::string_view name) {
  const auto* const found = std::ranges::find(kEmoji, name, &Emoji::name);
  return found == std::end(kEmoji) ? std::string_view() : found->characters;
}

std::string emoji_of_code_points(std::string_view hexadecimal) {
  std::string characters;
  if (hexadecimal.size() > 100) return characters;
  for (const auto point : split(hexadecimal, "-")) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(point.data(), point.data() + point.size(), value, 16);
    if (error != std::errc() || end != point.data() + point.size()) return {};
    append_utf8(characters, static_cast<char32_t>(value));
  }
  return characters;
}

}  // namespace deputy::sim::slack
