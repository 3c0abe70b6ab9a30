// How a reply's bytes leave: as events, or cut into pieces of n bytes wherever that falls, inside a code point too.
'use strict';

const { say, told_to_go_on } = require('./control');

// What may stand between the bytes of a reply.
const kHold = Symbol('hold'); // until told to go on
const kBreak = Symbol('break'); // the connection is broken
const kEnd = Symbol('end'); // the response ends here, as if it were whole

/// The mark that an item of a scenario asks for, if it asks for one.
function mark_of(item) {
  if (item.hold) return kHold;
  if (item.break) return kBreak;
  return item.end ? kEnd : undefined;
}

const sent = (response, bytes) => new Promise((resolve) => response.write(bytes, () => setImmediate(resolve)));

/// Sends the items, bytes and marks, and ends the response. `chunk` 0: an item a piece.
async function send(response, items, chunk) {
  response.socket.setNoDelay(true);
  response.flushHeaders();
  let rest = Buffer.alloc(0);
  const flush = async () => {
    if (rest.length > 0) await sent(response, rest);
    rest = Buffer.alloc(0);
  };
  for (const item of items) {
    if (response.destroyed) return;
    if (Buffer.isBuffer(item)) {
      rest = Buffer.concat([rest, item]);
      while (chunk > 0 && rest.length >= chunk) {
        await sent(response, rest.subarray(0, chunk));
        rest = rest.subarray(chunk);
      }
      if (chunk === 0) await flush();
      continue;
    }
    await flush();
    if (item === kHold) {
      say('waiting');
      await told_to_go_on();
    }
    if (item === kBreak) {
      response.broken_off = true;
      return response.socket.destroy();
    }
    if (item === kEnd) break;
  }
  await flush();
  response.end();
}

module.exports = { kHold, kBreak, kEnd, mark_of, send };
