// The other end of our WebSockets, by the npm package `ws`. What happens to it it says line by line; lines on its
// standard input tell it what to do.
//
//   node ws_peer.js server [KEY CERT]    takes a free port of loopback, says "port N"; its path says how it behaves
//   node ws_peer.js client URL [CA]      says "open"; then does as it is told
//   node ws_peer.js hold URL COUNT       opens that many, says "open COUNT", and holds them
//
// In come, for the socket opened last: text WORDS | binary BYTES | ping WORDS | close CODE REASON | raw HEX | end | cut |
// pause. Out go: open, text WORDS, binary BYTES, ping WORDS, pong WORDS, close CODE REASON, status N, failed WHY.
'use strict';

const fs = require('fs');
const http = require('http');
const https = require('https');
const readline = require('readline');
const WebSocket = require('./lib/packages.js')('ws');

const [kind, ...rest] = process.argv.slice(2);
const say = (...words) => process.stdout.write(words.join(' ').trimEnd() + '\n');
process.stdin.on('end', () => process.exit(0));

let socket;

function listen_to(opened) {
  socket = opened;
  opened.on('message', (data, is_binary) => {
    if (is_binary) say('binary', data.length);
    else say('text', data.length > 1000 ? data.length : data.toString());
  });
  opened.on('ping', (data) => say('ping', data.toString()));
  opened.on('pong', (data) => say('pong', data.toString()));
  opened.on('close', (code, reason) => say('close', code, reason.toString()));
  opened.on('error', (error) => say('failed', error.message));
}

const commands = {
  text: (words) => socket.send(words),
  binary: (bytes) => socket.send(Buffer.alloc(Number(bytes), 'x')),
  letters: (bytes) => socket.send('x'.repeat(Number(bytes))),
  ping: (words) => socket.ping(words),
  close: (words) => {
    const [code, ...reason] = words.split(' ');
    socket.close(Number(code), reason.join(' '));
  },
  raw: (hex) => socket._socket.write(Buffer.from(hex, 'hex')),
  end: () => socket._socket.end(),
  cut: () => socket.terminate(),
  pause: () => { socket.pause(); socket._socket.pause(); say('paused'); },
};
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const space = line.indexOf(' ');
  commands[space < 0 ? line : line.slice(0, space)](space < 0 ? '' : line.slice(space + 1));
});

function serve() {
  const server = rest.length ?
    https.createServer({ key: fs.readFileSync(rest[0]), cert: fs.readFileSync(rest[1]) }) : http.createServer();
  const accept = (options) => new WebSocket.WebSocketServer({ noServer: true, ...options });
  const usual = accept({});
  const deaf = accept({ autoPong: false });
  server.on('upgrade', (request, connection, head) => {
    connection.on('error', () => {});
    const url = new URL(request.url, 'http://peer');
    if (url.pathname === '/hang') return say('hangs');
    if (url.pathname === '/status') {
      return connection.end(`HTTP/1.1 ${url.searchParams.get('code')} No\r\nContent-Length: 2\r\n\r\nno`);
    }
    if (url.pathname === '/nonsense') return connection.end('SSH-2.0-OpenSSH\r\n');
    const by = url.pathname === '/deaf' ? deaf : usual;
    by.handleUpgrade(request, connection, head, (opened) => {
      listen_to(opened);
      if (url.pathname === '/echo') {
        opened.on('message', (data, is_binary) => opened.send(data, { binary: is_binary }));
      }
      say('open', request.headers['x-one'] || '');
    });
  });
  server.listen(0, '127.0.0.1', () => say('port', server.address().port));
}

function connect() {
  const opened = new WebSocket(rest[0], { ca: rest[1] && fs.readFileSync(rest[1]), perMessageDeflate: true });
  opened.on('open', () => say('open', opened.extensions));
  opened.on('unexpected-response', (request, response) => say('status', response.statusCode));
  listen_to(opened);
}

// Some at a time: the listening queue is bounded.
async function hold() {
  const [url, count] = [rest[0], Number(rest[1])];
  const open_one = () => new Promise((opened, failed) => {
    const each = new WebSocket(url, { perMessageDeflate: false });
    each.on('open', () => opened(each));
    each.on('error', failed);
  });
  const all = [];
  while (all.length < count) {
    all.push(...await Promise.all(Array.from({ length: Math.min(50, count - all.length) }, open_one)));
  }
  say('open', all.length);
}

({ server: serve, client: connect, hold })[kind]();
