// The clients of Elastic and of OpenSearch work against our stand-in, in what Deputy uses, and what the engines would
// refuse is refused.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { with_stand_in } = require('./started');
const packages = require('../lib/packages');
const { Client: Elastic } = packages('@elastic/elasticsearch');
const { Client: OpenSearch } = packages('@opensearch-project/opensearch');

const entry = (minute, level, message) => ({
  _index: `logs-shop-${minute % 2}`,
  _source: { '@timestamp': `2026-11-18T09:0${minute}:00Z`, service: { name: 'checkout' }, 'log.level': level, message },
});
const documents = [entry(1, 'error', 'Upstream timeout after 31 ms'), entry(2, 'info', 'handled order'), entry(3, 'error', 'disk is full')];
const search = {
  timeout: '1000ms',
  size: 2,
  track_total_hits: true,
  query: { bool: { filter: [
    { range: { '@timestamp': { gte: Date.parse('2026-11-18T09:00:00Z'), lte: Date.parse('2026-11-18T10:00:00Z'), format: 'epoch_millis' } } },
    { terms: { 'service.name': ['checkout'] } },
    { bool: { should: [{ terms: { 'log.level': ['error', 'ERROR'] } }], minimum_should_match: 1 } },
  ] } },
  sort: [{ '@timestamp': { order: 'desc' } }],
  aggs: {
    course: { date_histogram: { field: '@timestamp', fixed_interval: '120000ms', offset: '+60000ms', min_doc_count: 1 } },
    services: { terms: { field: 'service.name', size: 10 } },
  },
};
const phrase = (query) => ({ ...search, query: { multi_match: { query, type: 'phrase', fields: ['message'], lenient: true } } });

function judge(reply) {
  assert.deepStrictEqual(reply.hits.hits.map((hit) => hit._source.message), ['disk is full', 'Upstream timeout after 31 ms']);
  assert.deepStrictEqual(reply.hits.total, { value: 2, relation: 'eq' });
  assert.strictEqual(reply.hits.hits[0].sort[0], Date.parse('2026-11-18T09:03:00Z'));
  assert.deepStrictEqual(reply.aggregations.course.buckets.map(({ key, doc_count }) => [new Date(key).toISOString(), doc_count]),
                         [['2026-11-18T09:01:00.000Z', 1], ['2026-11-18T09:03:00.000Z', 1]]);
  assert.deepStrictEqual(reply.aggregations.services.buckets, [{ key: 'checkout', doc_count: 2 }]);
  assert.strictEqual(reply._shards.failed, 0);
}

test("Elastic's client searches, counts and signs in with a key", () =>
  with_stand_in('elasticsearch.js', { api_key: 'a2V5', documents }, async (node) => {
    const client = new Elastic({ node, auth: { apiKey: 'a2V5' } });
    judge(await client.search({ index: 'logs-*', ignore_unavailable: true, ...search }));
    assert.strictEqual((await client.info()).version.number, '9.4.3');
    for (const [words, found] of [['timeout after', 1], ['after timeout', 0], ['time', 0], ['DISK', 1]])
      assert.strictEqual((await client.search({ index: 'logs-*', ...phrase(words) })).hits.total.value, found, words);
    await assert.rejects(client.search({ index: 'nothing', ...search }), /index_not_found_exception/);
    await assert.rejects(new Elastic({ node, auth: { apiKey: 'b' }, maxRetries: 0 }).search({ index: 'logs-*', ...search }), /security_exception/);
  }));

test("OpenSearch's client does the same with a password", () =>
  with_stand_in('elasticsearch.js', { user: 'deputy', password: 'p', opensearch: true, documents }, async (node) => {
    const client = new OpenSearch({ node, auth: { username: 'deputy', password: 'p' } });
    judge((await client.search({ index: 'logs-*', ignore_unavailable: true, body: search })).body);
    assert.strictEqual((await client.info()).body.version.distribution, 'opensearch');
  }));

const refused = [
  ['a field it does not know', { ...search, highlight: {} }, /unknown field \[highlight\]/],
  ['a query it does not know', { ...search, query: { fuzzy: {} } }, /unknown query/],
  ['a search without a bound', { ...search, timeout: undefined }, /bounds every search/],
  ['times without a format', { ...search, query: { range: { '@timestamp': { gte: 1 } } } }, /format/],
  ['too large a page', { ...search, size: 10001 }, /Result window/],
];
for (const [what, body, rule] of refused) {
  test(`it refuses ${what}`, () =>
    with_stand_in('elasticsearch.js', { api_key: 'k', documents }, async (node, peer) => {
      const client = new Elastic({ node, auth: { apiKey: 'k' }, maxRetries: 0 });
      await assert.rejects(client.search({ index: 'logs-*', ...body }));
      await peer.says('broken');
      assert.match(peer.lines.filter((line) => line.startsWith('broken')).join('\n'), rule);
      peer.lines = [];
    }));
}
