// A reply as the Messages API tells it: the events of a stream, or one message. For its own endpoint and for Bedrock's
// invoke, which wrap them differently.
'use strict';

const { has_arguments, argument_pieces, whole_arguments, halves } = require('./scenario');
const { build_content } = require('./thinking');
const { shown_thinking } = require('./anthropic_models');

const kStops = {
  end: 'end_turn',
  calls: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  refusal: 'refusal',
  overflow: 'model_context_window_exceeded',
  pause: 'pause_turn',
  content_filter: 'refusal',
};

const usage_of = ({ usage }, output) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: usage.cache_write,
  cache_read_input_tokens: usage.cache_read,
  cache_creation: { ephemeral_5m_input_tokens: usage.cache_write, ephemeral_1h_input_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { thinking_tokens: usage.thinking },
  service_tier: 'standard',
});

const stop_of = (reply) => ({
  stop_reason: kStops[reply.stop],
  stop_sequence: reply.stop === 'stop_sequence' ? '###' : null,
});

function shell(model, reply, rest) {
  return { id: 'msg_01XFDUDYJgAACzvnptvVoYEL', type: 'message', role: 'assistant', model, ...rest };
}

/// The blocks of a reply. A turn is {model, place, thinking}: where the model stands and how it was asked to think.
const content_of = (reply, { place, thinking }) =>
  build_content(reply, place, {
    text: (text) => ({ type: 'text', text }),
    call: (call) => ({ type: 'tool_use', id: call.id, name: call.name, input: whole_arguments(call) }),
    shown: (text) => shown_thinking(thinking, text),
    thinking: (text, signature) => ({ type: 'thinking', thinking: text, signature }),
    redacted: (data) => ({ type: 'redacted_thinking', data }),
  });

/// One message, for who asked for no stream.
function message(turn, reply) {
  const { model } = turn;
  const content = content_of(reply, turn);
  return shell(model, reply, { content, ...stop_of(reply), usage: usage_of(reply, reply.usage.output) });
}

function* thinking_events(block, index) {
  if (block.type === 'redacted_thinking') {
    yield { type: 'content_block_start', index, content_block: block };
  } else {
    yield { type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '', signature: '' } };
    for (const thinking of halves(block.thinking))
      yield { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking } };
    const { signature } = block;
    yield { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature } };
  }
  yield { type: 'content_block_stop', index };
}

/// The events of a stream, and among them the items that are no event of this vendor's, as they stand in the scenario.
function* events(turn, reply) {
  const { model } = turn;
  const content = content_of(reply, turn);
  yield {
    type: 'message_start',
    message: shell(model, reply, { content: [], stop_reason: null, stop_sequence: null, usage: usage_of(reply, 1) }),
  };
  let index = -1;
  let in_text = false;
  const stop_text = function* () {
    if (in_text) yield { type: 'content_block_stop', index };
    in_text = false;
  };
  for (const item of reply.content) {
    if (item.text !== undefined) {
      if (!in_text) yield { type: 'content_block_start', index: ++index, content_block: { type: 'text', text: '' } };
      in_text = true;
      yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text: item.text } };
    } else if (item.call) {
      yield* stop_text();
      const { id, name } = item.call;
      yield { type: 'content_block_start', index: ++index, content_block: { type: 'tool_use', id, name, input: {} } };
      // The vendor begins with an empty piece; of a call without arguments that is all.
      yield { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '' } };
      const pieces = has_arguments(item.call) ? argument_pieces(item.call) : [];
      for (const partial_json of pieces) {
        yield { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } };
      }
      yield { type: 'content_block_stop', index };
    } else if (item.thinking) {
      yield* stop_text();
      yield* thinking_events(content[++index], index);
    } else if (item.ping) {
      yield { type: 'ping' };
    } else if (item.unknown) {
      yield { type: 'vendor_news', news: { kind: 'of no concern' } };
      if (in_text) yield { type: 'content_block_delta', index, delta: { type: 'sparkle_delta', sparkle: '✨' } };
    } else {
      yield { item };
    }
  }
  yield* stop_text();
  const usage = usage_of(reply, reply.usage.output);
  delete usage.cache_creation;
  delete usage.service_tier;
  yield { type: 'message_delta', delta: stop_of(reply), usage };
  yield { type: 'message_stop' };
}

module.exports = { events, message };
