#include "run/prompt/turns.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "model/sendable.h"
#include "model/thinking.h"
#include "run/plan/messages.h"

namespace deputy::run {

namespace {

constexpr std::string_view kAboutSummary =
    "(This conversation had become too long. What follows is your own summary of your work so far; the results of the "
    "calls it names can still be read with read_result.)";

constexpr std::string_view kGoOn =
    "(Your reply was cut at its length limit. Go on exactly where it stopped, and repeat nothing.)";

constexpr std::string_view kNotInAnotherWay = "\nDo not try it again in another way.";

constexpr std::string_view kImageOfBefore = "(An image stood here. It is not shown again.)";

constexpr std::string_view kNoText = "(The request has no text.)";

// Lines in square brackets are not the person's own words.
std::string request_text(const RunState& state) {
  const Received& received = state.request();
  std::string text = received.text;
  if (!received.name.empty()) text += fmt::format("\n\n[Asked by {}]", name_in_a_line(received.name));
  if (received.suspicion) {
    text += fmt::format("\n[This request is suspicious: {}. Every change asks; escalate to a person instead.]",
                        *received.suspicion);
  }
  if (received.pending) {
    for (const std::string& line : *received.pending) text += fmt::format("\n[Waiting for people here: {}]", line);
  }
  if (state.enriched && !state.enriched->context.empty()) text += "\n\n" + state.enriched->context;
  return text.empty() ? std::string(kNoText) : text;
}

// Once what is shown did not fit, less of it is: least of what is older.
std::string result_text(const CallState& call, std::size_t item, const RunState& state, Results results) {
  constexpr std::size_t kOfAnEarlierRun = 300;
  constexpr std::size_t kShortened = 1000;
  constexpr std::size_t kCut = 200;
  std::string text = call.finished ? call.finished->text : std::string();
  if (results == Results::shortened) return cut_with_mark(text, kOfAnEarlierRun);
  if (item < state.cut_before) return cut_with_mark(text, kCut);
  return item < state.shortened_before ? cut_with_mark(text, kShortened) : text;
}

// As its API named it, so that the turn goes back as it came.
const std::string& sent_id(const CallRequested& request) {
  return request.provider_id ? *request.provider_id : request.id;
}

model::Call sent_call(const CallRequested& request) { return {sent_id(request), request.tool, request.arguments}; }

std::string note_text(const Noted& note, std::string_view text) {
  return quoted_from("message", note.name.empty() ? note.writer : note.name, text);
}

constexpr std::size_t kMaxName = 100;

// A name is its owner's choice.
std::string as_attribute(std::string_view name) {
  std::string value(cut_characters(name, kMaxName));
  std::ranges::replace_if(
      value, [](char c) { return c == '<' || c == '>' || static_cast<unsigned char>(c) < ' '; }, ' ');
  return json::serialize(json::value(value));
}

}  // namespace

void Turns::add(model::Role role, model::Block block) {
  if (turns_.empty() || turns_.back().role != role) turns_.push_back({role, {}});
  turns_.back().blocks.push_back(std::move(block));
}

void Turns::say(model::Role role, std::string text) {
  if (!text.empty()) add(role, model::Text{std::move(text)});
}

void Turns::add_run(const RunState& state, Results results) {
  constexpr std::size_t kPipedIntoAnEarlierRun = 1000;
  add_thread(state);
  if (const auto& piped = state.request().piped) {
    say(model::Role::user,
        quoted("piped_text", results == Results::shortened ? cut_with_mark(*piped, kPipedIntoAnEarlierRun) : *piped));
  }
  add_images(state);
  say(model::Role::user, request_text(state));
  if (state.summarised > 0) add_summary(state);
  for (std::size_t i = state.summarised; i < state.transcript.size(); ++i) {
    const TranscriptItem& item = state.transcript[i];
    if (std::holds_alternative<ModelTurn>(item)) {
      add_model_turn(i, state, results);
    } else {
      const Noted& note = std::get<Noted>(item);
      say(model::Role::user, note_text(note, note.text));
    }
  }
  if (state.thinking_refused) model::drop_thinking(turns_);
}

// The answer is the text that people were told, also where no model gave it. The result of a call by hand is not an
// answer of Deputy.
void Turns::add_ended_run(const RunState& state, Results results) {
  add_run(state, results);
  for (model::Turn& turn : turns_) {
    for (model::Block& block : turn.blocks) {
      if (std::holds_alternative<model::Image>(block)) block = model::Text{std::string(kImageOfBefore)};
    }
  }
  if (state.request().only_call) {
    constexpr std::size_t kMaxCallByHand = 8000;
    const std::string given = state.replied ? state.replied->text : std::string();
    say(model::Role::user, quoted("tool_result", cut_with_mark(given, kMaxCallByHand)));
    return say(model::Role::assistant, "(That was a call by hand; I did nothing.)");
  }
  const ModelTurn* last = state.last_turn();
  const bool is_answered = turns_.back().role == model::Role::assistant && last != nullptr && !trim(last->text).empty();
  if (!is_answered) say(model::Role::assistant, state.replied ? state.replied->text : "(There was no answer.)");
}

void Turns::add_images(const RunState& state) {
  if (!state.enriched || !state.enriched->images) return;
  for (const ShownImage& image : *state.enriched->images)
    add(model::Role::user, model::Image{image.media_type, image.digest});
}

void Turns::add_thread(const RunState& state) {
  if (!state.enriched) return;
  for (const ThreadLine& line : state.enriched->thread) {
    if (line.by_deputy) {
      if (turns_.empty()) say(model::Role::user, "(earlier in this thread)");
      say(model::Role::assistant, line.text);
    } else {
      say(model::Role::user, quoted_from(line.by_bot ? "quoted_bot_message" : "message", line.writer, line.text));
    }
  }
}

// People's own words stay beside a summary, which is the model's.
void Turns::add_summary(const RunState& state) {
  constexpr std::size_t kMaxNote = 1000;
  for (std::size_t i = 0; i < state.summarised; ++i) {
    if (const auto* note = std::get_if<Noted>(&state.transcript[i]))
      say(model::Role::user, note_text(*note, cut_with_mark(note->text, kMaxNote)));
  }
  say(model::Role::user, std::string(kAboutSummary) + "\n" + quoted("summary", state.summary));
}

void Turns::add_model_turn(std::size_t item, const RunState& state, Results results) {
  const ModelTurn& turn = std::get<ModelTurn>(state.transcript[item]);
  if (turn.thinking_refused) model::drop_thinking(turns_);
  if (turn.without_tools) say(model::Role::user, std::string(kNoMoreTools));
  add_reply(turn, state, results);
  for (const std::string& id : turn.calls) {
    const CallState& call = *state.find_call(id);
    const bool failed = !call.finished || call.finished->status != CallStatus::success;
    std::string text = result_text(call, item, state, results);
    if (call.finished && call.finished->status == CallStatus::denied) text += kNotInAnotherWay;
    add(model::Role::user, model::CallResult{sent_id(call.request), std::move(text), failed});
  }
  if (turn.goes_on) say(model::Role::user, std::string(kGoOn));
}

void Turns::add_reply(const ModelTurn& turn, const RunState& state, Results results) {
  if (!turn.thinking || results == Results::shortened) {
    say(model::Role::assistant, turn.text);
    for (const std::string& id : turn.calls) add(model::Role::assistant, sent_call(state.find_call(id)->request));
    return;
  }
  std::size_t from = 0;
  for (const ReplyPart& part : turn.thinking->parts) {
    if (part.thinking) {
      add(model::Role::assistant, model::Thinking{*part.thinking, {}, turn.thinking->origin, turn.thinking->prefix});
    } else if (part.text && from < turn.text.size()) {
      say(model::Role::assistant, turn.text.substr(from, *part.text));
      from += std::min(*part.text, turn.text.size() - from);
    } else if (const CallState* call = part.call ? state.find_call(*part.call) : nullptr) {
      add(model::Role::assistant, sent_call(call->request));
    }
  }
}

std::string quoted(std::string_view tag, std::string_view text) {
  return fmt::format("<{0}>\n{1}\n</{0}>", tag, model::without_closing_tags(text));
}

std::string quoted_from(std::string_view tag, std::string_view writer, std::string_view text) {
  return fmt::format("<{0} from={1}>\n{2}\n</{0}>", tag, as_attribute(writer), model::without_closing_tags(text));
}

}  // namespace deputy::run
