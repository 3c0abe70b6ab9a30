// Whether a request is signed: what was signed is signed again by AWS's own signer, with the path, the headers and the
// body as they arrived, and the two are compared.
'use strict';

const require_package = require('./packages');
const { SignatureV4 } = require_package('@smithy/signature-v4');
const { Sha256 } = require_package('@aws-crypto/sha256-js');
const { must, Refused } = require('./rules');

const kMaxSkew = 5 * 60 * 1000;
const kAuthorization = new RegExp(
  '^AWS4-HMAC-SHA256 Credential=([^/, ]+)/([0-9]{8})/([^/, ]+)/([^/, ]+)/aws4_request, ' +
    'SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$',
);

/// What is signed by all rights: whatever says what the request is.
const is_to_be_signed = (name) => name === 'host' || name === 'content-type' || name.startsWith('x-amz');

function parse_date(text) {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text || '');
  must(parts, 'x-amz-date is missing or no date', 'sigv4');
  return new Date(Date.UTC(+parts[1], +parts[2] - 1, +parts[3], +parts[4], +parts[5], +parts[6]));
}

/// `now` is the stand-in's clock. One that is far from the client's is no broken rule: the client sets itself by ours.
async function check_signature(request, body, { credentials, region, service, now }) {
  const { headers } = request;
  const found = kAuthorization.exec(headers.authorization || '');
  must(found, 'the Authorization header is no signature of version 4', 'sigv4');
  const [, key_id, day, signed_region, signed_service, names, signature] = found;
  must(key_id === credentials.accessKeyId, `there is no access key ${key_id}`, 'authentication');
  must(signed_region === region, `Credential should be scoped to a valid region: ${signed_region}`, 'sigv4');
  must(signed_service === service, `Credential should be scoped to correct service: '${service}'`, 'sigv4');
  const date = parse_date(headers['x-amz-date']);
  must(headers['x-amz-date'].startsWith(day), 'the credential scope has another day than x-amz-date', 'sigv4');
  must(
    headers['x-amz-security-token'] === credentials.sessionToken,
    'the security token is not that of this key',
    'authentication',
  );

  const signed = names.split(';');
  must(names === [...signed].sort().join(';'), 'SignedHeaders is not sorted', 'sigv4');
  for (const name of Object.keys(headers)) {
    must(!is_to_be_signed(name) || signed.includes(name), `the header ${name} is not signed`, 'sigv4');
  }
  for (const name of signed) must(headers[name] !== undefined, `the signed header ${name} is not there`, 'sigv4');
  const hash = headers['x-amz-content-sha256'];
  if (hash !== undefined) {
    const sha256 = new Sha256();
    sha256.update(body);
    must(
      hash === Buffer.from(await sha256.digest()).toString('hex'),
      'x-amz-content-sha256 is of another body',
      'sigv4',
    );
  }

  const uriEscapePath = service !== 's3'; // S3 signs a path as it is sent, others escape it again
  const signer = new SignatureV4({ credentials, region, service, sha256: Sha256, applyChecksum: false, uriEscapePath });
  const [path, query] = request.url.split('?');
  const again = await signer.sign(
    {
      method: request.method,
      protocol: 'http:',
      hostname: '127.0.0.1',
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      body,
      headers: Object.fromEntries(signed.filter((name) => name !== 'x-amz-date').map((name) => [name, headers[name]])),
    },
    { signingDate: date, signableHeaders: new Set(signed) },
  );
  must(
    kAuthorization.exec(again.headers.authorization)[6] === signature,
    'The request signature we calculated does not match the signature you provided.',
    'sigv4',
  );

  if (Math.abs(now - date) > kMaxSkew) {
    const word = date < now ? 'expired' : 'not yet current';
    throw new Refused(
      `Signature ${word}: ${headers['x-amz-date']} is not within 5 min. of ${now.toISOString()}`,
      'skew',
    );
  }
}

module.exports = { check_signature };
