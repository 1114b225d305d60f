import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import type { ParsedDocument } from '../../src/document.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed, faultOf } from '../../testkit/well-formed.ts';

const parse = async (content: string | Uint8Array, name = 'a.xml'): Promise<ParsedDocument> => {
  const document = await parseFile({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
  expectWellFormed(document);
  return document;
};
const places = ({ text, places: found }: ParsedDocument): string[] =>
  found.map(({ label, start, end }) => `${label}: ${text.slice(start, end)}`);

describe('XML', () => {
  it('of records has a place and the fields of each', async () => {
    const document = await parse(
      `<?xml version="1.0"?><catalog xmlns="urn:x"><name>Spring</name>
        <item id="7"><title>Lamp</title><price unit="EUR">12.50</price></item>
        <item id="8"><title>Desk</title><note>&lt;b&gt;Heavy&lt;/b&gt; one</note></item></catalog>`,
    );
    expect(places(document)).toEqual([
      '/catalog: name: Spring',
      '/catalog/item[1]: id: 7\ntitle: Lamp\nprice.unit: EUR\nprice: 12.50',
      '/catalog/item[2]: id: 8\ntitle: Desk\nnote: Heavy one',
    ]);
    expect(document.headings.map(({ title }) => title)).toEqual(['catalog / item']);
  });

  it('of prose has its paragraphs under its titles', async () => {
    const document = await parse(
      '<book><title>Tea</title><chapter><title>Green</title><para>It is <em>mild</em>,\n  and <b>cheap</b>.</para><para>Two.</para>' +
        '<programlisting>a\n  b</programlisting></chapter><chapter><title>Black</title><para>It is <em>strong</em>.</para></chapter></book>',
    );
    expect(document.text).toBe('Tea\n\nGreen\n\nIt is mild, and cheap.\n\nTwo.\n\na\n  b\n\nBlack\n\nIt is strong.');
    expect(document.title).toBe('Tea');
    expect(document.headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'Tea'],
      [2, 'Green'],
      [2, 'Black'],
    ]);
    expect(document.places.map(({ label }) => label)).toContain('/book/chapter[1]/para[2]');
  });

  it('expands no entity of its own and reads no other file', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;"><!ENTITY file SYSTEM "file:///etc/passwd">]><a><b>&y;</b><b>&file;</b></a>`;
    const document = await parse(bomb);
    expect(document.text).toBe('b: &y;\nb: &file;');
    expect(document.warnings).toHaveLength(1);
  });

  it('is read over small faults, and refused where it is none or nests without end', async () => {
    const document = await parse('<a><b>one</b><b>two & three <![CDATA[four & five]]></b><b>six</b></a');
    expect(document.text).toBe('b: one\nb: two & three four & five\nb: six');
    expect(document.warnings[0]).toContain('not well-formed');
    await expect(parse('no markup at all')).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(parse(`<?xml version="1.0"?>${'<'.repeat(500)}`)).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(parse('<a>'.repeat(500))).rejects.toMatchObject({ code: 'too-large' });
  });

  it('is read in the encoding that it declares', async () => {
    const bytes = Buffer.from('<?xml version="1.0" encoding="ISO-8859-7"?><a><b>\xe1\xe2\xe3</b></a>', 'latin1');
    expect((await parse(bytes)).text).toBe('b: αβγ');
  });

  it('is well-formed text with a typed error, whatever the bytes', async () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<b x="1">',
      '</b>',
      'text',
      '&amp;',
      '&x;',
      '<![CDATA[c]]>',
      '<!-- -->',
      '<',
      '>',
      '<?p?>',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const outcome = await parseFile({ name: 'a.xml', bytes: Buffer.from(`<r>${pieces.join('')}`) }).catch(
          (error: unknown) => error as { code: string },
        );
        if ('code' in outcome) expect(['invalid-media', 'too-large', 'unsupported-media']).toContain(outcome.code);
        else expect(faultOf(outcome)).toBeUndefined();
      }),
    );
  });
});

describe('feeds', () => {
  it('of RSS are their items with title, date, author and content', async () => {
    const document = await parse(
      `<rss version="2.0" xmlns:content="c" xmlns:dc="d" xmlns:media="m"><channel><title>News</title><link>https://n.example</link>
        <description>Of the day</description><language>de-DE</language><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate>
        <item><media:title>pic</media:title><title>One</title><dc:creator>Ann</dc:creator><pubDate>Sun, 05 May 2024 10:00:00 GMT</pubDate><media:title>pic</media:title>
          <description>The price…</description><content:encoded><![CDATA[<p>The price is <b>5</b>.</p><h3>More</h3>]]></content:encoded></item>
        <item><description>No title here.</description><category>a</category><category>b</category></item></channel></rss>`,
    );
    expect(document).toMatchObject({
      mime: 'application/rss+xml',
      title: 'News',
      language: 'de',
      publishedAt: '2024-05-06T10:00:00.000Z',
      metadata: { items: 2, link: 'https://n.example' },
    });
    expect(places(document)).toEqual([
      'item 1: One\n\nPublished: Sun, 05 May 2024 10:00:00 GMT\nAuthor: Ann\n\nThe price is 5.\n\nMore',
      'item 2: Categories: a, b\n\nNo title here.',
    ]);
  });

  it('of Atom are their entries, markup inside included', async () => {
    const document = await parse(
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><updated>2024-05-06T10:00:00Z</updated><author><name>Bo</name></author>
        <entry><title type="html">A &amp;amp; B</title><link href="https://a.example/1"/><link rel="self" href="x"/><author><name>Ann</name></author>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Five &lt; six</p><p>two</p></div></content></entry></feed>`,
      'a.atom',
    );
    expect(places(document)).toEqual(['item 1: A & B\n\nAuthor: Ann\nLink: https://a.example/1\n\nFive < six\n\ntwo']);
    expect(document.metadata).toEqual({ items: 1, author: 'Bo' });
  });

  it('of the samples keep every item', async () => {
    const path = sharedData('documents', 'office', 'markitdown-test_rss.xml');
    if (path === undefined) return;
    const document = await parse(readFileSync(path));
    expect(document.title).toBe('The Official Microsoft Blog');
    expect(document.places.map(({ label }) => label)).toEqual(Array.from({ length: 10 }, (_, n) => `item ${n + 1}`));
    expect(document.text).toContain('Microsoft Ignite is our annual event');
  });
});
