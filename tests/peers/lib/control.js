// What passes between a stand-in and its test beside HTTP: lines. Out go "port N", "request N" when one has arrived,
// "waiting" when a reply holds, "gone N" when the client has left before its reply ended, "refused WHY" for what a
// scenario refuses, "broken RULE" for what no vendor takes. In come
//   play JSON     another scenario from the start; says "playing"
//   chunk N       pieces of N bytes from now on, 0: an event a piece; says "chunk N"
//   go            lets go on what holds, now or next
//   count         says "count N", the requests of this scenario
//   requests      says "requests JSON", all of them
'use strict';

const readline = require('readline');

const say = (...words) => process.stdout.write(words.join(' ') + '\n');

let goes = 0;
let holding = [];

/// Resolves with the next "go"; one that came early counts.
function told_to_go_on() {
  return new Promise((go_on) => {
    if (goes > 0) {
      --goes;
      go_on();
    } else {
      holding.push(go_on);
    }
  });
}

// Replies of an earlier scenario that hold never go on.
function forget() {
  goes = 0;
  holding = [];
}

/// `commands` by their first word get the rest of the line.
function listen(commands) {
  readline.createInterface({ input: process.stdin }).on('line', (line) => {
    const space = line.indexOf(' ');
    const word = space < 0 ? line : line.slice(0, space);
    if (word === 'go') {
      const go_on = holding.shift();
      if (go_on) go_on();
      else ++goes;
    } else {
      if (word === 'play') forget();
      commands[word](space < 0 ? '' : line.slice(space + 1));
    }
  });
  process.stdin.on('end', () => process.exit(0));
}

module.exports = { say, listen, told_to_go_on };
