// The parts of AWS that clients/aws speaks with, on one port of loopback, which it prints: STS at /, a container's
// credentials at /container, instance metadata at /latest and, in other moods, below /old-instance, /no-instance and
// /silent-instance, S3 with the bucket in the path. It checks signatures with code of its own, lives at the time that
// it is given, and says line by line what it was asked.
//
//   node aws_peer.js 2025-01-02T03:04:05Z
'use strict';

const crypto = require('crypto');
const http = require('http');

const now = new Date(process.argv[2]);
const say = (...words) => process.stdout.write(words.join(' ') + '\n');
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();

// Who may sign, and with what. Keys that are given out are added.
const keys = {
  AKIDPLAIN: { secret: 'secret-of-plain', token: undefined },
  AKIDOLD: { secret: 'secret-of-old', token: 'old', expired: true },
};
let given = 0;
function give_out() {
  const id = 'ASIA' + ++given;
  keys[id] = { secret: 'secret-' + given, token: 'token/' + given + '+=' };
  return { id, ...keys[id], expires: new Date(now.getTime() + 3600_000).toISOString() };
}

const sha = (text) => crypto.createHash('sha256').update(text).digest('hex');
const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest();
const encode = (text) => encodeURIComponent(text)
  .replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());

function refuse(status, code, message) {
  return Object.assign(new Error(message), { status, code });
}

// Who signed it, or an error as AWS gives it.
function signer(request, body, service) {
  const found = /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
    .exec(request.headers.authorization || '');
  if (!found) throw refuse(403, 'MissingAuthenticationToken', 'no signature');
  const [, id, day, region, signed_service, names, signature] = found;
  const key = keys[id];
  if (!key) throw refuse(403, 'InvalidClientTokenId', 'unknown key');
  if (signed_service !== service) throw refuse(403, 'SignatureDoesNotMatch', 'signed for ' + signed_service);
  const stamp = request.headers['x-amz-date'];
  const at = new Date(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (Math.abs(at - now) > 300_000) throw refuse(403, 'RequestTimeTooSkewed', 'the difference is too large');
  const signed = names.split(';');
  for (const name of Object.keys(request.headers)) {
    const must = name === 'host' || name === 'content-type' || name.startsWith('x-amz-');
    if (must && !signed.includes(name)) throw refuse(403, 'SignatureDoesNotMatch', name + ' is not signed');
  }
  if (request.headers['x-amz-security-token'] !== key.token) throw refuse(403, 'InvalidToken', 'wrong token');
  if (service === 's3' && request.headers['x-amz-content-sha256'] !== sha(body)) {
    throw refuse(400, 'XAmzContentSHA256Mismatch', 'wrong hash');
  }
  const [path, query] = request.url.split('?');
  const canonical = [
    request.method,
    service === 's3' ? path : path.split('/').map(encode).join('/'),
    (query || '').split('&').filter(Boolean).sort().join('&'),
    ...signed.map((name) => name + ':' + request.headers[name].trim().replace(/ +/g, ' ')),
    '', names, sha(body),
  ].join('\n');
  const scope = [day, region, service, 'aws4_request'].join('/');
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha(canonical)].join('\n');
  const derived = [region, service, 'aws4_request'].reduce(hmac, hmac('AWS4' + key.secret, day));
  if (hmac(derived, text).toString('hex') !== signature) throw refuse(403, 'SignatureDoesNotMatch', 'wrong signature');
  if (key.expired) throw refuse(400, 'ExpiredToken', 'The provided token has expired.');
  return { id, region };
}

function sts(request, response, body) {
  const form = new URLSearchParams(body);
  const action = form.get('Action');
  const role = form.get('RoleArn');
  if (form.get('Version') !== '2011-06-15' || !form.get('RoleSessionName')) throw refuse(400, 'ValidationError', 'form');
  if (action === 'AssumeRole') {
    const { id, region } = signer(request, body, 'sts');
    say('sts AssumeRole', role, 'by', id, region, form.get('RoleSessionName').startsWith('deputy-') ? 'deputy' :
      form.get('RoleSessionName'), form.get('ExternalId') || '-', form.get('DurationSeconds') || '-');
  } else if (action === 'AssumeRoleWithWebIdentity') {
    if (request.headers.authorization) throw refuse(400, 'ValidationError', 'signed');
    say('sts', action, role, form.get('WebIdentityToken'));
    if (form.get('WebIdentityToken') === 'stale') throw refuse(400, 'ExpiredTokenException', 'Token expired');
  } else {
    throw refuse(400, 'InvalidAction', 'no such action');
  }
  if (role.endsWith('denied')) throw refuse(403, 'AccessDenied', 'not authorized to perform: sts:AssumeRole');
  if (role.endsWith('mute')) return response.end('<AssumeRoleResponse/>');
  const made = give_out();
  response.end(`<?xml version="1.0"?><${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>
  <Credentials><AccessKeyId>${made.id}</AccessKeyId><SecretAccessKey>${made.secret}</SecretAccessKey>
  <SessionToken>${made.token}</SessionToken><Expiration>${made.expires}</Expiration></Credentials>
  <AssumedRoleUser><Arn>${role}</Arn></AssumedRoleUser></${action}Result></${action}Response>`);
}

const issued = () => {
  const made = give_out();
  return JSON.stringify({ AccessKeyId: made.id, SecretAccessKey: made.secret, Token: made.token, Expiration: made.expires });
};

let stumbles = 0;
function container(request, response) {
  say('container', request.url, request.headers.authorization || '-');
  if (request.url === '/container/stumbles' && ++stumbles < 3) throw refuse(500, 'Oops', 'once more');
  if (request.url === '/container/broken') return response.end('{"AccessKeyId": "half');
  if (request.headers.authorization === 'wrong') throw refuse(401, 'Unauthorized', 'wrong token');
  response.end(issued());
}

function instance(request, response, mood, path) {
  say('instance', request.method, path, request.headers['x-aws-ec2-metadata-token'] || '-');
  if (mood === 'silent') return undefined;
  if (path === '/latest/api/token') {
    if (mood === 'old') throw refuse(405, 'NotAllowed', 'what is that');
    if (mood === 'no') throw refuse(500, 'Oops', 'not here');
    if (request.method !== 'PUT' || request.headers['x-aws-ec2-metadata-token-ttl-seconds'] !== '21600') {
      throw refuse(400, 'Bad', 'how long');
    }
    return response.end('instance-token');
  }
  if (mood !== 'old' && request.headers['x-aws-ec2-metadata-token'] !== 'instance-token') throw refuse(401, 'No', 'token');
  if (path === '/latest/meta-data/iam/security-credentials/') return response.end('ops-role');
  if (path === '/latest/meta-data/iam/security-credentials/ops-role') return response.end(issued());
  throw refuse(404, 'NotFound', 'no such path');
}

function s3(request, response, body) {
  const { id, region } = signer(request, body, 's3');
  say('s3', request.method, request.url, 'by', id, region);
  const [, bucket, key] = /^\/([^/]+)(\/.*)$/.exec(request.url);
  if (bucket === 'elsewhere' && region !== 'eu-west-1') {
    response.setHeader('x-amz-bucket-region', 'eu-west-1');
    throw refuse(301, 'PermanentRedirect', 'ask there');
  }
  if (bucket === 'nowhere') {
    response.setHeader('x-amz-bucket-region', region === 'eu-west-1' ? 'us-east-1' : 'eu-west-1');
    throw refuse(301, 'PermanentRedirect', 'ask there');
  }
  if (bucket === 'denied') throw refuse(403, 'AccessDenied', 'Access Denied');
  if (key === '/none') throw refuse(404, 'NoSuchKey', 'The specified key does not exist.');
  if (key === '/large') return response.end('x'.repeat(100_000));
  response.end('the object at ' + decodeURIComponent(key));
}

function answer(request, response, body) {
  response.setHeader('Date', now.toUTCString());
  const path = request.url;
  const moody = /^\/(old|no|silent)-instance(\/.*)$/.exec(path);
  if (moody) return instance(request, response, moody[1], moody[2]);
  if (path.startsWith('/latest/')) return instance(request, response, '', path);
  if (path.startsWith('/container')) return container(request, response);
  if (path === '/') return sts(request, response, body);
  return s3(request, response, body);
}

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    try {
      answer(request, response, Buffer.concat(pieces).toString());
    } catch (error) {
      if (!error.code) say('fault', String(error.stack).replace(/\n/g, ' '));
      response.statusCode = error.status || 500;
      const inner = `<Error><Code>${error.code}</Code><Message>${error.message}</Message></Error>`;
      response.end(request.url === '/' ? `<ErrorResponse>${inner}<RequestId>r</RequestId></ErrorResponse>` : inner);
    }
  });
});
server.listen(0, '127.0.0.1', () => say('port', server.address().port));
