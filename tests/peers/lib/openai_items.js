// Items of the Responses API, in requests and in replies: which are the model's, what they mean, what they depend on.
'use strict';

/// Whether the model wrote it, as opposed to being told it.
const is_output = ({ type = 'message', role }) =>
  type === 'reasoning' || type === 'function_call' || (type === 'message' && role === 'assistant');

// Ids are unique in this process, and so is what is known about them.
const thoughts_by_id = new Map();

function remember_thoughts(id, thoughts) {
  thoughts_by_id.set(id, thoughts);
}

/// The ids of the thoughts that the model had in the same turn before it wrote this item.
const thoughts_before = (id) => thoughts_by_id.get(id) || [];

const texts_of = ({ content }) =>
  typeof content === 'string' ? [content] : content.map((part) => part.text ?? part.refusal);

function meaning_of(item) {
  if (item.type === 'function_call') return { call: item.name, arguments: item.arguments };
  if (item.type === 'function_call_output') return { output: item.output };
  if (item.type === 'reasoning') return { thought: item.id, encrypted_content: item.encrypted_content };
  return { role: item.role, texts: texts_of(item) };
}

/// Items reduced to what they mean: ids and statuses may be left out or renamed, a text may come whole or in
/// parts, and a blank message cannot be sent back.
const meanings_of = (items) =>
  items.map(meaning_of).filter(({ texts }) => texts === undefined || texts.join('').trim() !== '');

module.exports = { is_output, remember_thoughts, thoughts_before, meanings_of };
