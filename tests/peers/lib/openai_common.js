// Shared parts of OpenAI's two APIs: errors, keys, the list of models, schemas.
'use strict';

const rules = require('./rules');
const { must, has_fields } = rules;

/// The models that a server lists when its scenario names none.
const kModels = ['gpt-6.1-sol', 'gpt-6-luna', 'gpt-6.1-terra', 'gpt-6-astra'];

const kHeaders = { 'x-request-id': 'req_8a9f0c', 'openai-processing-ms': '12' };

const kSignature = 'The encrypted content for item rs_1 could not be verified.';

// By the names scenarios use: status, type, code, what it says.
const kErrors = {
  invalid_request: [400, 'invalid_request_error', null, 'Invalid request.'],
  overflow: [
    400,
    'invalid_request_error',
    'context_length_exceeded',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 212345 tokens.",
  ],
  overflow_vllm: [
    400,
    'BadRequestError',
    400,
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages).",
  ],
  overflow_llama: [
    400,
    'exceed_context_size_error',
    400,
    'the request exceeds the available context size. try increasing the context size or enable context shift',
  ],
  signature: [400, 'invalid_request_error', 'invalid_encrypted_content', kSignature],
  signature_429: [429, 'requests', 'invalid_encrypted_content', kSignature],
  authentication: [401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  permission: [
    403,
    'invalid_request_error',
    'unsupported_country_region_territory',
    'Country, region, or territory not supported',
  ],
  not_found: [
    404,
    'invalid_request_error',
    'model_not_found',
    'The model `gpt-none` does not exist or you do not have access to it.',
  ],
  conflict: [409, 'invalid_request_error', null, 'The request conflicts with another.'],
  quota: [
    429,
    'insufficient_quota',
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  rate_limit: [429, 'tokens', 'rate_limit_exceeded', 'Rate limit reached for gpt-5 on tokens per min (TPM).'],
  api: [500, 'server_error', null, 'The server had an error while processing your request. Sorry about that!'],
  overloaded: [503, 'server_error', null, 'The server is currently overloaded with other requests. Sorry about that!'],
  timeout: [504, 'server_error', null, 'Gateway timeout'],
};

/// The body of an error, of the API and inside a stream of Chat Completions.
function error_body(kind, message) {
  const [, type, code, words] = kErrors[kind];
  return { error: { message: message || words, type, param: null, code } };
}

const error = (kind, message) => ({
  status: kErrors[kind][0],
  headers: kHeaders,
  body: JSON.stringify(error_body(kind, message)),
});

/// The key that was used. A scenario whose key is "" takes any, and none.
function check_key(request, scenario) {
  const { authorization = '' } = request.headers;
  const is_right = scenario.key === '' || authorization === `Bearer ${scenario.key || 'sk-test-0123456789'}`;
  must(is_right, 'Incorrect API key provided.', 'authentication');
  return authorization;
}

function models(request, scenario) {
  if (request.method !== 'GET' || request.url !== '/v1/models') return undefined;
  check_key(request, scenario);
  const ids = scenario.models || kModels;
  return { object: 'list', data: ids.map((id) => ({ id, object: 'model', created: 1790000000, owned_by: 'openai' })) };
}

const unsupported = (field) => `Unsupported parameter: '${field}' is not supported with this model.`;

function is_json_object(text) {
  try {
    return rules.is_object(JSON.parse(text));
  } catch {
    return false;
  }
}

/// A schema that answers and calls are held to: every object in it is closed, and requires all it has.
function check_strict(schema, name, context = []) {
  const invalid = `Invalid schema for '${name}': In context=(${context.map((part) => `'${part}'`).join(', ')})`;
  must(rules.is_object(schema), `${invalid}, schema is not an object.`);
  if (schema.type === 'object' || schema.properties) {
    const names = Object.keys(schema.properties || {});
    must(
      schema.additionalProperties === false,
      `${invalid}, 'additionalProperties' is required to be supplied and to be false.`,
    );
    for (const each of names) {
      const is_required = (schema.required || []).includes(each);
      must(is_required, `${invalid}, 'required' is required to include every key in properties. Missing '${each}'.`);
    }
  }
  for (const field of ['properties', '$defs']) {
    for (const [key, value] of Object.entries(schema[field] || {})) check_strict(value, name, [...context, field, key]);
  }
  if (schema.items !== undefined) check_strict(schema.items, name, [...context, 'items']);
  (schema.anyOf || []).forEach((each, index) => check_strict(each, name, [...context, 'anyOf', String(index)]));
}

const kName = /^[a-zA-Z0-9_-]{1,64}$/;

/// A schema with its name, as both APIs have it for answers; `type` is beside it in the one and around it in the other.
function check_named_schema(format, where, fields = []) {
  has_fields(format, where, ['name', 'schema', ...fields], ['strict', 'description']);
  rules.matches(format.name, `${where}.name`, kName);
  rules.is_schema(format.schema, `${where}.schema`);
  must([undefined, true, false].includes(format.strict), `${where}.strict: Input should be a valid boolean`);
  if (format.strict) check_strict(format.schema, format.name);
}

/// A function's name and parameters, as both APIs have them for tools.
function check_function(tool, where) {
  rules.matches(tool.name, `${where}.name`, kName);
  rules.is_schema(tool.parameters, `${where}.parameters`);
  must(
    rules.is_object(tool.parameters.properties),
    `Invalid schema for function '${tool.name}': In context=(), object schema missing properties.`,
  );
  if (tool.strict) check_strict(tool.parameters, tool.name);
}

module.exports = {
  kHeaders,
  kErrors,
  kName,
  error_body,
  error,
  check_key,
  models,
  unsupported,
  is_json_object,
  check_named_schema,
  check_function,
};
