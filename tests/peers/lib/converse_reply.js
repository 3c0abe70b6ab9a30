// A reply as Bedrock's Converse tells it: the events of a stream, or one response.
'use strict';

const { has_arguments, argument_pieces, whole_arguments, halves } = require('./scenario');
const { build_content } = require('./thinking');
const { shown_thinking } = require('./anthropic_models');

const kStops = {
  end: 'end_turn',
  calls: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  refusal: 'guardrail_intervened',
  overflow: 'model_context_window_exceeded',
  pause: 'end_turn',
  content_filter: 'content_filtered',
};

const usage_of = ({ usage }) => ({
  inputTokens: usage.input,
  outputTokens: usage.output,
  totalTokens: usage.input + usage.output + usage.cache_read + usage.cache_write,
  cacheReadInputTokens: usage.cache_read,
  cacheWriteInputTokens: usage.cache_write,
});

/// The blocks of a reply. A turn is {place, thinking}: where the model stands and how it was asked to think.
const content_of = (reply, { place, thinking }) =>
  build_content(reply, place, {
    text: (text) => ({ text }),
    call: (call) => ({ toolUse: { toolUseId: call.id, name: call.name, input: whole_arguments(call) } }),
    shown: (text) => shown_thinking(thinking, text),
    thinking: (text, signature) => ({ reasoningContent: { reasoningText: { text, signature } } }),
    redacted: (redactedContent) => ({ reasoningContent: { redactedContent } }),
  });

/// One response, for who asked for no stream.
function response(turn, reply) {
  return {
    output: { message: { role: 'assistant', content: content_of(reply, turn) } },
    stopReason: kStops[reply.stop],
    usage: usage_of(reply),
    metrics: { latencyMs: 12 },
  };
}

/// The deltas of a block of thinking.
function reasoning_deltas({ reasoningText, redactedContent }) {
  if (redactedContent !== undefined) return [{ redactedContent }];
  return [...halves(reasoningText.text).map((text) => ({ text })), { signature: reasoningText.signature }];
}

/// {event, data} of a stream, and among them {item} for what is none. Blocks of text and thinking begin without a
/// contentBlockStart, and the usage comes after the end, as the vendor has it.
function* events(turn, reply) {
  const content = content_of(reply, turn);
  yield { event: 'messageStart', data: { role: 'assistant' } };
  let contentBlockIndex = -1;
  let in_text = false;
  const stop_text = function* () {
    if (in_text) yield { event: 'contentBlockStop', data: { contentBlockIndex } };
    in_text = false;
  };
  for (const item of reply.content) {
    if (item.text !== undefined) {
      if (!in_text) ++contentBlockIndex;
      in_text = true;
      yield { event: 'contentBlockDelta', data: { contentBlockIndex, delta: { text: item.text } } };
    } else if (item.call) {
      yield* stop_text();
      const { id, name } = item.call;
      yield {
        event: 'contentBlockStart',
        data: { contentBlockIndex: ++contentBlockIndex, start: { toolUse: { toolUseId: id, name } } },
      };
      const pieces = has_arguments(item.call) ? argument_pieces(item.call) : [''];
      for (const input of pieces)
        yield { event: 'contentBlockDelta', data: { contentBlockIndex, delta: { toolUse: { input } } } };
      yield { event: 'contentBlockStop', data: { contentBlockIndex } };
    } else if (item.thinking) {
      yield* stop_text();
      for (const reasoningContent of reasoning_deltas(content[++contentBlockIndex].reasoningContent))
        yield { event: 'contentBlockDelta', data: { contentBlockIndex, delta: { reasoningContent } } };
      yield { event: 'contentBlockStop', data: { contentBlockIndex } };
    } else {
      yield { item };
    }
  }
  yield* stop_text();
  yield { event: 'messageStop', data: { stopReason: kStops[reply.stop] } };
  yield { event: 'metadata', data: { usage: usage_of(reply), metrics: { latencyMs: 12 } } };
}

module.exports = { events, response };
