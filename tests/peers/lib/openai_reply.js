// A reply as the Responses API tells it: the events of a stream, or one response.
'use strict';

const { argument_pieces, halves } = require('./scenario');
const { kErrors } = require('./openai_common');
const { remember_thoughts, meanings_of } = require('./openai_items');
const { sign } = require('./thinking');

const kReasons = {
  max_tokens: 'max_output_tokens',
  overflow: 'max_output_tokens',
  content_filter: 'content_filter',
};

// Of this process, in whatever scenario: ids are never given twice.
let turns = 0;

const reason_of = (reply) =>
  reply.content.some((item) => item.call?.cut) ? 'max_output_tokens' : kReasons[reply.stop];

const usage_of = ({ usage }) => ({
  input_tokens: usage.input + usage.cache_read + usage.cache_write,
  input_tokens_details: { cached_tokens: usage.cache_read },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.thinking },
  total_tokens: usage.input + usage.cache_read + usage.cache_write + usage.output,
});

function shell(id, { body }, rest) {
  return {
    id,
    object: 'response',
    created_at: 1790000000,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: {},
    model: body.model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: body.reasoning?.effort ?? 'medium', summary: body.reasoning?.summary ?? null },
    store: false,
    temperature: 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    ...rest,
  };
}

/// The items of a reply as they are when it is whole; neighbouring texts are one message. A turn is {body, place}: what
/// was asked, and where the model stands.
class Output {
  constructor(reply, turn) {
    this.turn = turn;
    this.reply = reply;
    this.number = ++turns;
    this.items = [];
    for (const item of reply.content) {
      if (item.text !== undefined) this.add_text(item.text);
      else if (item.call) this.add_call(item.call);
      else if (item.thinking) this.add_thought(item.thinking);
    }
    const last = this.items.at(-1);
    if (last?.type === 'message' && reason_of(reply)) last.status = 'incomplete';
  }

  next_id(prefix) {
    const id = `${prefix}_${this.number}_${this.items.length}`;
    const thoughts = this.items.filter((item) => item.type === 'reasoning').map((item) => item.id);
    remember_thoughts(id, thoughts);
    return id;
  }

  add_text(text) {
    const is_refusal = this.reply.stop === 'refusal';
    const last = this.items.at(-1);
    if (last?.type === 'message') {
      last.content[0][is_refusal ? 'refusal' : 'text'] += text;
      return;
    }
    const part = is_refusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] };
    const id = this.next_id('msg');
    this.items.push({ id, type: 'message', role: 'assistant', status: 'completed', content: [part] });
  }

  add_call(call) {
    const text = argument_pieces(call).join('');
    const status = call.cut ? 'incomplete' : 'completed';
    const id = this.next_id('fc');
    this.items.push({ id, type: 'function_call', call_id: call.id, name: call.name, arguments: text, status });
  }

  add_thought({ text, redacted }) {
    const { body, place } = this.turn;
    const id = this.next_id('rs');
    const summary = body.reasoning?.summary && !redacted ? [{ type: 'summary_text', text }] : [];
    const item = { id, type: 'reasoning', summary };
    if (body.include?.includes('reasoning.encrypted_content')) {
      const messages = [...place.messages, ...meanings_of(this.items)];
      item.encrypted_content = sign({ ...place, messages }, [], { id, summary });
    }
    this.items.push(item);
  }

  /// The response as it begins, but for `rest`.
  response(rest) {
    return shell(`resp_${this.number}`, this.turn, rest);
  }

  ended() {
    const reason = reason_of(this.reply);
    return this.response({
      status: reason ? 'incomplete' : 'completed',
      incomplete_details: reason ? { reason } : null,
      output: this.items,
      usage: usage_of(this.reply),
    });
  }

  failed(kind) {
    const [, type, code, message] = kErrors[kind];
    return this.response({ status: 'failed', error: { code: code || type, message } });
  }
}

/// One response, for a client that asked for no stream.
function response(turn, reply) {
  const output = new Output(reply, turn);
  const failure = reply.content.find((item) => item.error);
  return failure ? output.failed(failure.error) : output.ended();
}

const kTextEvents = { output_text: 'response.output_text', refusal: 'response.refusal' };

/// The events of a message from its begin, of a piece of its text, and of its end.
function message_events(item, output_index) {
  const [part] = item.content;
  const field = part.type === 'refusal' ? 'refusal' : 'text';
  const at = { item_id: item.id, output_index, content_index: 0 };
  const type = kTextEvents[part.type];
  const more = field === 'text' ? { logprobs: [] } : {};
  return {
    begin: () => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', ...at, part: { ...part, [field]: '' } },
    ],
    piece: (delta) => [{ type: `${type}.delta`, ...at, delta, ...more }],
    end: () => [
      { type: `${type}.done`, ...at, [field]: part[field], ...more },
      { type: 'response.content_part.done', ...at, part },
      { type: 'response.output_item.done', output_index, item },
    ],
  };
}

/// The events of a call. One whose tokens ran out ends without its arguments being done.
function* call_events(item, output_index, call) {
  const at = { item_id: item.id, output_index };
  const added = { ...item, arguments: '', status: 'in_progress' };
  yield { type: 'response.output_item.added', output_index, item: added };
  for (const delta of argument_pieces(call)) yield { type: 'response.function_call_arguments.delta', ...at, delta };
  const done = { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments };
  if (!call.cut) yield done;
  yield { type: 'response.output_item.done', output_index, item };
}

/// The events of a thought. What of it goes back comes with its end.
function* thought_events(item, output_index) {
  const { id, type } = item;
  yield { type: 'response.output_item.added', output_index, item: { id, type, summary: [] } };
  for (const [summary_index, part] of item.summary.entries()) {
    const at = { item_id: id, output_index, summary_index };
    yield { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } };
    for (const delta of halves(part.text)) yield { type: 'response.reasoning_summary_text.delta', ...at, delta };
    yield { type: 'response.reasoning_summary_text.done', ...at, text: part.text };
    yield { type: 'response.reasoning_summary_part.done', ...at, part };
  }
  yield { type: 'response.output_item.done', output_index, item };
}

function* unnumbered_events(output, reply) {
  yield { type: 'response.created', response: output.response() };
  yield { type: 'response.in_progress', response: output.response() };
  let index = -1;
  let message; // that is being written
  const end_message = function* () {
    if (message) yield* message.end();
    message = undefined;
  };
  for (const item of reply.content) {
    if (item.text !== undefined) {
      if (!message) {
        message = message_events(output.items[++index], index);
        yield* message.begin();
      }
      yield* message.piece(item.text);
    } else if (item.call) {
      yield* end_message();
      yield* call_events(output.items[++index], index, item.call);
    } else if (item.thinking) {
      yield* end_message();
      yield* thought_events(output.items[++index], index);
    } else if (item.unknown) {
      yield { type: 'response.vendor_news', news: { kind: 'of no concern' } };
    } else if (item.error) {
      const { error } = output.failed(item.error);
      yield { type: 'error', code: error.code, message: error.message, param: null };
      return yield { type: 'response.failed', response: output.failed(item.error) };
    } else {
      yield { item };
    }
  }
  yield* end_message();
  const ended = output.ended();
  yield { type: `response.${ended.status}`, response: ended };
}

/// The events of a stream, and among them {item} for what is none.
function* events(turn, reply) {
  let sequence_number = 0;
  for (const told of unnumbered_events(new Output(reply, turn), reply)) {
    yield told.type === undefined ? told : { ...told, sequence_number: sequence_number++ };
  }
}

module.exports = { events, response };
