// Families of Anthropic's models: how each may be asked to think, at what effort, and what does not go with that. Used
// for Messages and for both of Bedrock's APIs. A model of no known family takes whatever has the right shape.
'use strict';

const rules = require('./rules');
const { must, has_fields } = rules;

/// The models that a server lists when its scenario names none.
const kModels = ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5', 'claude-sonnet-5', 'claude-haiku-4-5'];

const kEfforts = ['low', 'medium', 'high', 'xhigh', 'max'];

// `forces`: whether a forced tool goes with thinking as asked for.
const kFamilies = [
  {
    name: /claude-sonnet-5-5/,
    types: ['adaptive', 'between_tools'],
    advice: ' Use `{"type": "between_tools"}`.',
    default_effort: 'high',
    forces: () => false,
  },
  { name: /claude-opus-5-5/, types: ['adaptive'], default_effort: 'medium', forces: () => false },
  { name: /claude-haiku-5-5/, types: ['adaptive', 'disabled'], default_effort: 'medium', forces: is_off },
  { name: /claude-sonnet-5(?!-\d\b)/, types: ['adaptive', 'disabled'], default_effort: 'high', forces: is_off },
  {
    name: /claude-([a-z]+-4|[a-z]+-3|3)(-|$|\.)/,
    types: ['enabled', 'disabled'],
    samples: true,
    is_old: true,
    forces: (thinking) => thinking?.type !== 'enabled',
  },
];
const kUnknown = { types: ['adaptive', 'between_tools', 'disabled', 'enabled'], samples: true, forces: () => true };

function is_off(thinking) {
  return thinking?.type === 'disabled';
}

const family_of = (model) => kFamilies.find(({ name }) => name.test(model)) || kUnknown;

const kFields = {
  adaptive: [['type'], ['display']],
  between_tools: [['type']],
  disabled: [['type']],
  enabled: [['type', 'budget_tokens'], ['display']],
};

function check_thinking(thinking, family, { effort, max_tokens }) {
  must(rules.is_object(thinking), 'thinking: Input should be an object');
  const { type, budget_tokens, display } = thinking;
  rules.one_of(type, 'thinking.type', Object.keys(kFields));
  has_fields(thinking, 'thinking', ...kFields[type]);
  if (display !== undefined) rules.one_of(display, 'thinking.display', ['summarized', 'omitted']);
  must(
    family.types.includes(type),
    `thinking.type: \`${type}\` is not supported with this model.${family.advice || ''}`,
  );
  if (type === 'enabled') {
    must(rules.is_whole(budget_tokens) && budget_tokens >= 1024, 'thinking.enabled.budget_tokens: less than 1024');
    must(budget_tokens < max_tokens, '`max_tokens` must be greater than `thinking.budget_tokens`');
  }
  if (!['between_tools', 'disabled'].includes(type) || family.is_old || family === kUnknown) return;
  must(
    ['low', 'medium', 'high'].includes(effort ?? family.default_effort),
    `thinking.type: \`${type}\` is not supported with effort ${effort}.`,
  );
}

const kNoKeywords = ['pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'];

/// A schema that answers can be held to. Below `properties` and `$defs` keys are names, not keywords.
function check_output_schema(schema, where) {
  if (Array.isArray(schema)) return schema.forEach((item, index) => check_output_schema(item, `${where}.${index}`));
  if (!rules.is_object(schema)) return;
  for (const keyword of kNoKeywords) must(schema[keyword] === undefined, `${where}: '${keyword}' is not supported`);
  must((schema.minItems ?? 0) <= 1, `${where}: 'minItems' over 1 is not supported`);
  if (schema.type === 'object')
    must(schema.additionalProperties === false, `${where}: 'additionalProperties' must be false`);
  for (const [key, value] of Object.entries(schema)) {
    if (!['properties', '$defs', 'definitions'].includes(key)) {
      if (!['enum', 'const', 'default', 'examples'].includes(key)) check_output_schema(value, `${where}.${key}`);
      continue;
    }
    for (const [name, item] of Object.entries(value)) check_output_schema(item, `${where}.${key}.${name}`);
  }
}

function check_output_config(config, family, takes_format) {
  must(!family.is_old, 'output_config: Extra inputs are not permitted');
  must(rules.is_object(config), 'output_config: Input should be an object');
  must(takes_format || config.format === undefined, 'output_config.format: Extra inputs are not permitted');
  has_fields(config, 'output_config', [], ['effort', 'format']);
  if (config.effort !== undefined) rules.one_of(config.effort, 'output_config.effort', kEfforts);
  if (config.format === undefined) return;
  has_fields(config.format, 'output_config.format', ['type', 'schema']);
  rules.one_of(config.format.type, 'output_config.format.type', ['json_schema']);
  rules.is_schema(config.format.schema, 'output_config.format.schema');
  check_output_schema(config.format.schema, 'output_config.format.schema');
}

/// Holds a request to what its model takes. `sampling` names the sampling parameters it gives; `forces_tool` is whether
/// its tool choice is a tool or any; `takes_format` is false on Bedrock.
function check_model(model, { thinking, output_config, max_tokens, sampling, forces_tool, takes_format }) {
  const family = family_of(model);
  for (const field of sampling) must(family.samples, `${field}: Extra inputs are not permitted with this model`);
  if (output_config !== undefined) check_output_config(output_config, family, takes_format);
  if (thinking !== undefined) check_thinking(thinking, family, { effort: output_config?.effort, max_tokens });
  must(
    !forces_tool || family.forces(thinking),
    'tool_choice forces tool use, which is not compatible with thinking.',
  );
  must(
    thinking?.type !== 'enabled' || sampling.length === 0,
    `${sampling[0]}: may not be given when thinking is enabled`,
  );
}

/// The text of a thought as the client gets it: empty unless it asked for a summary, as `between_tools` does by itself.
function shown_thinking(thinking, text) {
  return thinking?.display === 'summarized' || thinking?.type === 'between_tools' ? text : '';
}

module.exports = { kModels, check_model, shown_thinking };
