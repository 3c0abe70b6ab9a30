// A reply as Bedrock's Converse tells it: the events of a stream, or one response.
'use strict';

const { has_arguments, argument_pieces, whole_arguments } = require('./scenario');

const kStops = {
  end: 'end_turn',
  calls: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  refusal: 'guardrail_intervened',
  overflow: 'model_context_window_exceeded',
  pause: 'end_turn',
};

const usage_of = ({ usage }) => ({
  inputTokens: usage.input,
  outputTokens: usage.output,
  totalTokens: usage.input + usage.output + usage.cache_read + usage.cache_write,
  cacheReadInputTokens: usage.cache_read,
  cacheWriteInputTokens: usage.cache_write,
});

/// One response, for who asked for no stream.
function response(reply) {
  const content = [];
  for (const item of reply.content) {
    const last = content.at(-1);
    if (item.text !== undefined && last?.text !== undefined) last.text += item.text;
    else if (item.text !== undefined) content.push({ text: item.text });
    if (item.call)
      content.push({ toolUse: { toolUseId: item.call.id, name: item.call.name, input: whole_arguments(item.call) } });
  }
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: kStops[reply.stop],
    usage: usage_of(reply),
    metrics: { latencyMs: 12 },
  };
}

/// {event, data} of a stream, and among them {item} for what is none. A block of text begins without a
/// contentBlockStart, and the usage comes after the end, as the vendor has it.
function* events(reply) {
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
    } else {
      yield { item };
    }
  }
  yield* stop_text();
  yield { event: 'messageStop', data: { stopReason: kStops[reply.stop] } };
  yield { event: 'metadata', data: { usage: usage_of(reply), metrics: { latencyMs: 12 } } };
}

module.exports = { events, response };
