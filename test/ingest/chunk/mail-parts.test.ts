// What mail programs get wrong or wrap up: encodings that are not declared, encrypted and signed messages, invitations, threads, winmail.dat.

import { parseFile } from '@footnote/readers/registry/registry';
import { describe, expect, it } from 'vitest';
import { expectWellFormed } from '../../../packages/readers/testkit/well-formed.ts';
import type { ParsedDocument } from '../../../src/core/document.ts';
import { overlapOf } from '../../../src/core/documents/fingerprint.ts';
import { cutFile } from '../../../src/ingest/read/cut.ts';

const parse = async (name: string, content: string | Uint8Array): Promise<ParsedDocument> => {
  const document = await parseFile({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
  expectWellFormed(document);
  return document;
};
const head = ['From: A <a@a.org>', 'Subject: S', 'Date: Mon, 6 May 2024 10:00:00 +0000', 'MIME-Version: 1.0'];
const latin1 = (...lines: readonly string[]): Uint8Array => Buffer.from([...head, ...lines].join('\r\n'), 'latin1');
const bodyOf = ({ text }: ParsedDocument): string => text.slice(text.lastIndexOf('\n\n') + 2);

describe('encodings of mail', () => {
  const utf8 = Buffer.from('Grüße aus Köln').toString('latin1');
  it.each([
    ['none, and the bytes are Latin', 'text/plain', 'Gr\xfc\xdfe aus \x93K\xf6ln\x94', 'Grüße aus “Köln”'],
    ['none, and the bytes are UTF-8', 'text/plain', utf8, 'Grüße aus Köln'],
    ['ASCII, and the bytes are UTF-8', 'text/plain; charset=us-ascii', utf8, 'Grüße aus Köln'],
    ['Latin, and the bytes are UTF-8', 'text/plain; charset=iso-8859-1', utf8, 'Grüße aus Köln'],
    ['an unknown one', 'text/plain; charset=x-unknown', utf8, 'Grüße aus Köln'],
    ['Latin, truly', 'text/plain; charset=iso-8859-15', 'Preis: 5 \xa4', 'Preis: 5 €'],
    ['UTF-7', 'text/plain; charset=utf-7', 'Gr+APwA3w-e +- mehr', 'Grüße + mehr'],
    ['none, but the HTML says it', 'text/html', '<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['GB 2312', 'text/plain; charset=gb2312', '\xbb\xe1\xd2\xe9', '会议'],
  ])('%s', async (_, type, body, expected) => {
    expect(bodyOf(await parse('a.eml', latin1(`Content-Type: ${type}`, '', body, '')))).toBe(expected);
  });
});

describe('protected mail', () => {
  const base64 = (body: string): string => Buffer.from(body).toString('base64');

  it('that is encrypted keeps its head and says why there is no more', async () => {
    const smime = await parse(
      'a.eml',
      latin1(
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
        'Content-Transfer-Encoding: base64',
        '',
        base64('\u0030\u0080secret'),
      ),
    );
    expect(smime.text).toBe('S\n\nFrom: A <a@a.org>\nDate: Mon, 6 May 2024 10:00:00 +0000');
    expect(smime.metadata).toMatchObject({ encrypted: 'S/MIME' });
    expect(smime.warnings).toEqual([expect.stringContaining('encrypted (S/MIME): only its head is read. Open it')]);
    expect(smime.attachments).toBeUndefined();
    const pgp = await parse(
      'a.eml',
      latin1(
        'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
        '',
        '--b',
        'Content-Type: application/pgp-encrypted',
        '',
        'Version: 1',
        '--b',
        'Content-Type: application/octet-stream; name=encrypted.asc',
        '',
        '-----BEGIN PGP MESSAGE-----',
        '--b--',
      ),
    );
    expect(pgp.metadata).toMatchObject({ encrypted: 'PGP' });
    expect(pgp.attachments).toBeUndefined();
  });

  it('that is signed is read, and its signature is no attached file', async () => {
    const signed = await parse(
      'a.eml',
      latin1(
        'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary=b',
        '',
        '--b',
        '',
        'Signed words.',
        '--b',
        'Content-Type: application/pkcs7-signature; name=smime.p7s',
        'Content-Transfer-Encoding: base64',
        '',
        base64('signature'),
        '--b--',
      ),
    );
    expect(bodyOf(signed)).toBe('Signed words.');
    expect(signed.metadata).toMatchObject({ signed: 'S/MIME' });
    expect(signed.metadata).not.toHaveProperty('attachments');
    expect(signed.warnings).toEqual([]);
  });

  /** BER by hand: definite lengths, or indefinite ones with the string in parts, as openssl writes it. */
  const element = (tag: number, content: Buffer, isOpen = false): Buffer =>
    isOpen
      ? Buffer.concat([Buffer.from([tag, 0x80]), content, Buffer.alloc(2)])
      : Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
  const identifier = (last: number): Buffer => Buffer.from(`06092a864886f70d0107${`0${last}`.slice(-2)}`, 'hex');
  const sealed = (content: Buffer, isOpen: boolean): Buffer => {
    const string = isOpen
      ? element(
          0x24,
          Buffer.concat([element(0x04, content.subarray(0, 40)), element(0x04, content.subarray(40))]),
          true,
        )
      : element(0x04, content);
    const inner = element(0x30, Buffer.concat([identifier(1), element(0xa0, string, isOpen)]), isOpen);
    const signed = element(0x30, Buffer.concat([Buffer.from('0201013100', 'hex'), inner]), isOpen);
    return element(0x30, Buffer.concat([identifier(2), element(0xa0, signed, isOpen)]), isOpen);
  };
  const entity = Buffer.from('Content-Type: text/plain; charset=utf-8\r\n\r\nThe bid is 12 million euros – final.\r\n');
  const sealedMail = (body: Buffer): Uint8Array =>
    latin1(
      'Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m',
      'Content-Transfer-Encoding: base64',
      '',
      body.toString('base64'),
    );

  it.each([false, true])('that lies inside its signature is read (indefinite lengths: %s)', async (isOpen) => {
    const document = await parse('a.eml', sealedMail(sealed(entity, isOpen)));
    expect(bodyOf(document)).toBe('The bid is 12 million euros – final.');
    expect(document.metadata).toMatchObject({ signed: 'S/MIME' });
    expect(document.metadata).not.toHaveProperty('attachments');
    expect(document.warnings).toEqual([]);
  });

  it('that lies inside a damaged signature says so', async () => {
    const whole = sealed(entity, true);
    for (let cut = 3; cut < 60; cut += 7) {
      const document = await parse('a.eml', sealedMail(whole.subarray(0, cut)));
      expect(document.warnings).toEqual([
        expect.stringContaining('lies inside its signature (S/MIME) and is not read'),
      ]);
    }
    const nested = Buffer.concat(Array.from({ length: 5000 }, () => Buffer.from([0x30, 0x80])));
    expect((await parse('a.eml', sealedMail(nested))).warnings).toHaveLength(1);
  });

  it('armoured in the text stays in the text, in no chunk', async () => {
    const document = await parse(
      'a.eml',
      latin1(
        '',
        'See below.',
        '',
        '-----BEGIN PGP MESSAGE-----',
        '',
        'hQEMA',
        '-----END PGP MESSAGE-----',
        '',
        'After.',
      ),
    );
    const kinds = document.blocks.map(({ kind, start, end }) => `${kind}: ${document.text.slice(start, end)}`);
    expect(kinds.slice(2)).toEqual([
      'paragraph: See below.',
      'boilerplate: -----BEGIN PGP MESSAGE-----',
      'boilerplate: hQEMA\n-----END PGP MESSAGE-----',
      'paragraph: After.',
    ]);
    expect(document.warnings).toEqual(['A part of the message is encrypted (PGP) and cannot be searched.']);
  });
});

describe('EMLX', () => {
  it('is the message without what Apple Mail writes around it', async () => {
    const whole = Buffer.from(latin1('', 'Words of the message.', ''));
    const around = Buffer.concat([
      Buffer.from(`${whole.length}      \n`),
      whole,
      Buffer.from('<?xml version="1.0"?><plist/>'),
    ]);
    expect((await parse('1234.emlx', around)).text).toMatch(/Words of the message\.$/u);
  });
});

describe('threads and invitations', () => {
  it('name the message that the thread began with', async () => {
    const thread = async (...lines: readonly string[]): Promise<unknown> =>
      (await parse('a.eml', latin1('Message-ID: <3@a>', ...lines, '', 'Text.'))).metadata['thread'];
    expect(await thread('References: <1@a>\r\n <2@a>', 'In-Reply-To: <2@a>')).toBe('<1@a>');
    expect(await thread('In-Reply-To: <2@a>')).toBe('<2@a>');
    expect(await thread()).toBe('<3@a>');
  });

  it('bring an invitation once, by its name', async () => {
    const invitation = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\nEND:VEVENT\r\nEND:VCALENDAR';
    const document = await parse(
      'a.eml',
      latin1(
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        'Content-Type: multipart/alternative; boundary=b',
        '',
        '--b',
        '',
        'You are invited.',
        '--b',
        'Content-Type: text/calendar; method=REQUEST',
        '',
        invitation,
        '--b--',
        '--m',
        'Content-Type: application/ics; name=review.ics',
        'Content-Disposition: attachment; filename=review.ics',
        '',
        invitation,
        '--m--',
      ),
    );
    expect(document.attachments?.map(({ name }) => name)).toEqual(['review.ics']);
  });
});

describe('two mails between the same people', () => {
  const fingerprint = async (...lines: readonly string[]) => {
    const bytes = latin1(
      'To: Bob Lindqvist <bob.lindqvist@example.org>',
      'Cc: The whole sales team <sales@example.org>',
      ...lines,
    );
    const plan = { chunking: { maxTokens: 200, overlapTokens: 0, minTokens: 1 }, documentId: 'd', name: 'a.eml' };
    return (await cutFile({ name: 'a.eml', bytes }, plan)).fingerprint;
  };

  it('are near duplicates only where they say the same', async () => {
    const lease = await fingerprint(
      '',
      'The lease ends in June and the deposit of 500 euros is paid back within ten days.',
    );
    const fair = await fingerprint(
      '',
      'The fair was well visited, we need more brochures of the hand pump by Friday noon.',
    );
    const again = await fingerprint(
      '',
      'The lease ends in June and the deposit of 500 euros is paid back within ten days. Thanks!',
    );
    expect(overlapOf(lease, fair).containment).toBeLessThan(0.2);
    expect(overlapOf(lease, again).containment).toBeGreaterThan(0.8);
  });
});

describe('winmail.dat', () => {
  const attribute = (level: number, id: number, data: Buffer): Buffer => {
    const start = Buffer.alloc(9);
    start.writeUInt8(level, 0);
    start.writeUInt32LE(id, 1);
    start.writeUInt32LE(data.length, 5);
    return Buffer.concat([start, data, Buffer.alloc(2)]);
  };
  const property = (id: number, type: number, value: Buffer): Buffer => {
    const start = Buffer.alloc(12);
    start.writeUInt16LE(type, 0);
    start.writeUInt16LE(id, 2);
    start.writeUInt32LE(1, 4);
    start.writeUInt32LE(value.length, 8);
    return Buffer.concat([start, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
  };
  const list = (...properties: readonly Buffer[]): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32LE(properties.length);
    return Buffer.concat([count, ...properties]);
  };
  const number = Buffer.from('0300170001000000', 'hex');
  const packed = (...attributes: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.from('789f3e220100', 'hex'), ...attributes]);
  const whole = packed(
    attribute(1, 0x00018004, Buffer.from('Offer\0')),
    attribute(
      1,
      0x00069003,
      list(number, property(0x1000, 0x1f, Buffer.from('The price is 5 € a piece.\0', 'utf16le'))),
    ),
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from('OFFER~1.CSV\0')),
    attribute(2, 0x0006800f, Buffer.from('a,b\n1,2\n')),
    attribute(2, 0x00069005, list(number, property(0x3707, 0x1e, Buffer.from('offer 2024.csv\0')))),
  );

  it('is the text of the message and its files', async () => {
    const document = await parse('winmail.dat', whole);
    expect(document.text).toBe('Offer\n\nAttachments: offer 2024.csv\n\nThe price is 5 € a piece.');
    expect(document.attachments?.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['offer 2024.csv', 'a,b\n1,2\n'],
    ]);
  });

  it('is read in the code page that it names', async () => {
    const page = Buffer.alloc(8);
    page.writeUInt32LE(1253);
    const greek = Buffer.from('d9ecdde3e100', 'hex');
    const file = [attribute(2, 0x00069002, Buffer.alloc(14)), attribute(2, 0x0006800f, Buffer.from('x'))];
    const document = await parse(
      'winmail.dat',
      packed(attribute(1, 0x00069007, page), attribute(1, 0x00018004, greek), ...file, attribute(2, 0x00018010, greek)),
    );
    expect(document.text).toBe('Ωμέγα\n\nAttachments: Ωμέγα');
  });

  it('ends in a document or a reason, wherever it is cut and whatever is changed', async () => {
    for (let at = 1; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      for (const bytes of [whole.subarray(0, at), changed]) {
        const outcome = await parseFile({ name: 'winmail.dat', bytes }).catch((error: unknown) => error);
        if (!(outcome instanceof Error)) continue;
        expect(['invalid-media', 'unsupported-media']).toContain((outcome as { code?: string }).code);
      }
    }
  });
});
