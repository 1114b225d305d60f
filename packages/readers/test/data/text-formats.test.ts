import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { parseFile } from '../../src/registry/registry.ts';

const parse = (name: string, content: string | Uint8Array): Promise<ParsedDocument> =>
  parseFile({ name, bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content });
const slices = (document: ParsedDocument): string[] =>
  document.blocks.map((block) => document.text.slice(block.start, block.end));

describe('canonical text', () => {
  it('has no byte order mark, no carriage return and only well-formed Unicode, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const document = await parse('a.txt', bytes).catch((error: unknown) => error as { code: string });
        if ('code' in document) expect(['unsupported-media', 'invalid-media']).toContain(document.code);
        else expect(document.text.isWellFormed() && !/[\r\u0000]|^\ufeff/.test(document.text)).toBe(true);
      }),
    );
  });

  it.each([
    ['UTF-8 with mark', Uint8Array.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0x62]), 'a\nb'],
    ['UTF-16LE', Uint8Array.from([0xff, 0xfe, 0x61, 0, 0xe9, 0]), 'aé'],
    ['UTF-16BE', Uint8Array.from([0xfe, 0xff, 0, 0x61, 0, 0xe9]), 'aé'],
    ['windows-1252', Uint8Array.from([0x93, 0x63, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x80]), '“café” €'],
    ['Shift-JIS', Uint8Array.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x95, 0xb6]), '日本語の文'],
  ])('reads %s', async (_, bytes, text) => {
    expect((await parse('a.txt', bytes)).text).toBe(text);
  });

  it('keeps a UTF-8 file with one bad byte UTF-8', async () => {
    const bytes = new TextEncoder().encode('Grüße aus Österreich, schöne Straßen. ');
    bytes[bytes.length - 1] = 0xff;
    const document = await parse('a.txt', bytes);
    expect(document.text).toContain('Grüße aus Österreich');
    expect(document.warnings[0]).toContain('not valid UTF-8');
  });

  it('refuses white space alone', async () => {
    await expect(parse('a.md', ' \n\t')).rejects.toMatchObject({ code: 'invalid-media' });
  });
});

describe('plain text', () => {
  it('has a block for each paragraph', async () => {
    const document = await parse('a.txt', '\n one\ntwo \n  \n\nthree');
    expect(slices(document)).toEqual(['one\ntwo', 'three']);
    expect(document.citeByLine).toBe(true);
  });
});

describe('Markdown', () => {
  const source = [
    '---',
    'title: Front',
    'date: 2024-05-06',
    'tags: [a, b]',
    '---',
    '# One',
    '',
    'Text *here*.',
    '',
    '- item',
    '  - nested',
    '- last',
    '',
    '| a | b |',
    '|---|---|',
    '| 1 | 2 |',
    '',
    '## Two `code`',
    '',
    '> quote',
    '',
    '```js',
    'x();',
    '```',
    '',
    '# Three',
  ].join('\n');

  it('is its own canonical text, with structure by offset', async () => {
    const document = await parse('a.md', source);
    expect(document.text).toBe(source);
    expect(document.headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'One'],
      [2, 'Two code'],
      [1, 'Three'],
    ]);
    const [one, two, three] = document.headings;
    expect([one!.end, two!.end, three!.end]).toEqual([three!.start, three!.start, source.length]);
    const kinds = document.blocks.map(({ kind, start, end }) => [kind, source.slice(start, end).trim()]);
    expect(kinds).toContainEqual(['list-item', '- item']);
    expect(kinds).toContainEqual(['list-item', '- nested']);
    expect(kinds).toContainEqual(['table-row', '| 1 | 2 |']);
    expect(kinds).toContainEqual(['quote', '> quote']);
    expect(kinds).toContainEqual(['code', '```js\nx();\n```']);
  });

  it('takes title, date and fields from the front matter', async () => {
    const document = await parse('a.md', source);
    expect(document).toMatchObject({ title: 'Front', publishedAt: '2024-05-06', metadata: { tags: ['a', 'b'] } });
    expect((await parse('a.md', '# First\n\n# Second')).title).toBe('First');
    expect((await parse('a.md', 'text\n\n## Opening\n\n## Next')).title).toBe('Opening');
  });

  it('survives front matter that is no YAML, or a bomb', async () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghi'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(', ')}]`),
    ];
    const document = await parse('a.md', `---\n${bomb.join('\n')}\n---\n# T`);
    expect(document.title).toBe('T');
    expect(document.warnings).toHaveLength(1);
  });
});

describe('HTML', () => {
  it('leaves out the links for editing behind the headings of a wiki', async () => {
    const edit = '<span class="mw-editsection"><span>[</span><a href="/e">edit</a>]</span>';
    const document = await parse('wiki.html', `<html><body><h2>History${edit}</h2><p>Built in 1862.</p></body></html>`);
    expect(document.text).toBe('History\n\nBuilt in 1862.');
  });

  it('leaves out the signs behind headings and terms that link to themselves, and no mark of a note', async () => {
    const sign = '<a class="headerlink" href="#fees" title="Permalink">¶</a>';
    const page = `<h2>Fees${sign}</h2><p>Due in May<a href="#note">*</a>.</p><dl><dt>Late${sign}</dt><dd>Double.</dd></dl><h2><a href="#x">1</a> Sums</h2><p>All.</p>`;
    const document = await parse('a.html', `<html><body>${page}</body></html>`);
    expect(document.headings.map(({ title }) => title)).toEqual(['Fees', '1 Sums']);
    expect(document.text).toContain('Due in May*.');
    expect(document.text).not.toContain('¶');
  });

  it('shows what a reader sees', async () => {
    const document = await parse(
      'a.html',
      `<!doctype html><html lang="de-AT"><head><title> Der  Titel </title><meta property="article:published_time" content="2020-01-02T03:04:05Z">
      <style>p{}</style></head><body><h1>Eins &amp; zwei</h1><p>Ein <b>Satz</b>,
      gebrochen.<br>Neu</p><ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul><ol start="3"><li>drei</li></ol>
      <table><tr><th>n</th><th>m</th></tr><tr><td>1</td><td><p>2</p></td></tr></table>
      <pre>  x\n   y</pre><img alt="Bild"><script>bad()</script><template>bad</template><p hidden>bad</p><p style="display: none">bad</p></body></html>`,
    );
    expect(document.text).toBe(
      'Eins & zwei\n\nEin Satz, gebrochen.\nNeu\n\n- a\n  - b\n- c\n\n3. drei\n\nn | m\n1 | 2\n\n  x\n   y\n\nBild',
    );
    expect(document).toMatchObject({ title: 'Der Titel', language: 'de', publishedAt: '2020-01-02T03:04:05.000Z' });
    expect(document.headings).toMatchObject([{ level: 1, title: 'Eins & zwei', start: 0 }]);
    expect(document.blocks.map((block) => block.kind)).toEqual([
      'heading',
      'paragraph',
      'list-item',
      'list-item',
      'list-item',
      'list-item',
      'table-row',
      'table-row',
      'code',
      'paragraph',
    ]);
  });

  it('looks through tables that only lay out', async () => {
    const document = await parse(
      'a.html',
      '<html><table><tr><td><h2>Nav</h2><p>x</p></td><td><p>Body</p></td></tr></table>',
    );
    expect(document.text).toBe('Nav\n\nx\n\nBody');
  });

  it('reads the encoding that the page declares', async () => {
    const bytes = Uint8Array.from(
      [...'<html><meta charset="iso-8859-5"><p>']
        .map((c) => c.charCodeAt(0))
        .concat([0xbf, 0xe0, 0xd8, 0xd2, 0xd5, 0xe2]),
    );
    expect((await parse('a.html', bytes)).text).toBe('Привет');
  });

  it('does not overflow on deep nesting', async () => {
    const document = await parse('a.html', `<html>${'<div>'.repeat(20_000)}deep`);
    expect(document.text).toBe('deep');
  });
});

describe('places of JSON', () => {
  it('are paths, and lines of JSONL', async () => {
    const labels = async (name: string, source: string): Promise<string[]> =>
      (await parse(name, source)).places.map(({ label }) => label);
    expect(await labels('a.json', '{"title":"T","items":[{"a":1},{"a":2}]}')).toEqual([
      'title',
      'items[0]',
      'items[1]',
    ]);
    expect(await labels('a.json', '[{"a":1},{"a":2}]')).toEqual(['[0]', '[1]']);
    expect(await labels('a.jsonl', '{"a":1}\n\n{"a":2}\n')).toEqual(['line 1', 'line 3']);
    // Exports of lines are often called JSON.
    expect(await labels('a.json', '{"a":1}\n\n{"a":2}\n')).toEqual(['line 1', 'line 3']);
  });
});

describe('CSV', () => {
  it('is cited by its rows, blank ones and line breaks in cells counted right', async () => {
    const document = await parse('a.csv', 'name;note\nAda;"first\nof all"\n\nBob;second\n');
    const { places, text } = document;
    expect(places.map(({ label, start, end }) => `${label}: ${text.slice(start, end)}`)).toEqual([
      'row 1: name | note',
      'row 2: name: Ada; note: first of all',
      'row 4: name: Bob; note: second',
    ]);
    expect((await parse('a.csv', 'sep=|\na|b\n1|2\n')).places.map(({ label }) => label)).toEqual(['row 1', 'row 2']);
  });

  it('has a line for each row that names its columns', async () => {
    const document = await parse('a.csv', 'name;note\nAda;"first; of all"\nBob;\n');
    expect(document.text).toBe('name | note\nname: Ada; note: first; of all\nname: Bob');
    expect(slices(document).slice(1)).toEqual(['name: Ada; note: first; of all', 'name: Bob']);
    expect(document.headings).toMatchObject([{ title: 'name | note', end: document.text.length }]);
  });

  it('numbers columns that have no names, keeps cells beyond them, and reads tabs', async () => {
    expect((await parse('a.csv', '1,2\n3,4\n')).text).toBe('column 1: 1; column 2: 2\ncolumn 1: 3; column 2: 4');
    expect((await parse('a.tsv', 'a\tb\n1\t2\t3')).text).toBe('a | b\na: 1; b: 2; column 3: 3');
  });
});

describe('JSON', () => {
  it('reads settings with comments and commas too many, and says that it left them out', async () => {
    const source = '// "tab": 2\n{"tab": 3, /* } , */ "url": "http://a/*b*/c,]",\n "list": [1, 2, ], }\n';
    const document = await parse('settings.json', source);
    expect(document.text).toBe('tab: 3\n\nurl: http://a/*b*/c,]\n\nlist: 1, 2');
    expect(document.warnings).toEqual([expect.stringContaining('comments were left out')]);
    expect((await parse('plain.json', '{"a": "x // y"}')).warnings).toEqual([]);
    await expect(parse('cut.json', '{"a": 1, // half')).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('is lines of path and value, with the digits of the source', async () => {
    const document = await parse(
      'a.json',
      '{"title": "T", "n": 12345678901234567890.10, "list": ["a", "b"], "deep": {"x": [{"y": null}]}}',
    );
    expect(document.text).toBe('title: T\n\nn: 12345678901234567890.10\n\nlist: a, b\n\ndeep.x[0].y: null');
    expect(document.title).toBe('T');
  });

  it('has a record for each element of a list', async () => {
    const document = await parse('a.json', '[{"a": 1, "b": {"c": true}}, {"a": 2}]');
    expect(slices(document)).toEqual(['a: 1\nb.c: true', 'a: 2']);
  });

  it('refuses what is no JSON, and too deep nesting', async () => {
    await expect(parse('a.json', '{"a": }')).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(parse('a.json', '{"a": 1}\n{"b": }\n')).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(parse('a.json', `${'[['.repeat(50_000)}1${']]'.repeat(50_000)}`)).rejects.toMatchObject({
      code: 'invalid-media',
    });
  });

  it('reads JSONL without text as records, and says which lines are bad', async () => {
    const document = await parse('a.jsonl', '{"a": 1}\nnope\n\n{"a": 2}');
    expect(slices(document)).toEqual(['a: 1', 'a: 2']);
    expect(document.warnings[0]).toContain('line 2');
  });
});
