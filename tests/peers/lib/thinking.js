// Signatures of what a model thinks. A signature binds a thought to its place: the model, the key that was used, the
// system prompt, the tools, all messages before this turn and the blocks of the turn before it. A request that sends a
// thought back at another place, or with another text, does not match.
//
// A place is {model, key, system, tools, messages}; each vendor's rules build it from a request. `begun` are the blocks
// that the turn begins with where the model goes on from a paused reply.
'use strict';

const crypto = require('crypto');
const { Broken, is_object } = require('./rules');

// Constant, so that a test that fails sends the same bytes again.
const kKey = 'no client knows this key';

// Cache marks say nothing about the conversation.
const is_mark = (value) => is_object(value) && value.cachePoint !== undefined;

/// The value without cache marks and with sorted keys.
function canonical(value) {
  if (Array.isArray(value)) return value.filter((item) => !is_mark(item)).map(canonical);
  if (!is_object(value)) return value;
  const fields = Object.keys(value).filter((key) => key !== 'cache_control');
  return Object.fromEntries(fields.sort().map((key) => [key, canonical(value[key])]));
}

// Scenarios number the calls of each reply from one again, so a client has to rename them: ids do not count.
const kIds = ['id', 'call_id', 'toolUseId'];
const without_ids = (value) =>
  is_object(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => !kIds.includes(key))
          .map(([key, item]) => [key, without_ids(item)]),
      )
    : value;

const is_blank = (block) => typeof block.text === 'string' && block.text.trim() === '';

/// Signs `thought`, the text as the client gets it, after `blocks` of its own turn.
function sign(place, blocks, thought) {
  const { model, key, system, tools, messages } = place;
  const kept = [...(place.begun || []), ...blocks].filter((block) => !is_blank(block)).map(without_ids);
  const signed = canonical({ model, key, system, tools, messages, blocks: kept, thought });
  return crypto.createHmac('sha256', kKey).update(JSON.stringify(signed)).digest('base64');
}

/// Refuses a thought that comes back with a signature that does not fit its place.
function check_signature(signature, place, blocks, thought, message, kind) {
  if (signature !== sign(place, blocks, thought)) throw new Broken(message, kind);
}

/// The thought that a redacted block stands for: clients get no text of it.
const kRedacted = { redacted: true };

/// Builds the content of a reply, a block at a time: each thought is signed over what is before it.
function build_content(reply, place, to_block) {
  const content = [];
  for (const item of reply.content) {
    const last = content.at(-1);
    if (item.text !== undefined && last?.text !== undefined) last.text += item.text;
    else if (item.text !== undefined) content.push(to_block.text(item.text));
    else if (item.call) content.push(to_block.call(item.call));
    else if (item.thinking?.redacted) content.push(to_block.redacted(sign(place, content, kRedacted)));
    else if (item.thinking) {
      const shown = to_block.shown(item.thinking.text);
      content.push(to_block.thinking(shown, sign(place, content, shown)));
    }
  }
  return content;
}

module.exports = { sign, check_signature, build_content, kRedacted };
