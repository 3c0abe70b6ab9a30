// Rules of the Responses API for a client that keeps the conversation itself (`store: false`). Where the vendor is
// lenient (a text for input, fields that are null) they are not.
'use strict';

const rules = require('./rules');
const { must, has_fields } = rules;
const openai = require('./openai_common');
const thinking = require('./thinking');
const { is_output, thoughts_before, meanings_of } = require('./openai_items');

const kOptional = [
  'include',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'parallel_tool_calls',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
];

const kIncludes = [
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
];

const kStatuses = ['in_progress', 'completed', 'incomplete'];

function check_part(part, where, is_assistant) {
  if (!is_assistant) {
    rules.one_of(part?.type, `${where}.type`, ['input_text', 'input_image']);
    if (part.type === 'input_image') {
      has_fields(part, where, ['type', 'image_url'], ['detail']);
      return rules.is_image_url(part.image_url, `${where}.image_url`);
    }
    has_fields(part, where, ['type', 'text']);
    return rules.says_something(part.text, `${where}.text`);
  }
  rules.one_of(part?.type, `${where}.type`, ['output_text', 'refusal']);
  const text = part.type === 'refusal' ? 'refusal' : 'text';
  has_fields(part, where, ['type', text], part.type === 'refusal' ? [] : ['annotations', 'logprobs']);
  rules.says_something(part[text], `${where}.${text}`);
}

function check_id({ id, status }, where, prefix) {
  if (status !== undefined) rules.one_of(status, `${where}.status`, kStatuses);
  if (id === undefined) return;
  must(
    typeof id === 'string' && id.startsWith(prefix),
    `Invalid '${where}.id': '${id}'. Expected an ID that begins with '${prefix}'.`,
  );
}

function check_call_id(call_id, where) {
  rules.is_text(call_id, `${where}.call_id`);
  must(call_id.length >= 1 && call_id.length <= 64, `${where}.call_id: string too long. Expected maximum length 64`);
}

const kItems = {
  message: (item, where) => {
    rules.one_of(item.role, `${where}.role`, ['user', 'system', 'developer', 'assistant']);
    const is_assistant = item.role === 'assistant';
    has_fields(item, where, ['role', 'content'], ['type', ...(is_assistant ? ['id', 'status', 'phase'] : [])]);
    check_id(item, where, 'msg');
    if (item.phase !== undefined) rules.one_of(item.phase, `${where}.phase`, ['commentary', 'final_answer']);
    if (typeof item.content === 'string') return rules.says_something(item.content, `${where}.content`);
    rules.is_list(item.content, `${where}.content`);
    item.content.forEach((part, index) => check_part(part, `${where}.content[${index}]`, is_assistant));
  },
  function_call: (item, where) => {
    has_fields(item, where, ['type', 'call_id', 'name', 'arguments'], ['id', 'status']);
    check_id(item, where, 'fc');
    check_call_id(item.call_id, where);
    rules.matches(item.name, `${where}.name`, openai.kName);
    rules.is_text(item.arguments, `${where}.arguments`);
    must(openai.is_json_object(item.arguments), `${where}.arguments: not a JSON object`);
  },
  function_call_output: (item, where) => {
    has_fields(item, where, ['type', 'call_id', 'output']);
    check_call_id(item.call_id, where);
    rules.is_text(item.output, `${where}.output`);
  },
  reasoning: (item, where) => {
    has_fields(item, where, ['type', 'id', 'summary', 'encrypted_content']);
    check_id(item, where, 'rs');
    rules.is_text(item.encrypted_content, `${where}.encrypted_content`);
    must(Array.isArray(item.summary), `${where}.summary: Input should be a list`);
    item.summary.forEach((part, index) => {
      has_fields(part, `${where}.summary[${index}]`, ['type', 'text']);
      rules.one_of(part.type, `${where}.summary[${index}].type`, ['summary_text']);
      rules.is_text(part.text, `${where}.summary[${index}].text`);
    });
  },
};

/// Every call has one output, after it and before the user's next word, and every output has its call.
function check_calls(input) {
  const calls = input.filter((item) => item.type === 'function_call').map((item) => item.call_id);
  rules.all_different(calls, 'input: call_id of function calls');
  let open = [];
  const must_be_closed = () => must(open.length === 0, `No tool output found for function call ${open[0]}.`);
  for (const item of input) {
    if (item.type === 'function_call') open.push(item.call_id);
    else if (item.type === 'function_call_output') {
      must(open.includes(item.call_id), `No tool call found for function call output with call_id ${item.call_id}.`);
      open = open.filter((id) => id !== item.call_id);
    } else if (!is_output(item)) must_be_closed();
  }
  must_be_closed();
}

/// A thought goes back with what follows it in its turn, and what follows a thought goes back with the thought.
function check_reasoning_order(input) {
  let thoughts = []; // of this turn so far
  input.forEach((item, index) => {
    if (!is_output(item)) return (thoughts = []);
    if (item.type !== 'reasoning') {
      const missing = thoughts_before(item.id).find((id) => !thoughts.includes(id));
      must(
        missing === undefined,
        `Item '${item.id}' of type '${item.type ?? 'message'}' was provided without its required 'reasoning' item: ` +
          `'${missing}'.`,
      );
      return;
    }
    thoughts.push(item.id);
    const next = input[index + 1];
    must(
      next && is_output(next),
      `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
    );
  });
}

/// Where the model stands before the item at `index`; with none, before the turn that it is asked for.
function place_of(body, key, index = body.input.length) {
  const { model, instructions, tools, input } = body;
  return { model, key, system: instructions, tools, messages: meanings_of(input.slice(0, index)) };
}

/// Every thought that comes back is the one that was sent, where it was sent.
function check_thoughts(body, key) {
  body.input.forEach(({ type, id, summary, encrypted_content }, index) => {
    if (type !== 'reasoning') return;
    const message = `The encrypted content for item ${id} could not be verified.`;
    thinking.check_signature(encrypted_content, place_of(body, key, index), [], { id, summary }, message, 'signature');
  });
}

function check_input(input) {
  rules.is_list(input, 'input');
  input.forEach((item, index) => {
    const check = kItems[item?.type ?? 'message'];
    must(check, `Invalid value for 'input[${index}].type': '${item?.type}'.`);
    must(rules.is_object(item), `input[${index}]: Input should be an object`);
    check(item, `input[${index}]`);
  });
  check_reasoning_order(input);
  check_calls(input);
  must(!is_output(input.at(-1)), 'input: the last item asks for nothing');
}

function check_tools({ tools, tool_choice, parallel_tool_calls }) {
  if (tools === undefined) {
    must(tool_choice === undefined, "'tool_choice' is only allowed when 'tools' are specified.");
    must(parallel_tool_calls === undefined, "'parallel_tool_calls' is only allowed when 'tools' are specified.");
    return;
  }
  rules.is_list(tools, 'tools');
  tools.forEach((tool, index) => {
    const where = `tools[${index}]`;
    has_fields(tool, where, ['type', 'name', 'parameters', 'strict'], ['description']);
    rules.one_of(tool.type, `${where}.type`, ['function']);
    rules.one_of(tool.strict, `${where}.strict`, [true, false]);
    if (tool.description !== undefined) rules.says_something(tool.description, `${where}.description`);
    openai.check_function(tool, where);
  });
  const names = tools.map((tool) => tool.name);
  rules.all_different(names, 'tools: names');
  if (tool_choice === undefined) return;
  if (typeof tool_choice === 'string') return rules.one_of(tool_choice, 'tool_choice', ['none', 'auto', 'required']);
  has_fields(tool_choice, 'tool_choice', ['type', 'name']);
  rules.one_of(tool_choice.type, 'tool_choice.type', ['function']);
  rules.one_of(tool_choice.name, 'tool_choice.name', names);
}

function check_text_config(text) {
  has_fields(text, 'text', [], ['format', 'verbosity']);
  if (text.verbosity !== undefined) rules.one_of(text.verbosity, 'text.verbosity', ['low', 'medium', 'high']);
  if (text.format === undefined) return;
  rules.one_of(text.format?.type, 'text.format.type', ['text', 'json_object', 'json_schema']);
  if (text.format.type !== 'json_schema') return has_fields(text.format, 'text.format', ['type']);
  openai.check_named_schema(text.format, 'text.format', ['type']);
}

function check_reasoning(reasoning) {
  const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];
  has_fields(reasoning, 'reasoning', [], ['effort', 'summary']);
  if (reasoning.effort !== undefined) rules.one_of(reasoning.effort, 'reasoning.effort', efforts);
  if (reasoning.summary !== undefined)
    rules.one_of(reasoning.summary, 'reasoning.summary', ['auto', 'concise', 'detailed']);
}

/// `key` is the one that this request was sent with.
function check_body(body, key) {
  has_fields(body, 'body', ['model', 'input', 'store'], kOptional);
  rules.says_something(body.model, 'model');
  must(body.store === false, "store: must be false, because the client's own record is the conversation");
  const most = body.max_output_tokens;
  must(
    most === undefined || (rules.is_whole(most) && most >= 16),
    `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${most} instead.`,
  );
  for (const field of ['temperature', 'top_p']) {
    must(body[field] === undefined || !/^gpt-[56]/.test(body.model), openai.unsupported(field));
  }
  must(body.temperature === undefined || (body.temperature >= 0 && body.temperature <= 2), 'temperature: range: 0..2');
  must([undefined, true, false].includes(body.stream), 'stream: Input should be a valid boolean');
  if (body.stream_options !== undefined) {
    must(body.stream, "The 'stream_options' parameter is only allowed when 'stream' is enabled.");
    has_fields(body.stream_options, 'stream_options', [], ['include_obfuscation']);
  }
  if (body.include !== undefined) {
    rules.is_list(body.include, 'include');
    for (const each of body.include) rules.one_of(each, 'include', kIncludes);
  }
  if (body.instructions !== undefined) rules.says_something(body.instructions, 'instructions');
  if (body.reasoning !== undefined) check_reasoning(body.reasoning);
  if (body.text !== undefined) check_text_config(body.text);
  check_tools(body);
  check_input(body.input);
  check_thoughts(body, key);
}

module.exports = { check_body, place_of };
