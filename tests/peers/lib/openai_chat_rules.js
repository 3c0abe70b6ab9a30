// What Chat Completions takes, from OpenAI and from servers that speak like it.
'use strict';

const rules = require('./rules');
const { must, has_fields, Refused } = rules;
const { kName, check_key, check_named_schema, check_function, is_json_object } = require('./openai_common');

const kOptional = [
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'n',
  'stop',
  'response_format',
  'seed',
  'user',
  'reasoning_effort',
  'store',
  'metadata',
  'service_tier',
  'prompt_cache_key',
  'safety_identifier',
  'verbosity',
];

// What kinds of server refuse that others take.
const kServers = {
  openai: {
    field: 'max_tokens',
    message:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  },
  local: { field: 'max_completion_tokens', message: 'max_completion_tokens: Extra inputs are not permitted' },
  old: { field: 'stream_options', message: 'stream_options: Extra inputs are not permitted' },
};

function check_headers(request, scenario) {
  must(request.url === '/v1/chat/completions', `Invalid URL (${request.method} ${request.url})`, 'not_found');
  rules.is_json_post(request);
  check_key(request, scenario);
}

function check_content(content, where, role) {
  if (typeof content === 'string') return must(content !== '', `${where}: the text is empty`);
  rules.is_list(content, where);
  content.forEach((part, index) => {
    if (part?.type === 'image_url' && role === 'user') {
      has_fields(part, `${where}[${index}]`, ['type', 'image_url']);
      has_fields(part.image_url, `${where}[${index}].image_url`, ['url'], ['detail']);
      return rules.is_image_url(part.image_url.url, `${where}[${index}].image_url.url`);
    }
    has_fields(part, `${where}[${index}]`, ['type', 'text']);
    must(part.type === 'text', `${where}[${index}].type: Input should be 'text'`);
    rules.says_something(part.text, `${where}[${index}].text`);
  });
}

function check_call(call, where) {
  has_fields(call, where, ['id', 'type', 'function']);
  rules.is_text(call.id, `${where}.id`);
  must(call.id.length >= 1 && call.id.length <= 40, `${where}.id: string too long. Expected maximum length 40`);
  must(call.type === 'function', `${where}.type: Input should be 'function'`);
  has_fields(call.function, `${where}.function`, ['name', 'arguments']);
  rules.matches(call.function.name, `${where}.function.name`, kName);
  rules.is_text(call.function.arguments, `${where}.function.arguments`);
  must(is_json_object(call.function.arguments), `${where}.function.arguments: not a JSON object`);
}

const kMessages = {
  system: (message, where) => {
    has_fields(message, where, ['role', 'content'], ['name']);
    check_content(message.content, `${where}.content`);
  },
  user: (message, where) => {
    has_fields(message, where, ['role', 'content'], ['name']);
    check_content(message.content, `${where}.content`, 'user');
  },
  assistant: (message, where) => {
    has_fields(message, where, ['role'], ['content', 'tool_calls', 'name', 'refusal']);
    must(message.tool_calls || message.content, `${where}: neither content nor tool_calls`);
    if (message.content !== undefined && message.content !== null) check_content(message.content, `${where}.content`);
    if (message.tool_calls === undefined) return;
    rules.is_list(message.tool_calls, `${where}.tool_calls`);
    message.tool_calls.forEach((call, index) => check_call(call, `${where}.tool_calls[${index}]`));
    rules.all_different(
      message.tool_calls.map((call) => call.id),
      `${where}.tool_calls: ids`,
    );
  },
  tool: (message, where) => {
    has_fields(message, where, ['role', 'content', 'tool_call_id']);
    rules.is_text(message.tool_call_id, `${where}.tool_call_id`);
    if (typeof message.content !== 'string') check_content(message.content, `${where}.content`);
  },
};
kMessages.developer = kMessages.system;

/// Each assistant message with calls is followed at once by one tool message a call, and no others are about.
function check_order(messages) {
  let open = [];
  messages.forEach(({ role, tool_calls, tool_call_id }, index) => {
    const where = `messages[${index}]`;
    if (role === 'tool') {
      must(
        open.includes(tool_call_id),
        `${where}: a 'tool' message must be a response to a preceding message with 'tool_calls': ${tool_call_id}`,
      );
      open = open.filter((id) => id !== tool_call_id);
      return;
    }
    must(
      open.length === 0,
      `${where}: A message with 'tool_calls' must be followed by tool messages for each 'tool_call_id': ${open}`,
    );
    must(index === 0 || (role !== 'system' && role !== 'developer'), `${where}: the system message is not the first`);
    open = (tool_calls || []).map((call) => call.id);
  });
  must(['user', 'tool'].includes(messages.at(-1).role) && open.length === 0, 'messages: the last asks for nothing');
}

function check_tools({ tools, tool_choice, parallel_tool_calls }) {
  if (tools === undefined) {
    must(
      tool_choice === undefined,
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    );
    must(parallel_tool_calls === undefined, "'parallel_tool_calls' is only allowed when 'tools' are specified.");
    return;
  }
  rules.is_list(tools, 'tools');
  tools.forEach((tool, index) => {
    const where = `tools[${index}]`;
    has_fields(tool, where, ['type', 'function']);
    must(tool.type === 'function', `${where}.type: Input should be 'function'`);
    has_fields(tool.function, `${where}.function`, ['name', 'parameters'], ['description', 'strict']);
    check_function(tool.function, `${where}.function`);
  });
  const names = tools.map((tool) => tool.function.name);
  rules.all_different(names, 'tools: names');
  if (tool_choice === undefined) return;
  if (typeof tool_choice === 'string') return rules.one_of(tool_choice, 'tool_choice', ['none', 'auto', 'required']);
  has_fields(tool_choice, 'tool_choice', ['type', 'function']);
  rules.one_of(tool_choice.function.name, 'tool_choice.function.name', names);
}

// OpenAI's models from gpt-5.4 on, which think whenever they are not told otherwise.
const kThinkers = /^gpt-(5\.([4-9]|\d\d)|[6-9]|\d\d)/;

function check_effort({ model, tools, reasoning_effort }) {
  const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
  if (reasoning_effort !== undefined) rules.one_of(reasoning_effort, 'reasoning_effort', efforts);
  must(
    !tools || reasoning_effort === 'none' || !kThinkers.test(model),
    `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. ` +
      'Please use /v1/responses instead.',
  );
}

function check_format(format) {
  rules.one_of(format?.type, 'response_format.type', ['text', 'json_object', 'json_schema']);
  if (format.type !== 'json_schema') return has_fields(format, 'response_format', ['type']);
  has_fields(format, 'response_format', ['type', 'json_schema']);
  check_named_schema(format.json_schema, 'response_format.json_schema');
}

function check_body(body, scenario) {
  has_fields(body, 'body', ['model', 'messages'], kOptional);
  rules.says_something(body.model, 'model');
  const { field, message } = kServers[scenario.server || 'local'];
  if (body[field] !== undefined) throw new Refused(message);
  must(
    body.max_tokens === undefined || body.max_completion_tokens === undefined,
    'max_tokens and max_completion_tokens',
  );
  const most = body.max_tokens ?? body.max_completion_tokens;
  must(most === undefined || (rules.is_whole(most) && most >= 1), `max_tokens: ${most} is less than the minimum of 1`);
  rules.is_list(body.messages, 'messages');
  body.messages.forEach((each, index) => {
    const check = kMessages[each?.role];
    must(check, `messages[${index}].role: there is no role ${each?.role}`);
    check(each, `messages[${index}]`);
  });
  check_order(body.messages);
  check_tools(body);
  check_effort(body);
  if (body.response_format !== undefined) check_format(body.response_format);
  must([undefined, true, false].includes(body.stream), 'stream: Input should be a valid boolean');
  if (body.stream_options !== undefined) {
    must(body.stream, "The 'stream_options' parameter is only allowed when 'stream' is enabled.");
    has_fields(body.stream_options, 'stream_options', [], ['include_usage']);
  }
  const { temperature } = body;
  must(temperature === undefined || (temperature >= 0 && temperature <= 2), 'temperature: range: 0..2');
}

module.exports = { check_headers, check_body };
