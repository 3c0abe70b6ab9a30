// What the Messages API takes, for its own endpoint and for Bedrock's invoke. Where the vendor is lenient (turns of one
// role in a row, a prefilled answer, a system that is empty) this is not.
'use strict';

const rules = require('./rules');
const { must, has_fields } = rules;
const { check_model } = require('./anthropic_models');
const thinking = require('./thinking');

const kVersions = ['2023-06-01', '2026-10-21'];
const kName = /^[a-zA-Z0-9_-]{1,64}$/;
const kId = /^[a-zA-Z0-9_-]+$/;
const kSampling = ['temperature', 'top_p', 'top_k'];
const kOptional = [
  'system',
  'tools',
  'tool_choice',
  'stop_sequences',
  'thinking',
  'output_config',
  'cache_control',
  'metadata',
  'service_tier',
  'inference_geo',
  'speed',
  'container',
  ...kSampling,
];

/// The version and the key.
function check_headers(request, scenario) {
  const { headers } = request;
  const given = [headers['x-api-key'], headers.authorization?.replace(/^Bearer /, '')].filter(
    (key) => key !== undefined,
  );
  must(given.length === 1, 'one of x-api-key and Authorization is required', 'authentication');
  must(given[0] === (scenario.key || 'sk-ant-test-0123456789'), 'invalid x-api-key', 'authentication');
  must(headers['anthropic-version'] !== undefined, 'anthropic-version: header is required');
  rules.one_of(headers['anthropic-version'], 'anthropic-version', kVersions);
  if (headers['anthropic-beta'] !== undefined) check_betas(headers['anthropic-beta'].split(','), 'anthropic-beta');
  return { version: headers['anthropic-version'], key: given[0] };
}

function check_betas(betas, where) {
  rules.is_list(betas, where);
  for (const beta of betas) rules.matches(beta.trim(), where, /^[a-z0-9-]+-\d{4}-\d{2}-\d{2}$/);
}

/// Collects the cache marks in the order of the prompt: tools, system, messages.
class CacheMarks {
  constructor() {
    this.ttls = [];
  }

  see(block, where) {
    if (block.cache_control === undefined) return;
    has_fields(block.cache_control, `${where}.cache_control`, ['type'], ['ttl']);
    rules.one_of(block.cache_control.type, `${where}.cache_control.type`, ['ephemeral']);
    rules.one_of(block.cache_control.ttl || '5m', `${where}.cache_control.ttl`, ['5m', '1h']);
    this.ttls.push(block.cache_control.ttl || '5m');
  }

  check() {
    must(this.ttls.length <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${this.ttls.length}.`);
    must(!this.ttls.join().includes('5m,1h'), "a ttl='1h' cache_control block must not come after a ttl='5m' one");
  }
}

function check_text(block, where, marks) {
  has_fields(block, where, ['type', 'text'], ['cache_control', 'citations']);
  rules.says_something(block.text, `${where}.text`);
  marks.see(block, where);
}

function check_tool_use(block, where, marks) {
  has_fields(block, where, ['type', 'id', 'name', 'input'], ['cache_control']);
  rules.matches(block.id, `${where}.id`, kId);
  rules.matches(block.name, `${where}.name`, kName);
  must(rules.is_object(block.input), `${where}.input: Input should be a valid dictionary`);
  marks.see(block, where);
}

function check_tool_result(block, where, marks) {
  has_fields(block, where, ['type', 'tool_use_id'], ['content', 'is_error', 'cache_control']);
  rules.matches(block.tool_use_id, `${where}.tool_use_id`, kId);
  must([undefined, true, false].includes(block.is_error), `${where}.is_error: Input should be a valid boolean`);
  if (Array.isArray(block.content)) {
    block.content.forEach((item, index) => check_text(item, `${where}.content.${index}`, marks));
  } else if (block.content !== undefined) {
    rules.is_text(block.content, `${where}.content`);
  }
  marks.see(block, where);
}

function check_image(block, where, marks) {
  has_fields(block, where, ['type', 'source'], ['cache_control']);
  has_fields(block.source, `${where}.source`, ['type', 'media_type', 'data']);
  rules.one_of(block.source.type, `${where}.source.type`, ['base64']);
  rules.is_image(block.source.media_type, block.source.data, `${where}.source`);
  marks.see(block, where);
}

function check_thinking(block, where) {
  has_fields(block, where, ['type', 'thinking', 'signature']);
  rules.is_text(block.thinking, `${where}.thinking`);
  rules.is_text(block.signature, `${where}.signature`);
}

function check_redacted(block, where) {
  has_fields(block, where, ['type', 'data']);
  rules.is_text(block.data, `${where}.data`);
}

const kBlocks = {
  user: { text: check_text, image: check_image, tool_result: check_tool_result },
  assistant: {
    text: check_text,
    tool_use: check_tool_use,
    thinking: check_thinking,
    redacted_thinking: check_redacted,
  },
};

/// The turn as rules.are_paired wants it.
function check_message(message, where, marks) {
  has_fields(message, where, ['role', 'content']);
  rules.one_of(message.role, `${where}.role`, ['user', 'assistant']);
  if (typeof message.content === 'string') {
    rules.says_something(message.content, `${where}.content`);
    return { role: message.role, calls: [], results: [] };
  }
  rules.is_list(message.content, `${where}.content`);
  message.content.forEach((block, index) => {
    const at = `${where}.content.${index}`;
    const check = kBlocks[message.role][block?.type];
    must(check, `${at}: a ${message.role} message has no block of type ${block?.type}`);
    check(block, at, marks);
  });
  const kinds = message.content.map((block) => block.type);
  must(
    kinds.lastIndexOf('tool_result') < kinds.filter((kind) => kind === 'tool_result').length,
    `${where}: \`tool_result\` blocks must come before other content`,
  );
  const ids = (type, field) => message.content.filter((block) => block.type === type).map((block) => block[field]);
  return { role: message.role, calls: ids('tool_use', 'id'), results: ids('tool_result', 'tool_use_id') };
}

/// The turns. Only where the reply before had paused may the last be the assistant's, and then it is that reply.
function check_messages(messages, marks, paused_text) {
  rules.is_list(messages, 'messages');
  const turns = messages.map((message, index) => check_message(message, `messages.${index}`, marks));
  turns.forEach((turn, index) => {
    must(
      turn.role === (index % 2 === 0 ? 'user' : 'assistant'),
      `messages.${index}: roles must alternate, from the user's on`,
    );
  });
  rules.all_different(
    turns.flatMap((turn) => turn.calls),
    'messages: `tool_use` ids',
  );
  rules.are_paired(turns);
  const last = messages.at(-1);
  const text = typeof last.content === 'string' ? last.content : last.content.map((block) => block.text || '').join('');
  must(
    last.role === 'user' || text === paused_text,
    "messages: the last message is neither the user's nor the paused reply",
  );
  must(turns.at(-1).calls.length === 0, 'messages: the last message has `tool_use` without `tool_result`');
  return turns;
}

const as_blocks = (content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

/// Where the model stands before the turn at `index`; with none, before the turn that it is asked for.
function place_of(body, { model, key }, index = body.messages.length) {
  const messages = body.messages.slice(0, index).map(({ role, content }) => ({ role, content: as_blocks(content) }));
  const begun = messages.at(-1)?.role === 'assistant' ? messages.pop().content : [];
  return { model, key, system: as_blocks(body.system), tools: body.tools, messages, begun };
}

/// Every thought that comes back is the one that was sent, where it was sent.
function check_thoughts(body, who) {
  body.messages.forEach(({ content }, index) => {
    if (typeof content === 'string') return;
    content.forEach((block, at) => {
      const is_redacted = block.type === 'redacted_thinking';
      if (block.type !== 'thinking' && !is_redacted) return;
      thinking.check_signature(
        is_redacted ? block.data : block.signature,
        place_of(body, who, index),
        content.slice(0, at),
        is_redacted ? thinking.kRedacted : block.thinking,
        is_redacted
          ? `messages.${index}.content.${at}: Invalid \`data\` in \`redacted_thinking\` block`
          : `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`,
      );
    });
  });
}

function check_system(system, marks) {
  if (typeof system === 'string') return rules.says_something(system, 'system');
  rules.is_list(system, 'system');
  system.forEach((block, index) => {
    must(block?.type === 'text', `system.${index}.type: Input should be 'text'`);
    check_text(block, `system.${index}`, marks);
  });
}

function check_tools(tools, marks) {
  rules.is_list(tools, 'tools');
  tools.forEach((tool, index) => {
    const where = `tools.${index}`;
    has_fields(
      tool,
      where,
      ['name', 'input_schema'],
      ['description', 'strict', 'cache_control', 'type', 'defer_loading', 'eager_input_streaming', 'input_examples'],
    );
    rules.matches(tool.name, `${where}.name`, kName);
    rules.one_of(tool.type || 'custom', `${where}.type`, ['custom']);
    if (tool.description !== undefined) rules.says_something(tool.description, `${where}.description`);
    rules.is_schema(tool.input_schema, `${where}.input_schema`);
    marks.see(tool, where);
  });
  rules.all_different(
    tools.map((tool) => tool.name),
    'tools: Tool names',
  );
}

function check_tool_choice(choice, tools) {
  must(tools, 'tool_choice may only be specified while providing tools');
  rules.one_of(choice?.type, 'tool_choice.type', ['auto', 'any', 'tool', 'none']);
  has_fields(
    choice,
    'tool_choice',
    choice.type === 'tool' ? ['type', 'name'] : ['type'],
    choice.type === 'none' ? [] : ['disable_parallel_tool_use'],
  );
  if (choice.type !== 'tool') return;
  must(
    tools.some((tool) => tool.name === choice.name),
    `tool_choice: Tool '${choice.name}' not found in provided tools`,
  );
}

function check_sampling(body, version) {
  for (const field of kSampling) {
    must(body[field] === undefined || version !== '2026-10-21', `${field}: Extra inputs are not permitted`);
  }
  const { temperature } = body;
  must(temperature === undefined || (temperature >= 0 && temperature <= 1), 'temperature: range: 0..1');
  must(temperature === undefined || body.top_p === undefined, '`temperature` and `top_p` cannot both be specified');
}

/// `required` and `extra` are the fields of this endpoint beside those of both; `model` and `key` are those of this
/// request; `takes_format` is whether this endpoint knows structured output.
function check_body(body, { version, model, key, required, extra, paused_text, takes_format }) {
  has_fields(body, 'body', ['max_tokens', 'messages', ...required], [...kOptional, ...extra]);
  must(
    rules.is_whole(body.max_tokens) && body.max_tokens >= 1,
    'max_tokens: Input should be greater than or equal to 1',
  );
  check_sampling(body, version);
  const marks = new CacheMarks();
  if (body.tools !== undefined) check_tools(body.tools, marks);
  if (body.tool_choice !== undefined) check_tool_choice(body.tool_choice, body.tools);
  if (body.system !== undefined) check_system(body.system, marks);
  const turns = check_messages(body.messages, marks, paused_text);
  must(
    body.tools || turns.every((turn) => turn.calls.length === 0),
    'Requests which have `tool_use` or `tool_result` blocks in messages must define tools',
  );
  if (body.cache_control !== undefined) marks.see(body, 'body');
  marks.check();
  if (body.stop_sequences !== undefined) {
    rules.is_list(body.stop_sequences, 'stop_sequences');
    for (const sequence of body.stop_sequences) rules.says_something(sequence, 'stop_sequences');
  }
  if (body.metadata !== undefined) has_fields(body.metadata, 'metadata', [], ['user_id']);
  check_model(model, {
    ...body,
    sampling: kSampling.filter((field) => body[field] !== undefined),
    forces_tool: ['any', 'tool'].includes(body.tool_choice?.type),
    takes_format,
  });
  check_thoughts(body, { model, key });
}

module.exports = { check_headers, check_betas, check_body, place_of };
