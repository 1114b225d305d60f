import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../../src/core/document.ts';
import { parseFile } from '../../../src/ingest/parsers/registry.ts';
import { expectWellFormed } from './well-formed.ts';

const parse = (content: string): Promise<ParsedDocument> =>
  parseFile({ name: 'a.csv', bytes: new TextEncoder().encode(content) });

describe('CSV of any size', () => {
  it('with more columns than a spreadsheet holds is refused, with what to do', async () => {
    await expect(parse(`${'a,'.repeat(1_000_000)}b\n1,2\n`)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/a row of 1000001 cells; at most 16384 .* turn columns into rows/u) as string,
    });
    const wide = Array.from({ length: 16_384 }, (_, column) => `c${column}`);
    const document = await parse(`${wide.join(',')}\n${wide.map((_, column) => column + 1).join(',')}\n`);
    expect(document.text).toMatch(/; c16383: 16384$/u);
    // The names of the columns become a heading of every chunk: not all of them.
    expect(document.headings[0]?.title.length).toBeLessThan(410);
  });

  it('whose rows would grow too long with the names of their columns is refused before they do', async () => {
    const names = Array.from({ length: 100 }, (_, column) => `${'long name '.repeat(10)}${column}`);
    const row = names.map(() => '1').join(',');
    const before = process.memoryUsage.rss();
    await expect(parse(`${names.join(',')}\n${`${row}\n`.repeat(20_000)}`)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('holds more than 67108864 characters') as string,
    });
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(400);
  });

  it('with quotes that follow no rule is read as it stands, and every row once', async () => {
    const document = await parse(`a,b\n1,2\n"x,3\n${'y,4\n'.repeat(3000)}`);
    expectWellFormed(document);
    expect(document.text.split('\n').slice(0, 4)).toEqual(['a | b', 'a: 1; b: 2', 'a: "x; b: 3', 'a: y; b: 4']);
    expect(document.metadata['rows']).toBe(3002);
    expect(document.places.at(-1)?.label).toBe('row 3003');
  });

  it('of one row, or of rows without content, is what it is', async () => {
    expect((await parse('name,value\n')).text).toBe('column 1: name; column 2: value');
    expect((await parse('\n,\n\u00a0,\nname,value\n,\nAda,1\n')).text).toBe('name | value\nname: Ada; value: 1');
  });
});

describe('the header of a CSV', () => {
  it('is found below what a bank writes above it, and with a delimiter too many', async () => {
    const document = await parse(
      '"Konto:";"DE12";\n\n"Von:";"01.02.2025";\n"Tag";"Empfänger";"Zweck";"Betrag";\n"03.02.2025";"Werke";"Abschlag";"-87,00";\n',
    );
    expectWellFormed(document);
    expect(document.text).toBe(
      'Konto: DE12\nVon: 01.02.2025\nTag | Empfänger | Zweck | Betrag\nTag: 03.02.2025; Empfänger: Werke; Zweck: Abschlag; Betrag: -87,00',
    );
    expect(document.places.map(({ label }) => label)).toEqual(['row 1', 'row 3', 'row 4', 'row 5']);
    expect(document.headings).toMatchObject([{ title: 'Tag | Empfänger | Zweck | Betrag', start: 28 }]);
  });

  it('and its delimiter are found below titles, with and without commas in them', async () => {
    const rows = 'Tag;Empfänger;Betrag;Währung\n03.02.2025;Werke;-87,00;EUR\n14.02.2025;Arzt;-143,20;EUR\n';
    for (const title of ['Umsätze Girokonto\n', 'Umsätze, Filiale 12\nZeitraum;01.02.2025;28.02.2025\n'])
      expect((await parse(`${title}${rows}`)).text).toContain(
        'Tag: 14.02.2025; Empfänger: Arzt; Betrag: -143,20; Währung: EUR',
      );
    const log = await parse('Log v2\nSerial: 77\n\nTime,Temp,Hum\n10:00,20.5,40\n10:05,20.7,41\n');
    expect(log.text).toMatch(/^Log v2\nSerial: 77\nTime \| Temp \| Hum\nTime: 10:00; Temp: 20.5; Hum: 40\n/u);
  });

  it('stays the first row where nothing says otherwise', async () => {
    const text = async (content: string): Promise<string> => (await parse(content)).text;
    expect(await text('id,n,tags\n1,2,x;y;z\n3,4,p;q;r\n5,6,k;l;m\n7,8,k;l;m\n')).toMatch(
      /^id \| n \| tags\nid: 1; n: 2/u,
    );
    expect(await text('Name,Role\nAnn,cook,extra,2020\nBo,baker,more,2021\n')).toMatch(/^Name \| Role\n/u);
    expect(await text('a;b;c\nx;1,5;2,5\ny;2,5;3,5\nz;3,5;4,5\n')).toMatch(/^a \| b \| c\na: x; b: 1,5; c: 2,5/u);
    expect(await text('a,b,c\n1,2,3\n4,5,6\n7,8\n')).toMatch(/^a \| b \| c\na: 1; b: 2; c: 3/u);
    expect(await text('2024-01-01,12.5,ok\n2024-01-02,13.1,ok\n')).toMatch(/^column 1: 2024-01-01; column 2: 12.5/u);
  });
});
