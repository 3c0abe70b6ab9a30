// A reply as Chat Completions tells it: the chunks of a stream, or one completion. A scenario's "style" says in what a
// server differs from OpenAI: {"ids": false} sends calls without, {"whole_calls": true} each in one delta,
// {"same_index": true} all under index 0, {"object_arguments": true} arguments as an object, {"finish": "stop"} this
// reason whatever the reply holds, {"usage": false} never any usage, {"done": false} no [DONE] at the end,
// {"streams": false} no stream, whatever was asked for, {"think_tags": true} thoughts in the text, between <think> and
// </think>, not as `reasoning_content`.
'use strict';

const { arguments_text, argument_pieces, halves } = require('./scenario');

const kStops = {
  end: 'stop',
  calls: 'tool_calls',
  max_tokens: 'length',
  stop_sequence: 'stop',
  refusal: 'content_filter',
  pause: 'stop',
  overflow: 'length',
  content_filter: 'content_filter',
};

const finish_of = (reply, style) => style.finish || kStops[reply.stop];

// The prompt counts with what of it was cached.
const usage_of = ({ usage }) => ({
  prompt_tokens: usage.input + usage.cache_read + usage.cache_write,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.cache_read + usage.cache_write + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cache_read, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: usage.thinking,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

const shell = (object, model, rest) => ({
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object,
  created: 1741569952,
  model,
  ...rest,
});

function call_of({ call }, style, arguments_text) {
  const described = { type: 'function', function: { name: call.name, arguments: arguments_text } };
  if (style.object_arguments) described.function.arguments = call.arguments;
  return style.ids === false ? described : { id: call.id, ...described };
}

/// The deltas of a thought. The tags are cut in the middle, as a model's tokens may cut them.
function thinking_deltas({ text, redacted }, style) {
  if (redacted) return [];
  if (!style.think_tags) return halves(text).map((reasoning_content) => ({ reasoning_content }));
  const [first = '', second = ''] = halves(text);
  return ['<thi', `nk>${first}`, `${second}</th`, 'ink>'].map((content) => ({ content }));
}

/// What a message has of one field after all deltas of its texts and thoughts.
function whole(reply, style, field) {
  const deltas = reply.content.flatMap((item) =>
    item.thinking ? thinking_deltas(item.thinking, style) : [{ content: item.text }],
  );
  return deltas.map((delta) => delta[field] || '').join('');
}

/// One completion, for who asked for no stream.
function completion(model, reply, style) {
  const calls = reply.content.filter((item) => item.call);
  const content = whole(reply, style, 'content') || null;
  const message = { role: 'assistant', content, refusal: null, annotations: [] };
  const reasoning_content = whole(reply, style, 'reasoning_content');
  if (reasoning_content !== '') message.reasoning_content = reasoning_content;
  if (calls.length > 0)
    message.tool_calls = calls.map((item) => call_of(item, style, arguments_text(item.call)));
  return shell('chat.completion', model, {
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish_of(reply, style) }],
    ...(style.usage === false ? {} : { usage: usage_of(reply) }),
  });
}

/// The chunks of a stream, and among them the items that are none, as they stand in the scenario.
function* chunks(body, reply, style) {
  const with_usage = body.stream_options?.include_usage && style.usage !== false;
  const chunk = (delta, finish_reason = null) =>
    shell('chat.completion.chunk', body.model, {
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(with_usage ? { usage: null } : {}),
    });
  yield chunk({ role: 'assistant', content: '', refusal: null });
  let index = -1;
  for (const item of reply.content) {
    if (item.text !== undefined) {
      yield chunk({ content: item.text });
    } else if (item.thinking) {
      for (const delta of thinking_deltas(item.thinking, style)) yield chunk(delta);
    } else if (item.call) {
      index = style.same_index ? 0 : index + 1;
      const pieces = argument_pieces(item.call);
      const first = style.whole_calls ? pieces.join('') : '';
      yield chunk({ tool_calls: [{ index, ...call_of(item, style, first) }] });
      if (style.whole_calls || style.object_arguments) continue;
      for (const piece of pieces) yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    } else {
      yield { item };
    }
  }
  yield chunk({}, finish_of(reply, style));
  if (with_usage) yield shell('chat.completion.chunk', body.model, { choices: [], usage: usage_of(reply) });
}

module.exports = { completion, chunks };
