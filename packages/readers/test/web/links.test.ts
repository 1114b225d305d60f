import { expect, it } from 'vitest';
import { readWebLinks } from '../../src/web/links.ts';

const read = (text: string) =>
  readWebLinks({ bytes: new TextEncoder().encode(text), name: 'sitemap.xml', url: 'https://example.org/sitemap.xml' });
const page = '<url><loc>https://example.org/a</loc></url>';

it.each([
  ['whole', `<urlset>${page}</urlset>`],
  ['with a prefix and white space', `<s:urlset xmlns:s="x"><s:url><s:loc>/a</s:loc></s:url></s:urlset\n>\n`],
  ['behind a remark', `<urlset>${page}</urlset>\n<!-- made by hand -->`],
  ['of nothing', '<?xml version="1.0"?><urlset xmlns="x"/>'],
  ['an index', '<sitemapindex><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>'],
])('a sitemap that is whole, %s, is not cut', (_, text) => {
  expect(read(text).isCut).toBeUndefined();
});

it.each([
  ['between pages', `<urlset>${page}`],
  ['in a page', `<urlset>${page}<url><loc>https://example.org/b`],
  ['in its own end', `<urlset>${page}</url`],
  ['an index', '<sitemapindex><sitemap><loc>/b.xml</loc></sitemap>'],
])('a sitemap that ends %s is cut, and names what it named', (_, text) => {
  const { links, isCut } = read(text);
  expect(isCut).toBe(true);
  expect(links[0]?.url).toMatch(/^https:\/\/example\.org\/(?:a|b\.xml)$/u);
});
