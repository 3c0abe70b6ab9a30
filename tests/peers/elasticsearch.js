// A strict stand-in for the search API of Elasticsearch and OpenSearch: documents that the test gives it, and as much of
// the query language as Deputy writes. It takes a free port of loopback and prints it, then `asked PATH BODY` for each
// search. A request that breaks a rule gets Elasticsearch's error, and the line `broken …` is printed.
//
//   node elasticsearch.js '{"api_key": "k", "documents": [{"_index": "logs-shop", "_source": {"@timestamp": "…", "message": "…"}}]}'
//
// `user` and `password` make it want basic credentials, `opensearch` answers as OpenSearch does, `text` lists fields that
// no aggregation takes, `times_out` and `failed_shards` make every answer partial.
'use strict';

const fs = require('fs');
const http = require('http');
const { listen } = require('./lib/control');

// As it stands, or in a file where it is long.
const config = JSON.parse(process.argv[2].startsWith('{') ? process.argv[2] : fs.readFileSync(process.argv[2]));
const text_fields = ['message', 'error.message', ...(config.text ?? [])];

class Refused extends Error {
  constructor(status, type, reason) { super(reason); this.status = status; this.type = type; }
}
const refuse = (reason, type = 'parsing_exception', status = 400) => { throw new Refused(status, type, reason); };

/// The values under a field: objects and dots in names mean the same.
function values(source, field) {
  if (source === null || typeof source !== 'object') return [];
  const found = source[field] === undefined || source[field] === null ? [] : [source[field]].flat();
  const scalars = found.filter((value) => typeof value !== 'object');
  for (let dot = field.indexOf('.'); dot >= 0; dot = field.indexOf('.', dot + 1))
    scalars.push(...values(source[field.slice(0, dot)], field.slice(dot + 1)));
  return scalars;
}

/// As the standard analyzer splits text: a dot or an apostrophe within a word belongs to it.
const tokens = (text) => String(text).toLowerCase().match(/[\p{L}\p{N}_]+(?:[.'][\p{L}\p{N}_]+)*/gu) ?? [];
const time_of = (source, field) => Date.parse(values(source, field)[0]);

function keys(object, allowed, where) {
  if (object === null || typeof object !== 'object' || Array.isArray(object)) refuse(`[${where}] is malformed`);
  for (const key of Object.keys(object)) if (!allowed.includes(key)) refuse(`unknown field [${key}] in [${where}]`);
  return object;
}
function only(object, where) {
  const entries = Object.entries(keys(object, Object.keys(object ?? {}), where));
  return entries.length === 1 ? entries[0] : refuse(`[${where}] malformed query, expected one field`);
}
const list = (value) => [value ?? []].flat();

function has_phrase(source, fields, query) {
  const wanted = tokens(query);
  return wanted.length > 0 && fields.some((field) => values(source, field).some((value) => {
    const there = tokens(value);
    return there.some((_, at) => wanted.every((word, i) => there[at + i] === word));
  }));
}

/// A predicate of documents' sources.
function compile(query) {
  const [kind, body] = only(query, 'query');
  if (kind === 'match_all') return () => true;
  if (kind === 'bool') {
    keys(body, ['filter', 'must', 'must_not', 'should', 'minimum_should_match'], 'bool');
    const all = [...list(body.filter), ...list(body.must)].map(compile);
    const none = list(body.must_not).map(compile);
    const some = list(body.should).map(compile);
    const least = body.minimum_should_match ?? (some.length > 0 && all.length === 0 ? 1 : 0);
    return (source) => all.every((fits) => fits(source)) && !none.some((fits) => fits(source)) &&
                       some.filter((fits) => fits(source)).length >= least;
  }
  if (kind === 'range') {
    const [field, bounds] = only(body, 'range');
    keys(bounds, ['gte', 'lte', 'gt', 'lt', 'format'], 'range');
    if (bounds.format !== 'epoch_millis') refuse('times are numbers: name their format', 'x_content_parse_exception');
    for (const bound of ['gte', 'lte', 'gt', 'lt'])
      if (bounds[bound] !== undefined && !Number.isSafeInteger(bounds[bound])) refuse(`failed to parse date field [${bounds[bound]}]`);
    return (source) => {
      const at = time_of(source, field);
      return at >= (bounds.gte ?? -Infinity) && at <= (bounds.lte ?? Infinity) && at > (bounds.gt ?? -Infinity) && at < (bounds.lt ?? Infinity);
    };
  }
  if (kind === 'terms') {
    const [field, wanted] = only(body, 'terms');
    if (!Array.isArray(wanted) || wanted.length === 0) refuse('[terms] query requires a list');
    if (text_fields.includes(field)) refuse(`Deputy compares whole values of keyword fields, not of [${field}]`);
    return (source) => values(source, field).some((value) => wanted.includes(String(value)));
  }
  if (kind === 'exists') {
    keys(body, ['field'], 'exists');
    return (source) => values(source, body.field).length > 0;
  }
  if (kind === 'match') {
    const [field, { query: words, ...rest }] = only(body, 'match');
    keys(rest, [], 'match');
    const wanted = tokens(words);
    return (source) => values(source, field).some((value) => tokens(value).some((word) => wanted.includes(word)));
  }
  if (kind === 'wildcard') {
    const [field, { value, ...rest }] = only(body, 'wildcard');
    keys(rest, [], 'wildcard');
    const expression = new RegExp(`^${value.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')}$`);
    return (source) => values(source, field).some((text) => tokens(text).some((word) => expression.test(word)));
  }
  if (kind === 'multi_match') {
    keys(body, ['query', 'type', 'fields', 'lenient'], 'multi_match');
    if (body.type !== 'phrase') refuse('Deputy looks for phrases');
    return (source) => has_phrase(source, body.fields, body.query);
  }
  return refuse(`unknown query [${kind}]`);
}

function aggregate(aggs, sources) {
  const result = {};
  for (const [name, body] of Object.entries(aggs)) {
    const [kind, options] = only(body, 'aggs');
    if (kind === 'filter') {
      result[name] = { doc_count: sources.filter(compile(options)).length };
    } else if (kind === 'terms') {
      keys(options, ['field', 'size'], 'terms');
      if (text_fields.includes(options.field))
        throw new Refused(400, 'search_phase_execution_exception', `Fielddata is disabled on [${options.field}]`);
      const counts = new Map();
      for (const source of sources)
        for (const value of values(source, options.field)) counts.set(value, (counts.get(value) ?? 0) + 1);
      const buckets = [...counts].map(([key, doc_count]) => ({ key, doc_count })).sort((a, b) => b.doc_count - a.doc_count);
      result[name] = { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: buckets.slice(0, options.size ?? 10) };
    } else if (kind === 'date_histogram') {
      keys(options, ['field', 'fixed_interval', 'offset', 'min_doc_count'], 'date_histogram');
      const interval = Number((/^([1-9][0-9]*)ms$/.exec(options.fixed_interval) ?? refuse('fixed_interval'))[1]);
      const offset = Number((/^\+([0-9]+)ms$/.exec(options.offset ?? '+0ms') ?? refuse('offset'))[1]);
      const counts = new Map();
      for (const source of sources) {
        const key = Math.floor((time_of(source, options.field) - offset) / interval) * interval + offset;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      if (options.min_doc_count !== 1) refuse('empty buckets are many');
      const buckets = [...counts].sort((a, b) => a[0] - b[0]);
      result[name] = { buckets: buckets.map(([key, doc_count]) => ({ key_as_string: new Date(key).toISOString(), key, doc_count })) };
    } else {
      refuse(`Unknown aggregation type [${kind}]`);
    }
  }
  return result;
}

function picked(source, fields) {
  if (fields === undefined) return source;
  const result = {};
  for (const field of fields) {
    const found = values(source, field);
    if (found.length > 0) result[field] = found[0];
  }
  return result;
}

function search(pattern, url, body) {
  for (const name of url.searchParams.keys()) if (name !== 'ignore_unavailable') refuse(`contains unrecognized parameter: [${name}]`, 'illegal_argument_exception');
  keys(body, ['size', 'timeout', 'track_total_hits', 'query', 'sort', 'aggs', '_source'], 'search');
  if (!/^[1-9][0-9]*ms$/.test(body.timeout)) refuse('Deputy bounds every search');
  const parts = pattern.split(',').map((part) => new RegExp(`^${part.replace(/[.]/g, '\\.').replace(/\*/g, '.*')}$`));
  const documents = config.documents.map((one, at) => ({ _id: `id${at}`, ...one })).filter(({ _index }) => parts.some((part) => part.test(_index)));
  const indexes = new Set(documents.map(({ _index }) => _index));
  if (indexes.size === 0 && !pattern.includes('*') && url.searchParams.get('ignore_unavailable') !== 'true')
    throw new Refused(404, 'index_not_found_exception', `no such index [${pattern}]`);
  const size = body.size ?? 10;
  if (!(size >= 0 && size <= 10000)) refuse('Result window is too large', 'illegal_argument_exception');
  const fits = compile(body.query ?? { match_all: {} });
  let found = documents.filter(({ _source }) => fits(_source));
  const reply = {
    took: 1, timed_out: Boolean(config.times_out),
    _shards: { total: indexes.size * 2, successful: indexes.size * 2 - (config.failed_shards ?? 0), skipped: 0, failed: config.failed_shards ?? 0 },
    hits: { max_score: null, hits: [] },
  };
  if (config.failed_shards)
    reply._shards.failures = [{ shard: 0, index: [...indexes][0], reason: { type: 'node_disconnected_exception', reason: 'disconnected' } }];
  if (body.track_total_hits !== false) reply.hits.total = { value: found.length, relation: 'eq' };
  if (body.aggs) reply.aggregations = aggregate(body.aggs, found.map(({ _source }) => _source));
  const [field, order] = body.sort ? only(body.sort[0], 'sort') : [];
  if (size > 0 && (!field || order.order !== 'desc' || body.sort.length !== 1)) refuse('Deputy reads the newest first');
  if (field) found = found.sort((a, b) => time_of(b._source, field) - time_of(a._source, field));
  reply.hits.hits = found.slice(0, size).map(({ _index, _id, _source }) => (
    { _index, _id, _score: null, _source: picked(_source, body._source), sort: [time_of(_source, field)] }));
  return [200, reply];
}

const wanted = config.user ? 'Basic ' + Buffer.from(`${config.user}:${config.password}`).toString('base64') : `ApiKey ${config.api_key}`;

function answer(request, url, body) {
  if (request.headers.authorization !== wanted)
    throw new Refused(401, 'security_exception', 'unable to authenticate with provided credentials');
  if (url.pathname === '/' && request.method === 'GET') {
    const version = { number: '9.4.3', build_flavor: 'default' };
    if (config.opensearch) Object.assign(version, { number: '3.2.0', distribution: 'opensearch' });
    return [200, { name: 'node', cluster_name: 'logs', version, tagline: 'You Know, for Search' }];
  }
  const found = /^\/([^/]+)\/_search$/.exec(url.pathname);
  if (!found) return refuse(`no handler found for uri [${url.pathname}]`, 'invalid_index_name_exception');
  if (request.method !== 'POST') refuse('Deputy posts its searches', 'illegal_argument_exception', 405);
  if (!/^application\/(json|vnd\.elasticsearch\+json; *compatible-with=9)\b/.test(request.headers['content-type'] ?? ''))
    refuse('Content-Type header is not supported', 'media_type_header_exception', 406);
  console.log('asked', found[1], body);
  return search(decodeURIComponent(found[1]), url, JSON.parse(body));
}

let answered = 0;
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (data) => { body += data; });
  request.on('end', () => {
    ++answered;
    let status;
    let reply;
    try {
      [status, reply] = answer(request, new URL(request.url, 'http://x'), body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (![401, 404].includes(error.status) && error.type !== 'search_phase_execution_exception')
        console.log('broken', request.method, request.url, error.message);
      const cause = { type: error.type, reason: error.message };
      [status, reply] = [error.status, { error: { root_cause: [cause], ...cause }, status: error.status }];
    }
    const headers = { 'content-type': 'application/json' };
    if (!config.opensearch) headers['x-elastic-product'] = 'Elasticsearch';
    response.writeHead(status, headers).end(JSON.stringify(reply));
  });
});
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port));
listen({ count: () => console.log('count', answered) });
