#include "tools/analysis/analysis.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tools/common_steps.h"

namespace deputy::tools {

std::vector<std::shared_ptr<const toolkit::Tool>> analysis_tools(const AnalysisSetup& setup) {
  return {summarize_messages(setup), analyze_conversation(setup)};
}

namespace {

// The text goes to the next handler in an output's data, which is limited.
constexpr std::size_t kMaxTranscript = 56'000;  // bytes
constexpr std::size_t kMaxMessages = 100;
constexpr int kReplyTokens = 4000;

constexpr std::string_view kSystem =
    "You read messages of a team's chat for an operations engineer. Say only what the messages say, name people as "
    "they "
    "are named there, and give the times of what matters. Answer in the language of the question.";

Task<Result<toolkit::Step>> read_step(ReadTranscript read, std::size_t most, toolkit::CallContext& context) {
  CO_TRY(TranscriptStep step, co_await read(context, most, kMaxTranscript));
  if (auto* question = std::get_if<toolkit::Delegate>(&step)) co_return std::move(*question);
  auto& transcript = std::get<Transcript>(step);
  std::string range = transcript.range + "\n";
  co_return toolkit::Output{range, {{"range", range}, {"text", std::move(transcript.text)}}};
}

// The messages go to the model as data, apart from the question.
Task<toolkit::Step> ask_model(std::string prompt, toolkit::CallContext& context) {
  const toolkit::Output* read = context.output_of("read");
  if (read == nullptr) co_return Error{ErrorKind::internal, "the messages that were read are missing"};
  const std::string range = text_at(read->data, "range");
  std::string text = text_at(read->data, "text");
  if (text.empty()) co_return toolkit::Output{range, {}};
  if (!context.answer) {
    co_return toolkit::Delegate{
        toolkit::DelegateKind::model,
        {{"system", kSystem}, {"prompt", std::move(prompt)}, {"data", std::move(text)}, {"max_tokens", kReplyTokens}}};
  }
  co_return toolkit::Output{fmt::format("{}\n{}\n", range, as_text(*context.answer)), {}};
}

toolkit::Pipeline reading_and_asking(const AnalysisSetup& setup, std::size_t most, const std::string& prompt) {
  toolkit::Pipeline pipeline;
  pipeline
      .then({.name = "read",
             .repeatable = true,
             .call = [read = setup.read,
                      most](toolkit::CallContext& context) { return as_step(read_step(read, most, context)); }})
      .then({.name = "ask", .repeatable = true, .call = [prompt](toolkit::CallContext& context) {
               return ask_model(prompt, context);
             }});
  return pipeline;
}

toolkit::ToolSpec analysis_spec(const AnalysisSetup& setup, std::string name, std::string description) {
  return {.name = std::move(name),
          .version = 1,
          .description = std::move(description),
          .category = "analysis_tools",
          .effect = toolkit::Effect::read,
          .primary_param = "channel",
          .leads_to = setup.leads_to,
          .timeout = std::chrono::minutes(2),
          .target = setup.target,
          .missing = setup.missing};
}

}  // namespace

// summarize_messages = [ read, ask ]

namespace {

struct SummarizeParams {
  std::string channel;
  int limit = 50;
  std::string style = "brief";
  std::vector<std::string> focus_areas;
  int max_words = 200;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SummarizeParams;
    channel_field(f, &P::channel);
    f.optional(&P::limit, "limit", "How many messages at most, the newest")
        .in_range(1, kMaxMessages)
        .kind(toolkit::Kind::count);
    f.optional(&P::style, "style", "How to write it").one_of({"brief", "detailed", "bullet_points"});
    f.optional(&P::focus_areas, "focus_areas", "What to look at above all").items(0, 10);
    f.optional(&P::max_words, "max_words", "How long it may be").in_range(20, 1000);
  }
};

std::string prompt_for(const SummarizeParams& params) {
  std::string prompt = "Summarise the messages in the data";
  if (params.style == "brief") prompt += ", briefly, as one paragraph";
  if (params.style == "detailed") prompt += " in detail, with who said what and when";
  if (params.style == "bullet_points") prompt += " as a list of points";
  prompt += fmt::format(", in at most {} words.", params.max_words);
  if (!params.focus_areas.empty()) {
    // Text from a request: quoted, so that it cannot pass for an instruction of ours.
    prompt +=
        fmt::format(" Look above all at these subjects: {}.", json::serialize(json::value_from(params.focus_areas)));
  }
  return prompt;
}

}  // namespace

std::shared_ptr<const toolkit::Tool> summarize_messages(const AnalysisSetup& setup) {
  toolkit::ToolSpec spec = analysis_spec(
      setup, "summarize_messages",
      "Has a model summarise the newest messages of a channel. The first line says which range was really read.");
  spec.topics = {.words = {"summary of messages"}, .working = "Summarising {channel}"};
  return toolkit::make_tool<SummarizeParams>(std::move(spec), [setup](const SummarizeParams& params) {
    return Result<toolkit::Pipeline>(
        reading_and_asking(setup, static_cast<std::size_t>(params.limit), prompt_for(params)));
  });
}

// analyze_conversation = [ read, ask ]

namespace {

struct AnalyzeParams {
  std::string channel;
  std::string analysis_type;
  double confidence_threshold = 0.7;

  template <class Fields>
  static void fields(Fields& f) {
    using P = AnalyzeParams;
    channel_field(f, &P::channel);
    f.required(&P::analysis_type, "analysis_type", "What to find")
        .one_of({"sentiment", "topics", "decisions", "action_items"});
    f.optional(&P::confidence_threshold, "confidence_threshold", "Leave out what is less certain than this")
        .in_range(0, 1);
  }
};

std::string_view question_of(std::string_view analysis_type) {
  if (analysis_type == "sentiment") return "How do the people in it feel, in all and each of them, and about what?";
  if (analysis_type == "topics") return "Which topics do they talk about? Name each in a few words, the largest first.";
  if (analysis_type == "decisions") return "What was decided, by whom and when? A proposal is not a decision.";
  return "Which tasks were agreed on, for whom and until when? What nobody has taken on is named as open.";
}

std::string prompt_for(const AnalyzeParams& params) {
  return fmt::format(
      "Read the messages in the data as one conversation. {} Give a list; end each point with your confidence from 0 "
      "to 1 "
      "in brackets and the time of the message it rests on. Leave out points under {:.2f}. If there is none, say so.",
      question_of(params.analysis_type), params.confidence_threshold);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> analyze_conversation(const AnalysisSetup& setup) {
  toolkit::ToolSpec spec =
      analysis_spec(setup, "analyze_conversation",
                    "Has a model look for sentiment, topics, decisions or action items in the newest 100 messages of a "
                    "channel. The first line says which range was really read.");
  spec.topics = {.words = {"analysis of messages"}, .working = "Analysing {channel}"};
  return toolkit::make_tool<AnalyzeParams>(std::move(spec), [setup](const AnalyzeParams& params) {
    return Result<toolkit::Pipeline>(reading_and_asking(setup, kMaxMessages, prompt_for(params)));
  });
}

}  // namespace deputy::tools
