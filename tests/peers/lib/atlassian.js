// What the stand-ins of Jira and Confluence have in common: a server that takes a free port of loopback and prints it,
// Basic credentials, strict queries, and Atlassian's errors. A request that breaks a rule is told in a line `broken …`.
'use strict';

const http = require('http');

class Refusal extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const broken = (why) => {
  console.log(`broken ${why}`);
  return new Refusal(400, `broken: ${why}`);
};

/// The query must have these keys and no others.
const query_of = (url, required, optional = []) => {
  for (const key of url.searchParams.keys()) {
    if (!required.includes(key) && !optional.includes(key)) throw broken(`the parameter ${key} is not known`);
    if (url.searchParams.getAll(key).length > 1) throw broken(`the parameter ${key} comes twice`);
  }
  for (const key of required) if (!url.searchParams.has(key)) throw broken(`the parameter ${key} is missing`);
  return Object.fromEntries(url.searchParams);
};

const keys_of = (object, required, optional = []) => {
  if (object === null || typeof object !== 'object' || Array.isArray(object)) throw broken('not an object');
  for (const key of Object.keys(object)) {
    if (!required.includes(key) && !optional.includes(key)) throw broken(`the key ${key} is not known`);
  }
  for (const key of required) if (!(key in object)) throw broken(`the key ${key} is missing`);
};

/// `routes`: [method, pattern of the path, handler(match, url, body)]. A handler returns [status, body], or null to drop
/// the connection.
const serve = (routes) => {
  const [email, token] = process.argv.slice(2);
  const expected = `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`;
  const answer = (request, text) => {
    if (request.headers.authorization !== expected) throw new Refusal(401, 'Client must be authenticated');
    if (request.headers.accept !== 'application/json') throw broken('it must accept application/json');
    const url = new URL(request.url, 'http://x');
    let path_known = false;
    for (const [method, pattern, handler] of routes) {
      const match = pattern.exec(url.pathname);
      if (!match) continue;
      path_known = true;
      if (method !== request.method) continue;
      if (method === 'GET' && text !== '') throw broken('a GET with a body');
      if (method === 'POST' && request.headers['content-type'] !== 'application/json') throw broken('the content type');
      return handler(match, url, method === 'POST' ? JSON.parse(text) : undefined);
    }
    throw path_known ? new Refusal(405, 'Method Not Allowed') : broken(`no such path: ${url.pathname}`);
  };
  const server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece) => (text += piece));
    request.on('end', () => {
      try {
        const result = answer(request, text);
        if (result === null) return request.socket.destroy();
        response.writeHead(result[0], { 'content-type': 'application/json' }).end(JSON.stringify(result[1]));
      } catch (error) {
        if (!(error instanceof Refusal)) console.log(`broken ${error.message}`);
        const body = { errorMessages: [error.message], errors: {} };
        response.writeHead(error.status || 400, { 'content-type': 'application/json', ...error.headers });
        response.end(JSON.stringify(body));
      }
    });
  });
  server.listen(0, '127.0.0.1', () => console.log('port', server.address().port));
  process.stdin.resume().on('end', () => process.exit(0));
};

module.exports = { Refusal, broken, query_of, keys_of, serve };
