// What Bedrock's Converse takes.
'use strict';

const rules = require('./rules');
const { must, has_fields } = rules;
const { check_model } = require('./anthropic_models');
const thinking = require('./thinking');

const kName = /^[a-zA-Z0-9_-]{1,64}$/;

/// An object of which exactly one member is given: its name.
function kind_of(value, where, kinds) {
  must(rules.is_object(value) && Object.keys(value).length === 1, `${where}: one member must be set`);
  const [kind] = Object.keys(value);
  rules.one_of(kind, where, kinds);
  return kind;
}

function check_cache_point(point, where, seen) {
  has_fields(point, where, ['type'], ['ttl']);
  must(point.type === 'default', `${where}.type: Input should be 'default'`);
  must(++seen.cache_points <= 4, 'at most 4 cache points');
}

function check_tool_use(use, where) {
  has_fields(use, where, ['toolUseId', 'name', 'input']);
  rules.matches(use.toolUseId, `${where}.toolUseId`, kName);
  rules.matches(use.name, `${where}.name`, kName);
  must(rules.is_object(use.input), `${where}.input: The format of the value is invalid. Provide a json object`);
}

function check_tool_result(result, where) {
  has_fields(result, where, ['toolUseId', 'content'], ['status']);
  rules.matches(result.toolUseId, `${where}.toolUseId`, kName);
  rules.one_of(result.status || 'success', `${where}.status`, ['success', 'error']);
  rules.is_list(result.content, `${where}.content`);
  result.content.forEach((item, index) => {
    const at = `${where}.content.${index}`;
    const kind = kind_of(item, at, ['text', 'json']);
    if (kind === 'text') rules.says_something(item.text, at);
    else must(rules.is_object(item.json), `${at}.json: Input should be an object`);
  });
}

function check_image(image, where) {
  has_fields(image, where, ['format', 'source']);
  has_fields(image.source, `${where}.source`, ['bytes']);
  rules.is_image(`image/${image.format}`, image.source.bytes, where);
}

function check_reasoning(reasoning, where) {
  if (kind_of(reasoning, where, ['reasoningText', 'redactedContent']) === 'redactedContent')
    return rules.is_text(reasoning.redactedContent, `${where}.redactedContent`);
  has_fields(reasoning.reasoningText, `${where}.reasoningText`, ['text', 'signature']);
  rules.is_text(reasoning.reasoningText.text, `${where}.reasoningText.text`);
  rules.is_text(reasoning.reasoningText.signature, `${where}.reasoningText.signature`);
}

const kBlocks = {
  user: ['text', 'image', 'cachePoint', 'toolResult'],
  assistant: ['text', 'cachePoint', 'toolUse', 'reasoningContent'],
};

function check_message(message, where, seen) {
  has_fields(message, where, ['role', 'content']);
  rules.one_of(message.role, `${where}.role`, ['user', 'assistant']);
  rules.is_list(message.content, `${where}.content`);
  const turn = { role: message.role, calls: [], results: [] };
  message.content.forEach((block, index) => {
    const at = `${where}.content.${index}`;
    const kind = kind_of(block, at, kBlocks[message.role]);
    if (kind === 'reasoningContent') check_reasoning(block.reasoningContent, `${at}.reasoningContent`);
    if (kind === 'text') rules.says_something(block.text, `${at}.text`);
    if (kind === 'image') check_image(block.image, `${at}.image`);
    if (kind === 'cachePoint') check_cache_point(block.cachePoint, at, seen);
    if (kind === 'toolUse') {
      check_tool_use(block.toolUse, `${at}.toolUse`);
      turn.calls.push(block.toolUse.toolUseId);
    }
    if (kind === 'toolResult') {
      check_tool_result(block.toolResult, `${at}.toolResult`);
      turn.results.push(block.toolResult.toolUseId);
    }
  });
  return turn;
}

function check_tool_config(config, seen) {
  has_fields(config, 'toolConfig', ['tools'], ['toolChoice']);
  rules.is_list(config.tools, 'toolConfig.tools');
  const names = [];
  config.tools.forEach((tool, index) => {
    const where = `toolConfig.tools.${index}`;
    if (kind_of(tool, where, ['toolSpec', 'cachePoint']) === 'cachePoint')
      return check_cache_point(tool.cachePoint, where, seen);
    has_fields(tool.toolSpec, `${where}.toolSpec`, ['name', 'inputSchema'], ['description', 'strict']);
    rules.matches(tool.toolSpec.name, `${where}.toolSpec.name`, kName);
    if (tool.toolSpec.description !== undefined)
      rules.says_something(tool.toolSpec.description, `${where}.toolSpec.description`);
    has_fields(tool.toolSpec.inputSchema, `${where}.toolSpec.inputSchema`, ['json']);
    rules.is_schema(tool.toolSpec.inputSchema.json, `${where}.toolSpec.inputSchema.json`);
    names.push(tool.toolSpec.name);
  });
  must(names.length > 0, 'toolConfig.tools: no tool');
  rules.all_different(names, 'toolConfig.tools: names');
  if (config.toolChoice === undefined) return;
  const kind = kind_of(config.toolChoice, 'toolConfig.toolChoice', ['auto', 'any', 'tool']);
  has_fields(config.toolChoice[kind], `toolConfig.toolChoice.${kind}`, kind === 'tool' ? ['name'] : []);
  if (kind === 'tool') rules.one_of(config.toolChoice.tool.name, 'toolConfig.toolChoice.tool.name', names);
}

/// Where the model stands before the turn at `index`; with none, before the turn that it is asked for.
function place_of(body, { model, key }, index = body.messages.length) {
  return { model, key, system: body.system, tools: body.toolConfig?.tools, messages: body.messages.slice(0, index) };
}

/// Every thought that comes back is the one that was sent, where it was sent.
function check_thoughts(body, who) {
  body.messages.forEach(({ content }, index) =>
    content.forEach(({ reasoningContent: thought }, at) => {
      if (thought === undefined) return;
      const [signature, text, message] = thought.reasoningText
        ? [thought.reasoningText.signature, thought.reasoningText.text, 'Invalid `signature` in `thinking` block']
        : [thought.redactedContent, thinking.kRedacted, 'Invalid `data` in `redacted_thinking` block'];
      const where = `messages.${index}.content.${at}`;
      const place = place_of(body, who, index);
      thinking.check_signature(signature, place, content.slice(0, at), text, `${where}: ${message}`);
    }),
  );
}

/// Anthropic's models are held to what they take elsewhere; what others take beside is theirs to say.
function check_claude(body, model) {
  const more = body.additionalModelRequestFields ?? {};
  const { maxTokens, temperature, topP } = body.inferenceConfig ?? {};
  has_fields(more, 'additionalModelRequestFields', [], ['thinking', 'output_config', 'top_k', 'anthropic_beta']);
  const sampling = { temperature, top_p: topP, top_k: more.top_k };
  const choice = body.toolConfig?.toolChoice ?? {};
  check_model(model, {
    ...more,
    max_tokens: maxTokens,
    sampling: Object.keys(sampling).filter((field) => sampling[field] !== undefined),
    forces_tool: choice.any !== undefined || choice.tool !== undefined,
    takes_format: false,
  });
}

function check_inference(config) {
  has_fields(config, 'inferenceConfig', [], ['maxTokens', 'temperature', 'topP', 'stopSequences']);
  const { maxTokens, temperature } = config;
  must(
    maxTokens === undefined || (rules.is_whole(maxTokens) && maxTokens >= 1),
    'inferenceConfig.maxTokens: less than 1',
  );
  must(temperature === undefined || (temperature >= 0 && temperature <= 1), 'inferenceConfig.temperature: range 0..1');
}

/// `model` and `key` are those of this request.
function check_body(body, { model, key }) {
  has_fields(
    body,
    'body',
    ['messages'],
    [
      'system',
      'inferenceConfig',
      'toolConfig',
      'additionalModelRequestFields',
      'additionalModelResponseFieldPaths',
      'guardrailConfig',
      'requestMetadata',
      'performanceConfig',
      'outputConfig',
    ],
  );
  const seen = { cache_points: 0 };
  rules.is_list(body.messages, 'messages');
  const turns = body.messages.map((message, index) => check_message(message, `messages.${index}`, seen));
  turns.forEach((turn, index) =>
    must(
      turn.role === (index % 2 === 0 ? 'user' : 'assistant'),
      `messages.${index}: roles must alternate between user and assistant, from a user message on.`,
    ),
  );
  rules.are_paired(turns);
  must(turns.at(-1).role === 'user', "messages: the last message is not the user's");
  if (body.system !== undefined) {
    rules.is_list(body.system, 'system');
    body.system.forEach((block, index) => {
      const kind = kind_of(block, `system.${index}`, ['text', 'cachePoint']);
      if (kind === 'text') rules.says_something(block.text, `system.${index}.text`);
      else check_cache_point(block.cachePoint, `system.${index}`, seen);
    });
  }
  if (body.toolConfig !== undefined) check_tool_config(body.toolConfig, seen);
  must(
    body.toolConfig || turns.every((turn) => turn.calls.length === 0),
    'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
  );
  if (body.inferenceConfig !== undefined) check_inference(body.inferenceConfig);
  if (/claude/.test(model)) check_claude(body, model);
  check_thoughts(body, { model, key });
}

module.exports = { check_body, place_of };
