// What a model replied, on its way into the journal: whatever it says, an entry comes out that reads back, holds no
// secret, folds, and leaves the run something to do. A line each: "s" and a digit is the stop, "t" a text, "c" a call
// with its tool and, behind a space, its arguments; where those are no object, the call's fault; "h" thinking.
#include <cstdint>

#include "base/text.h"
#include "fuzz/complain.h"
#include "run/journal/fold.h"
#include "run/plan/plan.h"
#include "run/prompt/reply.h"
#include "run/prompt/turns.h"

namespace {

using namespace deputy;
using namespace deputy::run;

const redact::Redactor kRedactor("salt");
const Timestamp kNow = from_millis(1'700'000'000'000);

model::Call call_of(std::string_view line) {
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::string_view rest = line.substr(space);
  model::Call call{"1", std::string(line.substr(0, space)), {}};
  if (auto arguments = parse_json_object(trim(rest))) {
    call.arguments = *std::move(arguments);
  } else {
    call.fault = rest;
  }
  return call;
}

model::Reply reply_of(std::string_view text) {
  model::Reply reply;
  for (const std::string_view line : split(text, "\n")) {
    if (line.starts_with('s') && line.size() > 1) {
      reply.stop = static_cast<model::Stop>(static_cast<unsigned char>(line[1]) % 6);
    } else if (line.starts_with('c')) {
      reply.blocks.emplace_back(call_of(line.substr(1)));
    } else if (line.starts_with('h')) {
      const std::string summary(line.substr(1));
      reply.blocks.emplace_back(model::Thinking{{{"thinking", to_valid_utf8(summary)}}, summary, "scripted@1", "p"});
    } else if (!line.empty()) {
      reply.blocks.emplace_back(model::Text{std::string(line.substr(1))});
    }
  }
  return reply;
}

RunState take(RunState state, EntryBody body) {
  const Seq seq = state.last + 1;
  return fold(std::move(state), {seq, kNow, std::move(body)});
}

RunState asked_once() {
  RunState state = take({}, Received{.text = "show me errors", .requester = "ana"});
  state = take(std::move(state), TakenUp{"instance", TakenAfter::new_run});
  state = take(std::move(state), Enriched{});
  return take(std::move(state), ModelCalled{"scripted", "p", "t", 600});
}

void check_entry(const ModelReplied& entry) {
  const store::EntryRow row = encode(entry, kNow);
  const auto decoded = decode(row);
  if (!decoded) complain("the entry does not read back: " + describe(decoded.error()), row.body);
  if (encode(decoded->body, kNow) != row) complain("the entry reads back as another", row.body);
  if (kRedactor.redact(entry.text) != entry.text) complain("a secret is left in the text", entry.text);
  if (entry.thinking) {
    for (const ReplyPart& part : entry.thinking->parts) {
      const std::string thought = part.thinking ? text_at(*part.thinking, "thinking") : std::string();
      if (kRedactor.redact(thought) != thought) complain("a secret is left in the thinking", thought);
    }
  }
  for (const CallRequested& call : entry.calls) {
    if (redact_json(call.arguments, kRedactor) != call.arguments)
      complain("a secret is left in the arguments", json::serialize(call.arguments));
    if (call.fault && kRedactor.redact(*call.fault) != *call.fault)
      complain("a secret is left in a fault", *call.fault);
  }
}

void check_turns(const RunState& state) {
  Turns shown;
  shown.add_run(state);
  const std::vector<model::Turn> turns = shown.take();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if ((turns[i].role == model::Role::user) != (i % 2 == 0)) complain("the roles do not take turns", "");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const model::Reply reply = reply_of({reinterpret_cast<const char*>(data), size});
  const ModelReplied entry = replied(reply, 0, kRedactor, 10);
  check_entry(entry);
  RunState state = take(asked_once(), entry);
  if (plan(state).empty()) complain("the run has nothing to do", name(entry.stop));
  for (const CallRequested& call : entry.calls)
    state = take(std::move(state), CallFinished{call.id, CallStatus::denied, "no"});
  if (plan(state).empty()) complain("the run has nothing to do after its calls", name(entry.stop));
  check_turns(state);
  return 0;
}
