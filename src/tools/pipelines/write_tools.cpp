// run_pipeline and stop_pipeline.
//
// What was approved is a commit: the one that the branch or tag stood at in the preview. Just before the start it is
// read again; if it moved, the call ends with a conflict. Where the vendor starts a branch and not a commit, the run is
// looked at once more after its start and stopped if it took another one. Only a run that the vendor named in its
// answer to our start is stopped: another may be a person's.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/pipelines/pipeline_tools.h"
#include "tools/pipelines/report.h"
#include "tools/shown.h"
#include "tools/time_range.h"

namespace deputy::tools::pipelines {

namespace {

using Looked = toolkit::Looked;
using std::chrono::milliseconds;
using Environments = std::map<std::string, std::vector<std::string>>;

constexpr std::size_t kShownName = 100;
constexpr std::size_t kShownTitle = 160;
constexpr auto kClocksDiffer = std::chrono::minutes(5);  // ours and the vendor's
constexpr int kLooksForRun = 5;                          // until a run that was started is listed

// The environment of a run

std::set<std::string> environments_in(const Environments& known, const std::vector<std::string>& words) {
  std::set<std::string> found;
  for (const std::string& word : words) {
    const auto is_it = [&](const std::string& name) { return to_lower(name) == to_lower(word); };
    for (const auto& [name, others] : known) {
      if (is_it(name) || std::ranges::any_of(others, is_it)) found.insert(name);
    }
  }
  return found;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (is_letter_or_digit(c)) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

/// What a variable's whole value and the words of the pipeline's names, such as deploy-prod, say; empty: nothing.
Result<std::string> environment_said(const Environments& known, std::vector<std::string> values,
                                     const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (std::string& word : words_of(name)) values.push_back(std::move(word));
  }
  const std::set<std::string> said = environments_in(known, values);
  if (said.size() > 1)
    return fail(ErrorKind::invalid_input,
                fmt::format("the pipeline and its variables name several environments: {}",
                            list_names(std::vector(said.begin(), said.end()))),
                "run it once for each, so that each is approved");
  return said.empty() ? std::string() : *said.begin();
}

/// Policy judges what the pipeline and its variables say; the call's own word only where they say nothing.
Result<> settle_environment(const Environments& known, json::object& arguments) {
  std::vector<std::string> values;
  if (const json::object* variables = find_object(arguments, "variables")) {
    for (const auto& variable : *variables) values.push_back(as_text(variable.value()));
  }
  TRY(const std::string said, environment_said(known, std::move(values), {text_at(arguments, "pipeline")}));
  if (!said.empty()) arguments["environment"] = said;
  return {};
}

void settle_ref(json::object& arguments) {
  std::string ref(trim(text_at(arguments, "ref")));
  for (const std::string_view prefix : {"refs/heads/", "refs/tags/"}) {
    if (ref.starts_with(prefix)) ref.erase(0, prefix.size());
  }
  if (arguments.contains("ref")) arguments["ref"] = ref;
}

// run_pipeline = [ preview, AWAIT APPROVAL, start, find, follow ]

struct RunParams {
  std::string repo;
  std::string ref;
  std::string pipeline;
  std::map<std::string, std::string> variables;
  std::string environment;

  template <class Fields>
  static void fields(Fields& f) {
    using P = RunParams;
    repo_field<P>(f);
    f.required(&P::ref, "ref", "The branch or tag to run it on").characters(1, 250);
    f.optional(&P::pipeline, "pipeline",
               "Which pipeline: a workflow's file or name in GitHub, a custom pipeline's name in Bitbucket")
        .characters(0, 200);
    f.optional(&P::variables, "variables", "Its inputs or variables, by name").characters(0, 2000);
    f.optional(&P::environment, "environment",
               "What it works on, such as prod, where neither the variables nor the pipeline's name say it")
        .characters(0, 60)
        .kind(toolkit::Kind::environment);
  }
};

std::string name_of(const NamedPipeline& pipeline) {
  return pipeline.name.empty() ? "the pipeline" : fmt::format("the pipeline `{}`", pipeline.name);
}

struct Before {
  std::optional<PipelineRun> run;
  std::optional<Changes> changes;
  std::string why_not;
};

/// What the last successful run had, and what has changed since. The preview does without if it cannot be read.
Task<Result<Before>> read_before(Place<PipelineStarter> place, NamedPipeline pipeline, std::string commit,
                                 milliseconds limit) {
  Before before;
  CO_TRY(before.run, co_await place.backend->last_success(place.repo, std::move(pipeline), limit));
  if (!before.run || before.run->commit.empty()) co_return before;
  Result<Changes> changes = co_await place.backend->changes(place.repo, before.run->commit, std::move(commit), limit);
  if (changes) {
    before.changes = *std::move(changes);
  } else {
    before.why_not = changes.error().message;
  }
  co_return before;
}

/// What the pipeline says once its file and name are known; it is what policy judged.
Result<std::string> check_environment(const Environments& known, const RunParams& params,
                                      const NamedPipeline& pipeline) {
  std::vector<std::string> values;
  for (const auto& [name, value] : params.variables) values.push_back(value);
  TRY(std::string said, environment_said(known, std::move(values), {params.pipeline, pipeline.id, pipeline.name}));
  if (said.empty() || environments_in(known, {params.environment}).contains(said)) return said;
  return fail(ErrorKind::invalid_input,
              fmt::format("{} works on {}, and the call says {}", name_of(pipeline), said,
                          params.environment.empty() ? "no environment" : params.environment),
              fmt::format("call run_pipeline with environment: {}", said));
}

/// One pipeline may work on several environments: then its last run says nothing of this one.
std::string label_of_last_run(const Environments& known, const RunParams& params, const NamedPipeline& pipeline) {
  const bool has_own = !environment_said(known, {}, {params.pipeline, pipeline.id, pipeline.name}).value_or("").empty();
  return has_own ? "Last successful run" : "Last successful run, for any environment";
}

std::string environment_line(const RunParams& params, bool pipeline_says_it) {
  if (params.environment.empty()) return "Environment: the pipeline does not say\n";
  return fmt::format("Environment: {}{}\n", params.environment,
                     pipeline_says_it ? "" : ", as the call says; the pipeline does not say");
}

struct Said {
  std::string environment;
  std::string last_run;
};

std::string preview_text(const Said& said, const std::string& repo, const NamedPipeline& pipeline, const Ref& ref,
                         const Before& before, const toolkit::Redact& redact) {
  const std::string to =
      fmt::format("{} \"{}\"", short_hash(ref.commit.hash), shown(ref.commit.title, kShownTitle, redact));
  std::string text = fmt::format("Run {} of {} on {} {}\n", name_of(pipeline), repo,
                                 ref.kind == Ref::Kind::branch ? "branch" : "tag", shown(ref.name, kShownName, redact));
  text += said.environment;
  if (!before.run) return text + fmt::format("Commit: {}; it has no successful run yet\n", to);
  text += fmt::format("Commit: {} → {}\n", short_hash(before.run->commit), to);
  text += fmt::format("{}: {}\n", said.last_run, run_line(*before.run, redact));
  if (before.changes) text += changes_in_words(*before.changes, redact);
  if (!before.why_not.empty()) text += fmt::format("The commits between could not be read: {}\n", before.why_not);
  return text;
}

Task<Result<toolkit::Step>> preview_run(Parts parts, RunParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineStarter> place, co_await place_to_start(parts, params.repo));
  CO_TRY(const NamedPipeline pipeline,
         co_await place.backend->pipeline(place.repo, params.pipeline, context.time_left()));
  CO_TRY(const std::string said, check_environment(parts->environments, params, pipeline));
  CO_TRY(const Ref ref, co_await place.backend->ref(place.repo, params.ref, context.time_left()));
  CO_TRY(const Before before, co_await read_before(place, pipeline, ref.commit.hash, context.time_left()));
  json::object data{{"repo", place.repo},
                    {"commit", ref.commit.hash},
                    {"kind", ref.kind == Ref::Kind::branch ? "branch" : "tag"},
                    {"pipeline", pipeline.id},
                    {"pipeline_name", pipeline.name},
                    {"change", short_hash(ref.commit.hash)}};
  const Said words{environment_line(params, !said.empty()), label_of_last_run(parts->environments, params, pipeline)};
  co_return toolkit::Output{preview_text(words, place.repo, pipeline, ref, before, context.redact_picked),
                            std::move(data)};
}

/// What was approved, as the preview saw it.
Result<Start> approved(const RunParams& params, const toolkit::CallContext& context) {
  const toolkit::Output* seen = context.output_of("preview");
  if (seen == nullptr) return fail(ErrorKind::internal, "the preview of this call is missing");
  const auto kind = text_at(seen->data, "kind") == "tag" ? Ref::Kind::tag : Ref::Kind::branch;
  return Start{.repo = text_at(seen->data, "repo"),
               .pipeline = {text_at(seen->data, "pipeline"), text_at(seen->data, "pipeline_name")},
               .ref = {params.ref, kind, {text_at(seen->data, "commit"), "", ""}},
               .variables = params.variables};
}

Task<Result<toolkit::Step>> start_run(Parts parts, RunParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineStarter> place, co_await place_to_start(parts, params.repo));
  CO_TRY(const Start start, approved(params, context));
  CO_TRY(const Ref now, co_await place.backend->ref(place.repo, params.ref, context.time_left()));
  if (place.repo != start.repo || now.kind != start.ref.kind || now.commit.hash != start.ref.commit.hash)
    co_return fail(ErrorKind::conflict,
                   fmt::format("{} has moved from {} to {} since the preview, and nothing was started", params.ref,
                               short_hash(start.ref.commit.hash), short_hash(now.commit.hash)),
                   "call run_pipeline again: the new commits are then shown and approved");
  const std::string since = format_timestamp(parts->clock->now());
  CO_TRY(const std::string run, co_await place.backend->start(start, context.time_left()));
  co_return toolkit::Output{fmt::format("Started {} of {}\n", name_of(start.pipeline), start.repo),
                            {{"run", run}, {"since", since}}};
}

/// The run that can only be the one that was started; null if that cannot be told.
const PipelineRun* only_ours(const std::vector<StartedRun>& started, const Start& start) {
  if (started.size() != 1) return nullptr;
  const StartedRun& one = started.front();
  return one.is_ours && one.run.commit == start.ref.commit.hash ? &one.run : nullptr;
}

Task<Result<Looked>> look_for_start(Parts parts, RunParams params, const toolkit::CallContext& context) {
  using enum Looked::Answer;
  CO_TRY(const Place<PipelineStarter> place, co_await place_to_start(parts, params.repo));
  CO_TRY(const Start start, approved(params, context));
  CO_TRY(const std::vector<StartedRun> started,
         co_await place.backend->started(start, context.begun_at - kClocksDiffer, context.time_left()));
  if (started.empty()) co_return Looked{not_done};
  const PipelineRun* run = only_ours(started, start);
  if (run == nullptr) co_return Looked{cannot_tell};
  co_return Looked{done, toolkit::Output{fmt::format("Started {} of {}\n", name_of(start.pipeline), start.repo),
                                         {{"run", run->id}, {"since", format_timestamp(context.begun_at)}}}};
}

/// The run of this id; nothing if it is not listed yet.
Task<Result<std::optional<PipelineRun>>> listed_run(Parts parts, Place<PipelineStarter> place, std::string id,
                                                    milliseconds limit) {
  for (int look = 1; look <= kLooksForRun; ++look) {
    const Result<PipelineRun> run = co_await place.backend->run(place.repo, id, limit);
    if (run) co_return *run;
    if (run.error().kind != ErrorKind::not_found) co_return std::unexpected(run.error());
    if (look < kLooksForRun) co_await sleep_for(parts->poll * look);
  }
  co_return std::nullopt;
}

/// Where the start did not say its run. It stops none: it may be another's.
Task<Result<toolkit::Step>> find_unnamed_run(Parts parts, Place<PipelineStarter> place, Start start,
                                             toolkit::Output begun, const toolkit::CallContext& context) {
  CO_TRY(const Timestamp since, parse_timestamp(text_at(begun.data, "since")));
  std::vector<StartedRun> started;
  for (int look = 1; look <= kLooksForRun; ++look) {
    CO_TRY(started, co_await place.backend->started(start, since - kClocksDiffer, context.time_left()));
    if (!started.empty()) break;
    if (look < kLooksForRun) co_await sleep_for(parts->poll * look);
  }
  if (const PipelineRun* run = only_ours(started, start))
    co_return toolkit::Output{begun.text + fmt::format("{}\n", run_line(*run, context.redact_picked)),
                              {{"run", run->id}, {"link", run->link}}};
  std::string text = begun.text;
  text += started.empty() ? "Its run is not listed yet" : "Which run it is cannot be told";
  text += fmt::format(": whether it took the approved commit {} is not known. Look with get_pipeline_status.\n",
                      short_hash(start.ref.commit.hash));
  for (const StartedRun& one : started) text += fmt::format("- {}\n", run_line(one.run, context.redact_picked));
  co_return toolkit::Output{std::move(text), {}};
}

Task<Result<toolkit::Step>> find_run(Parts parts, RunParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineStarter> place, co_await place_to_start(parts, params.repo));
  CO_TRY(const Start start, approved(params, context));
  const toolkit::Output* begun = context.output_of("start");
  if (begun == nullptr) co_return fail(ErrorKind::internal, "the start of this call is missing");
  const std::string id = text_at(begun->data, "run");
  if (id.empty()) co_return co_await find_unnamed_run(parts, place, start, *begun, context);
  CO_TRY(const std::optional<PipelineRun> run, co_await listed_run(parts, place, id, context.time_left()));
  if (!run)
    co_return toolkit::Output{
        begun->text + fmt::format("Its run {} is not listed yet: whether it took the approved commit {} is not known\n",
                                  id, short_hash(start.ref.commit.hash)),
        {{"run", id}}};
  if (!run->commit.empty() && run->commit != start.ref.commit.hash) {
    const Result<> stopped = co_await place.backend->stop(place.repo, run->id, context.time_left());
    co_return fail(ErrorKind::conflict,
                   fmt::format("{} moved while it was started: run {} has taken commit {} instead of {} and {}",
                               params.ref, run->id, short_hash(run->commit), short_hash(start.ref.commit.hash),
                               stopped ? "was stopped" : "could not be stopped (" + stopped.error().message + ")"),
                   stopped ? "call run_pipeline again: the new commits are then shown and approved"
                           : "stop it with stop_pipeline");
  }
  co_return toolkit::Output{begun->text + fmt::format("{}\n", run_line(*run, context.redact_picked)),
                            {{"run", run->id}, {"link", run->link}}};
}

Task<toolkit::Step> follow_run(std::string repo, const toolkit::CallContext& context) {
  const toolkit::Output* found = context.output_of("find");
  const std::string run = found == nullptr ? std::string() : text_at(found->data, "run");
  if (run.empty()) co_return toolkit::Continue{};
  if (!context.answer) {
    const json::object arguments{{"repo", repo}, {"pipeline_id", run}, {"wait", true}};
    co_return toolkit::Delegate{toolkit::DelegateKind::background,
                                {{"tool", "get_pipeline_details"}, {"arguments", arguments}}};
  }
  toolkit::Output output = *found;
  const std::string task = as_text(*context.answer);
  if (!task.empty()) output.text += fmt::format("It is followed in the background, task {}\n", task);
  co_return output;
}

// stop_pipeline = [ preview, AWAIT APPROVAL, stop ]

struct StopParams {
  std::string repo;
  std::string pipeline_id;

  template <class Fields>
  static void fields(Fields& f) {
    repo_field<StopParams>(f);
    pipeline_id_field<StopParams>(f);
  }
};

Task<Result<PipelineRun>> running(Place<PipelineStarter> place, std::string id, milliseconds limit) {
  CO_TRY(const PipelineRun run, co_await place.backend->run(place.repo, std::move(id), limit));
  if (has_ended(run.state))
    co_return fail(ErrorKind::conflict, fmt::format("the run {} has already ended: {}", run.id, name(run.state)),
                   "there is nothing to stop");
  co_return run;
}

Task<Result<toolkit::Step>> preview_stop(Parts parts, StopParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineStarter> place, co_await place_to_start(parts, params.repo));
  CO_TRY(const PipelineRun run, co_await running(place, params.pipeline_id, context.time_left()));
  co_return toolkit::Output{
      fmt::format("Stop a pipeline of {}:\n{}\n", place.repo, run_line(run, context.redact_picked)),
      {{"repo", place.repo}, {"run", run.id}, {"commit", run.commit}}};
}

Task<Result<toolkit::Step>> stop_run(Parts parts, StopParams params, const toolkit::CallContext& context) {
  CO_TRY(const Place<PipelineStarter> place, co_await place_to_start(parts, params.repo));
  const toolkit::Output* seen = context.output_of("preview");
  if (seen == nullptr) co_return fail(ErrorKind::internal, "the preview of this call is missing");
  CO_TRY(const PipelineRun run, co_await running(place, params.pipeline_id, context.time_left()));
  if (place.repo != text_at(seen->data, "repo") || run.commit != text_at(seen->data, "commit"))
    co_return fail(ErrorKind::conflict, "this is another run than the one that was shown", "ask again");
  CO_TRY(co_await place.backend->stop(place.repo, run.id, context.time_left()));
  co_return toolkit::Output{
      fmt::format("Asked to stop; it ends in moments\n{}\n", run_line(run, context.redact_picked)), {{"run", run.id}}};
}

Task<Result<Looked>> look_for_stop(Parts parts, StopParams params, const toolkit::CallContext& context) {
  using enum Looked::Answer;
  CO_TRY(const Place<PipelineStarter> place, co_await place_to_start(parts, params.repo));
  CO_TRY(const PipelineRun run, co_await place.backend->run(place.repo, params.pipeline_id, context.time_left()));
  if (run.state != RunState::stopped) co_return Looked{cannot_tell};  // it may still be about to end
  co_return Looked{
      done, toolkit::Output{fmt::format("Stopped\n{}\n", run_line(run, context.redact_picked)), {{"run", run.id}}}};
}

toolkit::ToolSpec write_spec(const Parts& parts, std::string name, std::string description) {
  toolkit::ToolSpec spec = pipeline_spec(std::move(name), std::move(description), toolkit::Effect::write);
  spec.target = parts->backends.starters.target();
  spec.missing = parts->backends.starters.missing();
  return spec;
}

}  // namespace

Tool run_pipeline(const Parts& parts) {
  toolkit::ToolSpec spec = write_spec(parts, "run_pipeline",
                                      "Runs a pipeline (a build, a deploy) of a repository or service on a branch or "
                                      "tag. A person sees the commits that it brings and approves them first; the run "
                                      "is then followed to its end in the background.");
  spec.pins = {"repo", "ref", "pipeline", "variables", "environment"};
  spec.means_default_environment = false;  // a pipeline runs where it runs
  spec.words = [](const json::object& arguments) {
    const std::string pipeline = text_at(arguments, "pipeline");
    return toolkit::CallDescription{
        fmt::format("{}{} on {}", pipeline.empty() ? "" : cut_with_mark(pipeline, kShownName) + " of ",
                    cut_with_mark(text_at(arguments, "repo"), kShownName),
                    cut_with_mark(text_at(arguments, "ref"), kShownName)),
        ""};
  };
  spec.topics = {.words = {"pipeline", "deploy", "build"},
                 .verbs = {"run", "start", "deploy", "trigger"},
                 .working = "Running a pipeline of {service}"};
  Tool tool =
      toolkit::make_tool<RunParams>(std::move(spec), [parts](const RunParams& params) -> Result<toolkit::Pipeline> {
        toolkit::Pipeline pipeline;
        pipeline
            .then({.name = "preview",
                   .repeatable = true,
                   .call = [parts, params](
                               toolkit::CallContext& context) { return as_step(preview_run(parts, params, context)); }})
            .await_approval()
            .then({.name = "start",
                   .call = [parts, params](
                               toolkit::CallContext& context) { return as_step(start_run(parts, params, context)); },
                   .look = [parts,
                            params](toolkit::CallContext& context) { return look_for_start(parts, params, context); }})
            .then({.name = "find",
                   .repeatable = true,
                   .call = [parts, params](
                               toolkit::CallContext& context) { return as_step(find_run(parts, params, context)); }})
            .then({.name = "follow", .repeatable = true, .call = [repo = params.repo](toolkit::CallContext& context) {
                     return follow_run(repo, context);
                   }});
        return pipeline;
      });
  return with_repository(std::move(tool), [parts](json::object& arguments) {
    settle_ref(arguments);
    return settle_environment(parts->environments, arguments);
  });
}

Tool stop_pipeline(const Parts& parts) {
  toolkit::ToolSpec spec = write_spec(parts, "stop_pipeline",
                                      "Stops a pipeline run of a repository or service that has not ended. A person "
                                      "approves it first.");
  spec.pins = {"repo", "pipeline_id"};
  spec.topics = {.words = {"pipeline", "build", "deploy"},
                 .verbs = {"stop", "cancel", "abort"},
                 .working = "Stopping a pipeline of {service}"};
  return with_repository(
      toolkit::make_tool<StopParams>(std::move(spec), [parts](const StopParams& params) -> Result<toolkit::Pipeline> {
        toolkit::Pipeline pipeline;
        pipeline
            .then(
                {.name = "preview",
                 .repeatable = true,
                 .call = [parts, params](
                             toolkit::CallContext& context) { return as_step(preview_stop(parts, params, context)); }})
            .await_approval()
            .then({.name = "stop",
                   .call = [parts, params](
                               toolkit::CallContext& context) { return as_step(stop_run(parts, params, context)); },
                   .look = [parts,
                            params](toolkit::CallContext& context) { return look_for_stop(parts, params, context); }});
        return pipeline;
      }));
}

}  // namespace deputy::tools::pipelines
