// What a request is held to. A rule that does not hold throws a Broken: the stand-in answers as the vendor would and
// tells the test, which fails.
'use strict';

class Broken extends Error {
  /// `kind` names the vendor's error (errors of each stand-in); the message says where in the body.
  constructor(message, kind = 'invalid_request') {
    super(message);
    this.kind = kind;
  }
}

/// What this scenario's server refuses though others take it: no rule is broken, and it costs no reply.
class Refused extends Broken {}

function must(holds, message, kind) {
  if (!holds) throw new Broken(message, kind);
}

const is_object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const is_whole = (value) => Number.isSafeInteger(value);

/// An object with no field but these; those in `required` are there.
function has_fields(value, where, required, optional = []) {
  must(is_object(value), `${where}: Input should be an object`);
  for (const field of required) must(value[field] !== undefined, `${where}.${field}: Field required`);
  for (const field of Object.keys(value)) {
    must(required.includes(field) || optional.includes(field), `${where}.${field}: Extra inputs are not permitted`);
  }
}

function is_list(value, where) {
  must(Array.isArray(value), `${where}: Input should be a list`);
  must(value.length > 0, `${where}: the list is empty`);
}

function is_text(value, where) {
  must(typeof value === 'string', `${where}: Input should be a string`);
}

/// A text that says something.
function says_something(value, where) {
  is_text(value, where);
  must(value.trim() !== '', `${where}: text content blocks must contain non-whitespace text`);
}

function matches(value, where, pattern) {
  is_text(value, where);
  must(pattern.test(value), `${where}: String should match pattern '${pattern.source}'`);
}

function one_of(value, where, values) {
  must(values.includes(value), `${where}: Input should be one of ${values.join(', ')}`);
}

function all_different(values, where) {
  must(new Set(values).size === values.length, `${where} must be unique`);
}

const kImages = {
  'image/png': [0x89, 0x50, 0x4e, 0x47],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/gif': [0x47, 0x49, 0x46, 0x38],
  'image/webp': [0x52, 0x49, 0x46, 0x46],
};

/// An image in base64 that is what it is said to be, of at most 5 MB.
function is_image(media_type, base64, where) {
  one_of(media_type, `${where}.media_type`, Object.keys(kImages));
  matches(base64, `${where}.data`, /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
  const bytes = Buffer.from(base64, 'base64');
  must(bytes.length <= 5 * 1024 * 1024, `${where}: image exceeds 5 MB maximum`);
  const begins = kImages[media_type].every((byte, index) => bytes[index] === byte);
  must(begins, `${where}: the image does not match the provided media type ${media_type}`);
}

/// The same as a data URL.
function is_image_url(url, where) {
  is_text(url, where);
  const parts = /^data:([a-z/]+);base64,(.*)$/.exec(url);
  must(parts, `${where}: not a data URL`);
  is_image(parts[1], parts[2], where);
}

/// A JSON Schema as every vendor takes one for a tool's parameters.
function is_schema(schema, where) {
  must(is_object(schema), `${where}: Input should be an object`);
  must(schema.type === 'object', `${where}.type: Input should be 'object'`);
  for (const field of ['oneOf', 'anyOf', 'allOf']) {
    must(
      schema[field] === undefined,
      `${where}: input_schema does not support oneOf, allOf, or anyOf at the top level`,
    );
  }
}

/// Every text in it is Unicode.
function is_well_formed(value) {
  if (typeof value === 'string') must(value.isWellFormed(), 'the request body is not valid JSON: lone surrogate');
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      is_well_formed(key);
      is_well_formed(item);
    }
  }
}

/// The body of a request as an object.
function parse_body(bytes) {
  let body;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    throw new Broken(`the request body is not valid JSON: ${error.message}`);
  }
  must(is_object(body), 'the request body is not an object');
  is_well_formed(body);
  return body;
}

function is_json_post(request) {
  must(request.method === 'POST', `Method ${request.method} not allowed`, 'not_found');
  must(
    /^application\/json(;\s*charset=utf-8)?$/i.test(request.headers['content-type'] || ''),
    'content-type: application/json is required',
  );
}

/// Every call of a turn has one result in the turn after it, every result its call in the turn before it. A turn is
/// {role, calls: [id], results: [id]}.
function are_paired(turns) {
  turns.forEach((turn, index) => {
    const calls = index > 0 ? turns[index - 1].calls : [];
    all_different(turn.calls, `messages.${index}: \`tool_use\` ids`);
    all_different(turn.results, `messages.${index}: \`tool_result\` ids`);
    for (const id of calls) {
      must(
        turn.results.includes(id),
        `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`,
      );
    }
    for (const id of turn.results) {
      must(calls.includes(id), `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`);
    }
  });
}

module.exports = {
  Broken,
  Refused,
  must,
  is_object,
  is_whole,
  has_fields,
  is_list,
  is_text,
  says_something,
  matches,
  one_of,
  all_different,
  is_image,
  is_image_url,
  is_schema,
  parse_body,
  is_json_post,
  are_paired,
};
