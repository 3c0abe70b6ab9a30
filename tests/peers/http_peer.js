// A web server that behaves as a test asks, by path. It takes a free port of loopback and prints it; what happens to it
// it says line by line; a line on its standard input lets go on what waits for it.
//
//   node http_peer.js plain | tls KEY CERT | h2 KEY CERT | proxy [USER:PASSWORD] | silent | deaf
'use strict';

const fs = require('fs');
const http = require('http');
const http2 = require('http2');
const https = require('https');
const net = require('net');
const readline = require('readline');
const zlib = require('zlib');

const [kind, ...rest] = process.argv.slice(2);
const say = (...words) => process.stdout.write(words.join(' ') + '\n');

let waiting = [];
readline.createInterface({ input: process.stdin }).on('line', () => {
  waiting.forEach((go_on) => go_on());
  waiting = [];
});
process.stdin.on('end', () => process.exit(0));

let opened = 0;
let open = 0;
let most_open = 0;
let dropped = 0;
const numbers = new WeakMap();
function count(socket) {
  numbers.set(socket, ++opened);
  most_open = Math.max(most_open, ++open);
  socket.on('close', () => --open);
  socket.on('error', () => {});
}

function pour(response, bytes) {
  const piece = Buffer.alloc(65536, 'x');
  const more = () => {
    while (bytes > 0) {
      const size = Math.min(bytes, piece.length);
      bytes -= size;
      if (!response.write(piece.subarray(0, size))) return response.once('drain', more);
    }
    response.end();
  };
  more();
}

const pages = {
  '/hello': (request, response) => response.end('hello'),
  '/echo': (request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      response.end(JSON.stringify({
        method: request.method, url: request.url, headers: request.headers, version: request.httpVersion,
        body: body.length > 1000 ? String(body.length) : body.toString(),
      }));
    });
  },
  '/status': (request, response, query) => {
    response.statusCode = Number(query.get('code'));
    response.end('as you like');
  },
  '/typed': (request, response, query) => {
    response.setHeader('Content-Type', query.get('type'));
    response.end(Buffer.from(query.get('body'), 'latin1'));
  },
  '/redirect': (request, response, query) => {
    response.statusCode = Number(query.get('code') || 302);
    response.setHeader('Location', query.get('to'));
    response.end('elsewhere');
  },
  '/round': (request, response, query) => {
    response.statusCode = 302;
    response.setHeader('Location', '/round?n=' + (Number(query.get('n') || 0) + 1));
    response.end();
  },
  '/declared': (request, response, query) => {
    response.setHeader('Content-Length', query.get('bytes'));
    pour(response, Number(query.get('bytes')));
  },
  '/chunked': (request, response, query) => pour(response, Number(query.get('bytes'))),
  '/gzip': (request, response, query) => {
    response.setHeader('Content-Encoding', 'gzip');
    response.end(zlib.gzipSync(Buffer.alloc(Number(query.get('bytes')), 'x')));
  },
  '/headers': (request, response, query) => {
    for (let i = 0; i < Number(query.get('count')); ++i) response.setHeader('X-Filler-' + i, 'x'.repeat(8000));
    response.end('many');
  },
  '/hang': () => {},
  '/stall': (request, response) => response.write('begin'),
  '/trickle': (request, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/parts': (request, response) => {
    response.write('first');
    waiting.push(() => response.end('last'));
  },
  '/cut': (request, response) => {
    response.setHeader('Content-Length', '100');
    response.write('half');
    setImmediate(() => (request.stream ? request.stream.close(2) : request.socket.destroy()));
  },
  // Carries it out and never answers.
  '/drop': (request) => {
    ++dropped;
    setImmediate(() => request.socket.destroy());
  },
  '/dropped': (request, response) => response.end(String(dropped)),
  '/connections': (request, response) => response.end(JSON.stringify({ opened, most_open })),
};

function answer(request, response) {
  const url = new URL(request.url, 'http://peer');
  response.on('error', () => {});
  if (!request.stream) {
    response.setHeader('X-Connection', String(numbers.get(request.socket)));
    response.setHeader('X-Target', request.url);
  }
  say('request', request.method, url.pathname);
  const page = pages[url.pathname];
  if (page) return page(request, response, url.searchParams);
  response.statusCode = 404;
  response.end('no such page');
}

// The proxy's own name server: names below "test" are this machine.
const looked_up = (name) => (name.endsWith('.test') ? '127.0.0.1' : name);

function proxy(credentials) {
  const refused = (request) => credentials &&
    request.headers['proxy-authorization'] !== 'Basic ' + Buffer.from(credentials).toString('base64');
  const server = http.createServer((request, response) => {
    say('proxied', request.method, request.url);
    if (refused(request)) {
      response.statusCode = 407;
      return response.end();
    }
    const url = new URL(request.url);
    const host = looked_up(url.hostname);
    const onward = http.request({ host, port: url.port, path: url.pathname, method: request.method },
      (answered) => {
        response.writeHead(answered.statusCode, { ...answered.headers, 'x-proxy': 'yes' });
        answered.pipe(response);
      });
    onward.on('error', () => response.destroy());
    onward.end();
  });
  server.on('connect', (request, socket) => {
    say('proxied CONNECT', request.url);
    socket.on('error', () => {});
    if (refused(request)) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const [host, port] = request.url.split(':');
    const onward = net.connect(Number(port), looked_up(host), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  return server;
}

const keys = () => ({ key: fs.readFileSync(rest[0]), cert: fs.readFileSync(rest[1]) });
const servers = {
  plain: () => http.createServer(answer),
  tls: () => https.createServer(keys(), answer),
  h2: () => http2.createSecureServer(keys(), answer),
  proxy: () => proxy(rest[0]),
  // Accepts and says nothing.
  silent: () => net.createServer(() => say('accepted')),
  // Takes the first bytes and reads no more.
  deaf: () => net.createServer((socket) => socket.once('data', () => { socket.pause(); say('accepted'); })),
};

const server = servers[kind]();
server.on('connection', count);
server.on('tlsClientError', () => {});
server.on('secureConnection', (socket) => count(socket));
server.listen(0, '127.0.0.1', () => say('port', server.address().port));
