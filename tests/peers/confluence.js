// A strict stand-in for Confluence Cloud: search by CQL, pages and spaces of the v2 API. It gives two spaces a page.
//
//   node confluence.js EMAIL TOKEN
'use strict';

const { Refusal, broken, query_of, serve } = require('./lib/atlassian.js');

const kPage = 2;
const pages = [
  { id: '98306', title: 'The payment gateway does not answer', space: 'OPS', text: '<p>Look at the <strong>errors</strong> &amp; call payments.</p><ac:structured-macro ac:name="code"><ac:parameter ac:name="language">bash</ac:parameter><ac:plain-text-body><![CDATA[grep "<timeout>" app.log]]></ac:plain-text-body></ac:structured-macro><ac:structured-macro ac:name="jira"><ac:parameter ac:name="key">NL-1</ac:parameter></ac:structured-macro>' },
  { id: '98307', title: 'Payment holidays', space: 'HR', text: '<p>None.</p>' },
];
const spaces = [['OPS', 'Operations', 'global'], ['HR', 'People', 'global'], ['~ana', 'Ana', 'personal']];

const result = (page) => ({
  content: { id: page.id, type: 'page', status: 'current', title: page.title, version: { number: 3, by: { displayName: 'Ana Lopez' } }, _links: { webui: `/spaces/${page.space}/pages/${page.id}` } },
  title: page.title,
  excerpt: 'about the @@@hl@@@payment@@@endhl@@@ gateway &amp; more',
  url: `/spaces/${page.space}/pages/${page.id}`,
  lastModified: '2026-11-18T09:00:00.000Z',
  resultGlobalContainer: { title: spaces.find(([key]) => key === page.space)[1] },
});

const matching = (cql) => {
  const space = / and space = "([^"]*)"/.exec(cql);
  if (space && !spaces.some(([key]) => key === space[1])) throw new Refusal(400, `Could not parse cql : no space ${space[1]}`);
  const rest = cql.replace(/ and space = "[^"]*"/, '');
  const within = pages.filter((page) => !space || page.space === space[1]);
  const words = /^siteSearch ~ "([^"]*)" and type = page$/.exec(rest);
  if (words) return within.filter((page) => words[1].split(' ').every((word) => JSON.stringify(page).toLowerCase().includes(word.toLowerCase())));
  if (rest === 'type = page and lastmodified >= now("-7d") order by lastmodified desc') return within;
  throw broken(`the CQL ${cql}`);
};

serve([
  ['GET', /^\/wiki\/rest\/api\/user\/current$/, (match, url) => (query_of(url, []), [200, { type: 'known', accountId: '5b10a', displayName: 'Ana Lopez' }])],
  ['GET', /^\/wiki\/rest\/api\/search$/, (match, url) => {
    const query = query_of(url, ['cql', 'limit', 'excerpt', 'expand']);
    const found = matching(query.cql);
    const limit = Number(query.limit);
    const links = { base: 'https://example.atlassian.net/wiki' };
    if (found.length > limit) links.next = '/rest/api/search?next=true&cursor=abc';
    return [200, { results: found.slice(0, limit).map(result), start: 0, limit, size: Math.min(limit, found.length), totalSize: found.length, _links: links }];
  }],
  ['GET', /^\/wiki\/api\/v2\/pages\/(\d+)$/, (match, url) => {
    if (query_of(url, ['body-format'])['body-format'] !== 'storage') throw broken('body-format');
    const page = pages.find((one) => one.id === match[1]);
    if (!page) throw new Refusal(404, 'Not Found');
    return [200, { id: page.id, status: 'current', title: page.title, spaceId: '1', version: { number: 3, createdAt: '2026-11-18T09:00:00.000Z', authorId: '5b10a' }, body: { storage: { value: page.text, representation: 'storage' } }, _links: { webui: `/spaces/${page.space}/pages/${page.id}`, base: 'https://example.atlassian.net/wiki' } }];
  }],
  ['GET', /^\/wiki\/api\/v2\/spaces$/, (match, url) => {
    const query = query_of(url, ['limit', 'status'], ['cursor']);
    if (!(query.limit >= 1 && query.limit <= 250)) throw broken('limit');
    const from = Number(query.cursor || 0);
    const to = from + kPage;
    const links = to < spaces.length ? { next: `/wiki/api/v2/spaces?limit=${query.limit}&status=current&cursor=${to}` } : {};
    return [200, { results: spaces.slice(from, to).map(([key, name, type], at) => ({ id: String(from + at), key, name, type, status: 'current' })), _links: links }];
  }],
]);
