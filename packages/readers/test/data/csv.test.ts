import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

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

  it('keeps cells in quotes together where a quote elsewhere follows no rule', async () => {
    const document = await parse(
      'Code,Name,Size\n1,"Adinda, mean",5\n2,"so ""he"" said, twice",6\n3,"half"way,7\n4, "x, y" ,8\n',
    );
    expectWellFormed(document);
    expect(document.text).toBe(
      'Code | Name | Size\nCode: 1; Name: Adinda, mean; Size: 5\nCode: 2; Name: so "he" said, twice; Size: 6\nCode: 3; Name: "half"way; Size: 7\nCode: 4; Name: x, y; Size: 8',
    );
    const inside = await parse('Code,Name\n1,2" pipe\n2,"a\nb"\n');
    expect(inside.text).toBe('Code | Name\nCode: 1; Name: 2" pipe\nCode: 2; Name: a b');
  });

  it('of data frames has a first column without a name, and years for names', async () => {
    const document = await parse('"",weight,diet\n1,62.8,A\n2,62.6,B\n3,60.1,A\n');
    expectWellFormed(document);
    expect(document.text).toBe(
      'weight | diet\n1; weight: 62.8; diet: A\n2; weight: 62.6; diet: B\n3; weight: 60.1; diet: A',
    );
    const years = 'Country,Code,1960,1961\nAruba,ABW,4.82,4.66\nAngola,AGO,7.38,7.39\n';
    expect((await parse(years)).text).toContain('Country: Aruba; Code: ABW; 1960: 4.82; 1961: 4.66');
    // Years among years are values, and a column of anything is none of numbers.
    expect((await parse('Golf,1998,3\nPolo,1999,4\n')).text).toMatch(/^column 1: Golf; column 2: 1998/u);
    expect((await parse(',a,b\n,c,d\n')).text).toMatch(/^column 2: a/u);
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

  it('is none where the first row holds what the rows below hold', async () => {
    const text = async (content: string): Promise<string> => (await parse(content)).text;
    expect(await text('a/b,git,2016-07-20\nc/d,git,2016-08-01\ne/f,hg,2016-08-11\n')).toMatch(
      /^column 1: a\/b; column 2: git; column 3: 2016-07-20\n/u,
    );
    expect(await text('ann@x.org,Ann\nbo@x.org,Bo\ncy@x.org,Cy\n')).toMatch(/^column 1: ann@x\.org; column 2: Ann\n/u);
    expect(await text('main,9dd0c3a4b12\nnext,1aa2b3c4d5e\nlast,77aa2b3c4de\n')).toMatch(/^column 1: main; /u);
    // Days as names, of a series.
    expect(await text('Country,2020-01-22,2020-01-23\nItaly,3,4\nSpain,5,6\n')).toMatch(/^Country \| 2020-01-22 \|/u);
  });

  it.each([
    [
      'name,name,zip\nAda,Brook,00123\nBo,Crane,01230',
      'name | name | zip\nname: Ada; name: Brook; zip: 00123\nname: Bo; name: Crane; zip: 01230',
    ],
    [
      'nom;nom;ville\nAda;Brook;Oslo\nBo;Crane;Rome',
      'nom | nom | ville\nnom: Ada; nom: Brook; ville: Oslo\nnom: Bo; nom: Crane; ville: Rome',
    ],
    [
      'id\tphone\tphone\tdate\n1\t0142\t\t2024-01-02\n2\t0143\t0144\t2024-01-03',
      'id | phone | phone | date\nid: 1; phone: 0142; date: 2024-01-02\nid: 2; phone: 0143; phone: 0144; date: 2024-01-03',
    ],
    [
      'name,,zip\nAda,Brook,00123\nBo,,01230',
      'name | zip\nname: Ada; column 2: Brook; zip: 00123\nname: Bo; zip: 01230',
    ],
  ])('may name columns twice or not at all: %j', async (source, text) => {
    expect((await parse(source)).text).toBe(text);
  });

  it.each(['Ada,Ada,Oslo\nBo,Bo,Rome', 'red,red,blue\ngreen,yellow,blue', '5,5,ok\n6,7,ok'])(
    'is none where the first row may as well be a row: %j',
    async (source) => {
      expect((await parse(source)).text).toMatch(/^column 1: /u);
    },
  );

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
