import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const parse = async (name: string, content: string | Uint8Array): Promise<ParsedDocument> => {
  const document = await parseFile({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
  expectWellFormed(document);
  return document;
};
const card = (...lines: readonly string[]): string => `BEGIN:VCARD\r\n${lines.join('\r\n')}\r\nEND:VCARD\r\n`;

describe('contacts', () => {
  it('are records under their names, by which they are cited', async () => {
    const document = await parse(
      'people.vcf',
      card(
        'VERSION:3.0',
        'N:Doe;Jane;;Dr.;',
        'FN:Dr. Jane Doe',
        'ORG:Acme\\, Inc.;Research',
        'TEL;TYPE=WORK,VOICE:+1 555 0100',
        'item1.EMAIL;TYPE=INTERNET:jane@acme.org',
        'item1.X-ABLabel:_$!<Assistant>!$_',
        'ADR;TYPE=home:;;1 Main St.;Spring',
        ' field;IL;62701;USA',
        'BDAY:19850412',
        'NOTE:Prefers mail\\; never call.\\nMet in Oslo.',
        'PHOTO;ENCODING=b;TYPE=JPEG:AAAA',
        ' BBBB',
        'UID:1-2-3',
      ) +
        card('VERSION:4.0', 'FN:John Roe', 'TEL;VALUE=uri;TYPE="cell,voice":tel:+49-30-1', 'X-SPOUSE:Mia Roe') +
        card('VERSION:4.0', 'FN:John Roe', 'EMAIL:second@roe.org'),
    );
    expect(document.text).toBe(
      [
        'Dr. Jane Doe',
        [
          'Organisation: Acme, Inc., Research',
          'Phone (work): +1 555 0100',
          'Email (assistant): jane@acme.org',
          'Address (home): 1 Main St., Springfield, IL, 62701, USA',
          'Birthday: 1985-04-12',
          'Note: Prefers mail; never call. Met in Oslo.',
        ].join('\n'),
        'John Roe',
        'Phone (cell): +49-30-1\nSpouse: Mia Roe',
        'John Roe',
        'Email: second@roe.org',
      ].join('\n\n'),
    );
    expect(document.places.map(({ label }) => label)).toEqual(['Dr. Jane Doe', 'John Roe', 'John Roe (2)']);
    expect(document.metadata).toEqual({ contacts: 3 });
  });

  it('of version 2.1 are read in quoted-printable, with the character set of the line', async () => {
    const document = await parse(
      'old.vcf',
      card(
        'VERSION:2.1',
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;',
        'TEL;CELL;PREF:0171 1',
        'NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Gr=FC=',
        '=DFe aus K=F6ln=0D=0AZweite Zeile',
      ),
    );
    expect(document.text).toBe('Jörg Müller\n\nPhone (cell): 0171 1\nNote: Grüße aus Köln Zweite Zeile');
    expect(document.title).toBe('Jörg Müller');
  });

  it('keep lines whose parameters break the rules', async () => {
    const document = await parse(
      'a.vcf',
      card('FN:Ann', 'TEL;FAX,WORK:+1 555 0100', 'EMAIL;;TYPE=home;:ann@a.org', 'NOTE of mine: none', 'NOTE;'),
    );
    expect(document.text).toBe('Ann\n\nPhone (fax, work): +1 555 0100\nEmail (home): ann@a.org');
    const quoted = await parse('b.vcf', card('FN:Ann', 'NOTE;;ENCODING=QUOTED-PRINTABLE:gr=C3=BCn'));
    expect(quoted.text).toBe('Ann\n\nNote: grün');
  });

  it.each([
    ['behind an empty one', ';', ','],
    ['of a type', ';TYPE=a', ',a'],
  ])('are read however many parameters a line has: %s', async (_, first, more) => {
    const document = await parse('a.vcf', card('FN:Ann', `TEL${first}${more.repeat(1_000_000)}:1`));
    expect(document.text).toMatch(/^Ann\n\nPhone.*: 1$/u);
  });

  it('are told by their bytes, named by what they have, and refused where there are none', async () => {
    expect((await parse('export', card('ORG:Acme', 'TEL:1'))).text).toBe('Acme\n\nOrganisation: Acme\nPhone: 1');
    await expect(parse('a.vcf', 'words\n')).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(parse('a.vcf', card('VERSION:3.0'))).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('take linear time, however lines are folded', async () => {
    const folded = `NOTE:${' x\r\n'.repeat(200_000)}`;
    const nested = 'BEGIN:VCARD\r\n'.repeat(20_000);
    const document = await parse('a.vcf', card('FN:Long', folded) + nested);
    expect(document.places.map(({ label }) => label)).toEqual(['Long']);
  });
});
