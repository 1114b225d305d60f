// What feeds of podcasts and films say in vocabularies of their own.
import { expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

async function textOf(name: string, source: string): Promise<string> {
  const document = await parseFile({ name, bytes: Buffer.from(source) });
  expectWellFormed(document);
  return document.text;
}

it('reads what films say of themselves where the entry says nothing else', async () => {
  const entry = (more: string): string =>
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="m"><title>Harbour</title><entry><title>Tides</title>${more}<media:group><media:title>Tides</media:title><media:description>Low water at noon.</media:description></media:group></entry></feed>`;
  expect(await textOf('a.atom', entry(''))).toBe('Harbour\n\nTides\n\nLow water at noon.');
  expect(await textOf('a.atom', entry('<summary>High water.</summary>'))).toBe('Harbour\n\nTides\n\nHigh water.');
});

it('reads the summaries of podcasts where there is no description', async () => {
  const rss = (more: string): string =>
    `<rss xmlns:itunes="i" xmlns:content="c"><channel><title>Harbour</title><itunes:summary>All</itunes:summary><item><title>One</title>${more}<itunes:summary>Of ropes.</itunes:summary></item></channel></rss>`;
  expect(await textOf('a.rss', rss(''))).toBe('Harbour\n\nOne\n\nOf ropes.');
  expect(await textOf('a.rss', rss('<content:encoded>Of knots.</content:encoded>'))).toBe(
    'Harbour\n\nOne\n\nOf knots.',
  );
});
