import { describe, expect, it } from 'vitest';
import { requireSoundCompound } from '../../src/containers/mail-compound.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { messageOf, properties, type Tree, text } from '../../testkit/outlook-fixture.ts';
import { pictureOf } from '../../testkit/picture-fixture.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const message = {
  '__properties_version1.0': properties(32),
  '__substg1.0_0037001F': text('Prüfung'),
  '__substg1.0_0C1A001F': text('Ann Lee'),
  '__substg1.0_0C1F001F': text('ann@a.org'),
  '__substg1.0_007D001F': text('Date: Mon, 6 May 2024 10:00:00 +0200\r\nIn-Reply-To: <0@a.org>\r\n'),
  '__substg1.0_1000001F': text('It is 5.\r\n\r\nRegards,\r\nAnn\r\n'),
  '__attach_version1.0_#00000000': {
    '__properties_version1.0': properties(8),
    '__substg1.0_37010102': Buffer.from('a,b\n1,2\n'),
    '__substg1.0_3707001F': text('table.csv'),
  },
};

describe('Outlook messages', () => {
  it('that are signed are read from the part that was signed', async () => {
    const { '__substg1.0_1000001F': _, '__attach_version1.0_#00000000': file, ...rest } = message;
    const part = 'Content-Type: text/csv; name=b.csv\r\nContent-Disposition: attachment; filename=b.csv\r\n\r\na,b\r\n';
    const signed = `MIME-Version: 1.0\r\nContent-Type: multipart/signed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nSigned words.\r\n--c\r\n${part}--c--\r\n--b--\r\n`;
    const bytes = messageOf({
      ...rest,
      '__substg1.0_001A001F': text('IPM.Note.SMIME.MultipartSigned'),
      '__attach_version1.0_#00000000': {
        ...file,
        '__substg1.0_37010102': Buffer.from(signed),
        '__substg1.0_3707001F': text('smime.p7m'),
      },
    });
    const document = await parseFile({ name: 'a.msg', bytes });
    expectWellFormed(document);
    expect(document.text).toMatch(/Attachments: b\.csv\n\nSigned words\.$/u);
    expect(document).toMatchObject({ metadata: { signed: 'S/MIME' }, warnings: [] });
  });

  it('that are encrypted keep their head and say so', async () => {
    const { '__substg1.0_1000001F': _, '__attach_version1.0_#00000000': file, ...rest } = message;
    const sealed = {
      ...rest,
      '__substg1.0_001A001F': text('IPM.Note.SMIME'),
      '__attach_version1.0_#00000000': { ...file, '__substg1.0_3707001F': text('smime.p7m') },
    };
    const document = await parseFile({ name: 'a.msg', bytes: messageOf(sealed) });
    expect(document.text).toBe('Prüfung\n\nFrom: Ann Lee <ann@a.org>\nDate: Mon, 6 May 2024 10:00:00 +0200');
    expect(document.metadata).toMatchObject({ encrypted: 'S/MIME' });
    expect(document.attachments).toBeUndefined();
    const opened = { ...message, '__substg1.0_001A001F': text('IPM.Note.SMIME') };
    expect((await parseFile({ name: 'a.msg', bytes: messageOf(opened) })).warnings).toEqual([]);
  });

  it('show the text of their pictures, in HTML where they stand and behind plain text', async () => {
    const picture = Buffer.concat([await pictureOf(['The harbour fee is 340 euros a night.']), Buffer.alloc(20_000)]);
    const { '__substg1.0_1000001F': _, ...rest } = message;
    const shown = {
      '__properties_version1.0': properties(8),
      '__substg1.0_37010102': picture,
      '__substg1.0_3707001F': text('image001.png'),
      '__substg1.0_3712001F': text('image001.png@01D'),
    };
    const of = async (body: Tree) => {
      const document = await parseFile({
        name: 'a.msg',
        bytes: messageOf({ ...rest, ...body, '__attach_version1.0_#00000000': shown }),
      });
      expectWellFormed(document);
      expect(document.attachments).toBeUndefined();
      return document.text.slice(document.text.indexOf('See'));
    };
    const read = 'Text in the picture (OCR):\n\nThe harbour fee is 340 euros a night.';
    const html = Buffer.from('<p>See <img src="cid:image001.png@01D"> now.</p>');
    expect(await of({ '__substg1.0_10130102': html })).toBe(`See\n\n${read}\n\nnow.`);
    const plain = text('See [cid:image001.png@01D] now.');
    expect(await of({ '__substg1.0_1000001F': plain })).toBe(`See [cid:image001.png@01D] now.\n\n${read}`);
  });

  it('are read as mail is, with their files', async () => {
    const document = await parseFile({ name: 'a.msg', bytes: messageOf(message) });
    expectWellFormed(document);
    expect(document).toMatchObject({
      title: 'Prüfung',
      metadata: { author: 'Ann Lee <ann@a.org>', inReplyTo: '<0@a.org>' },
    });
    expect(document.text).toContain(
      'From: Ann Lee <ann@a.org>\nDate: Mon, 6 May 2024 10:00:00 +0200\nAttachments: table.csv',
    );
    expect(document.blocks.at(-1)?.kind).toBe('boilerplate');
    expect(document.attachments?.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['table.csv', 'a,b\n1,2\n'],
    ]);
  });

  it('have the text of their formatted body where there is no other', async () => {
    // The example of [MS-OXRTFCP] §3.1.
    const rtf = Buffer.from(
      '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
      'hex',
    );
    const { '__substg1.0_1000001F': _, ...rest } = message;
    const document = await parseFile({ name: 'a.msg', bytes: messageOf({ ...rest, '__substg1.0_10090102': rtf }) });
    expect(document.text).toContain('hello world');
  });

  it('are refused before they are read where a chain of sectors goes in a circle', () => {
    const long = { ...message, '__substg1.0_1000001F': text('words '.repeat(2000)) };
    const bytes = Buffer.from(messageOf(long));
    expect(() => requireSoundCompound(bytes, 'a.msg')).not.toThrow();
    const table = (bytes.readUInt32LE(76) + 1) * 512;
    const inChain = Array.from({ length: 128 }, (_, sector) => sector).filter(
      (sector) => bytes.readUInt32LE(table + sector * 4) === sector + 1,
    );
    expect(inChain.length).toBeGreaterThan(10);
    for (const sector of inChain) {
      const circle = Buffer.from(bytes);
      circle.writeUInt32LE(sector, table + sector * 4);
      expect(() => requireSoundCompound(circle, 'a.msg')).toThrowError(/circle/u);
    }
  });

  it('are refused where the directory leads back or out', () => {
    const bytes = Buffer.from(messageOf(message));
    const directory = (bytes.readUInt32LE(48) + 1) * 512;
    for (const next of [0, 5000]) {
      const spoilt = Buffer.from(bytes);
      spoilt.writeUInt32LE(next, directory + 76);
      expect(() => requireSoundCompound(spoilt, 'a.msg')).toThrowError(
        expect.objectContaining({ code: 'invalid-media' }),
      );
    }
  });
});
