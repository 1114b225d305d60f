// What pages saved by Safari cost, whatever their property list says.
import { expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { binaryPlist } from '../../testkit/property-list-fixture.ts';

it('a saved page whose frames are one archive again and again is no longer than its file', async () => {
  const page = (html: string) => ({
    WebMainResource: { WebResourceData: Buffer.from(html), WebResourceMIMEType: 'text/html' },
  });
  const archive = binaryPlist({
    ...page('<p>Once and for all.</p>'),
    WebSubframeArchives: [page(`<p>${'tide '.repeat(3000)}</p>`), ...Array<string>(9).fill('')],
  });
  // A list of ten has this mark; its references are two bytes each.
  const list = archive.lastIndexOf(0xaa);
  for (let reference = 1; reference < 10; reference++) archive.copyWithin(list + 1 + reference * 2, list + 1, list + 3);
  const { text } = await parseFile({ name: 'a.webarchive', bytes: archive });
  expect(text.slice(0, 30)).toBe('Once and for all.\n\ntide tide t');
  expect(text.length).toBeLessThan(archive.length);
});
