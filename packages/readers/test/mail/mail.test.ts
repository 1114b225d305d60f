import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import type { ParsedDocument } from '../../src/document.ts';
import { unpackRtf } from '../../src/mail/mail-rtf.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const parse = async (name: string, content: string | Uint8Array): Promise<ParsedDocument> => {
  const document = await parseFile({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
  expectWellFormed(document);
  return document;
};
const kinds = ({ text, blocks }: ParsedDocument): string[] =>
  blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);

const head = [
  'From: =?UTF-8?Q?J=C3=B6rg?= <j@a.org>',
  'To: Ann <ann@a.org>, bob@a.org',
  'Subject: =?iso-8859-1?Q?Pr=FCfung?= of the budget',
  'Date: Mon, 6 May 2024 10:00:00 +0200',
  'Message-ID: <1@a.org>',
  'In-Reply-To: <0@a.org>',
  'MIME-Version: 1.0',
];

describe('mail', () => {
  it('is subject, people, date and the plain body with its quotations and signature', async () => {
    const document = await parse(
      'a.eml',
      [
        ...head,
        'Content-Type: text/plain; charset=utf-8',
        '',
        'It is 5,000 €.',
        '',
        'Regards,',
        'Jörg',
        '',
        'On Sunday, Ann <ann@a.org> wrote:',
        '> How much?',
      ].join('\r\n'),
    );
    expect(document.title).toBe('Prüfung of the budget');
    expect(document.publishedAt).toBe('2024-05-06T08:00:00.000Z');
    expect(document.metadata).toMatchObject({
      author: 'Jörg <j@a.org>',
      messageId: '<1@a.org>',
      inReplyTo: '<0@a.org>',
    });
    expect(kinds(document)).toEqual([
      'heading: Prüfung of the budget',
      'record: From: Jörg <j@a.org>\nTo: Ann <ann@a.org>, bob@a.org\nDate: Mon, 6 May 2024 10:00:00 +0200',
      'paragraph: It is 5,000 €.',
      'boilerplate: Regards,\nJörg',
      'boilerplate: On Sunday, Ann <ann@a.org> wrote:\n> How much?',
    ]);
  });

  it('calls attached messages by their subject, made fit for the name of a file', async () => {
    const inner = (subject: string): string =>
      `--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: x@x.org\r\n${subject}\r\n\r\nSubject: not this\r\n`;
    const source =
      [...head, 'Content-Type: multipart/mixed; boundary=b', '', ''].join('\r\n') +
      inner('Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\n =?iso-8859-1?Q?_aus/Ulm?=') +
      inner('subject:') +
      inner('X-Other: none') +
      '--b--\r\n';
    const { attachments } = await parse('a.eml', Buffer.from(source, 'latin1'));
    expect(attachments?.map(({ name }) => name)).toEqual(['Grüße aus Ulm.eml', 'attachment 2.eml', 'attachment 3.eml']);
  });

  it('brings its files, messages among them, and leaves small images out with a warning', async () => {
    const part = (type: string, disposition: string, body: string): string =>
      `--b\r\nContent-Type: ${type}\r\nContent-Disposition: ${disposition}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(body).toString('base64')}\r\n`;
    const inner = `--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: x@x.org\r\nSubject: Inner\r\n\r\nInner text.\r\n`;
    const source =
      [...head, 'Content-Type: multipart/mixed; boundary=b', '', ''].join('\r\n') +
      '--b\r\nContent-Type: text/html; charset=windows-1252\r\n\r\n<h2>Costs</h2><p>See \x93table\x94.</p>\r\n' +
      part('text/csv', 'attachment; filename="a.csv"', 'a,b\n1,2\n') +
      part('image/png', 'inline', 'tiny') +
      inner +
      '--b--\r\n';
    const document = await parse('a.eml', Buffer.from(source, 'latin1'));
    expect(document.attachments?.map(({ name, mime }) => [name, mime])).toEqual([
      ['a.csv', 'text/csv'],
      ['Inner.eml', 'message/rfc822'],
    ]);
    expect(Buffer.from(document.attachments?.[0]?.bytes ?? []).toString()).toBe('a,b\n1,2\n');
    expect(document.warnings).toEqual(['A small image in the text is not read.']);
    expect(document.text).toContain('See “table”.');
    expect(document.text).not.toContain('Inner text');
    expect(document.headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'Prüfung of the budget'],
      [3, 'Costs'],
    ]);
  });

  it('takes the HTML where the plain part only says that there is HTML', async () => {
    const source = [
      ...head,
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      '',
      'Please view in HTML.',
      '--b',
      'Content-Type: text/html',
      '',
      `<p>${'The price is five. '.repeat(20)}</p>`,
      '--b--',
      '',
    ].join('\r\n');
    expect((await parse('a.eml', source)).text).toContain('The price is five.');
  });

  it('is refused where it has no sender, subject or date, or nests without end', async () => {
    await expect(parse('a.eml', 'Just words.\n')).rejects.toMatchObject({ code: 'invalid-media' });
    const nested = Array.from(
      { length: 300 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    );
    await expect(parse('a.eml', `Subject: x\r\n${nested.join('')}`)).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it.each(['r2r-eml.eml', 'markitdown-test_outlook_msg.msg'])('reads %s', async (name) => {
    const path = sharedData('documents', 'office', name);
    if (path === undefined) return;
    const document = await parse(name, readFileSync(path));
    expect(document.title).toBe(name.endsWith('.eml') ? 'Meeting Summary - Q4 Planning' : 'Test Email Message');
    expect(document.publishedAt).toMatch(/^2024-12-/u);
    expect(document.text).toContain(
      name.endsWith('.eml') ? 'Marketing budget approved' : 'This is the body of the test email',
    );
  });

  it('says so where an Outlook message is damaged', async () => {
    const path = sharedData('documents', 'office', 'markitdown-test_outlook_msg.msg');
    if (path === undefined) return;
    const bytes = readFileSync(path);
    for (const length of [600, 3000, 9000]) {
      const outcome = await parseFile({ name: 'a.msg', bytes: bytes.subarray(0, length) }).catch(
        (error: unknown) => error as { code?: string },
      );
      if (!('text' in outcome)) expect(['invalid-media', 'unsupported-media']).toContain(outcome.code);
    }
  });
});

describe('mailboxes', () => {
  const message = (n: number): string =>
    `From a@a.org Mon May  6 10:00:0${n} 2024\nFrom: a@a.org\nSubject: Topic ${n}\nDate: Mon, 6 May 2024 10:00:0${n} +0000\n\nText ${n}.\n>From here on.\n\n`;

  it('have a place for each message, and keep lines that begin with From', async () => {
    const document = await parse(
      'a.mbox',
      `${message(1)}${message(2)}From b@b.org Mon May  6 10:00:00 2024\n\nbroken\n`,
    );
    expect(
      document.places.map(({ label, start, end }) => [label, document.text.slice(start, end).split('\n')[0]]),
    ).toEqual([
      ['message 1', 'Topic 1'],
      ['message 2', 'Topic 2'],
      ['message 3', 'broken'],
    ]);
    expect(document.text).toContain('\nFrom here on.');
    expect(document.metadata).toMatchObject({
      messages: 3,
      firstSent: '2024-05-06T10:00:01.000Z',
      lastSent: '2024-05-06T10:00:02.000Z',
    });
  });

  it('are refused where they hold no message', async () => {
    await expect(parse('a.mbox', 'words\n')).rejects.toMatchObject({ code: 'invalid-media' });
  });
});

describe('compressed RTF', () => {
  // The examples of [MS-OXRTFCP] §3.
  it('unpacks as the specification shows', () => {
    const first =
      '2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c09002062770 5b06c647d0a800fa0'.replaceAll(
        ' ',
        '',
      );
    expect(Buffer.from(unpackRtf(Buffer.from(first, 'hex'), 'a.msg')).toString('latin1')).toBe(
      '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
    );
    const repeated = '1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0';
    expect(Buffer.from(unpackRtf(Buffer.from(repeated, 'hex'), 'a.msg')).toString('latin1')).toBe(
      '{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}',
    );
  });

  it('refuses other bytes and sizes beyond the limit', () => {
    expect(() => unpackRtf(Buffer.from('not compressed at all'), 'a.msg')).toThrowError(
      expect.objectContaining({ code: 'invalid-media' }),
    );
    const huge = Buffer.from('1a000000ffffff7f4c5a4675e2d44b51410004205758595a0d6e7d010eb0', 'hex');
    expect(() => unpackRtf(huge, 'a.msg')).toThrowError(expect.objectContaining({ code: 'too-large' }));
  });
});
