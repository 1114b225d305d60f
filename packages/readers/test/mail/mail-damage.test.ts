// Mail as it arrives: flowed text, parts that nothing parts, mailboxes of one message, and files without a name.
import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { unflowed } from '../../src/mail/mail-flowed.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { sniffMedia } from '../../src/registry/sniff.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const head = ['From: A <a@a.org>', 'Subject: S', 'Date: Mon, 6 May 2024 10:00:00 +0000', 'MIME-Version: 1.0'];
const parse = async (name: string, ...lines: readonly string[]): Promise<ParsedDocument> => {
  const document = await parseFile({ name, bytes: Buffer.from(lines.join('\r\n')) });
  expectWellFormed(document);
  return document;
};
const bodyOf = ({ text }: ParsedDocument): string => text.slice(text.indexOf('\n\n', text.indexOf('+0000')) + 2);

describe('flowed text', () => {
  it('is put together again, in quotations by their depth', async () => {
    const document = await parse(
      'a.eml',
      ...head,
      'Content-Type: text/plain; charset=utf-8; format=flowed',
      '',
      'The crane lifts ',
      'five tons – no more.',
      '',
      '> How much does ',
      '> it lift?',
      '>> And the ',
      '>> old one?',
      ' > is no quotation',
      '-- ',
      'Ann',
    );
    expect(bodyOf(document)).toBe(
      'The crane lifts five tons – no more.\n\n> How much does it lift?\n>> And the old one?\n> is no quotation\n-- \nAnn',
    );
  });

  it('loses the spaces of its line ends where the message says so', () => {
    expect(unflowed('日本 \n語 \n\nend', true)).toBe('日本語\nend');
    expect(unflowed('> 日本 \n> 語', true)).toBe('> 日本語');
    expect(unflowed('a \n> b \nc', false)).toBe('a \n> b \nc');
  });
});

describe('messages of several parts', () => {
  const parts = ['--x1', 'Content-Type: text/plain', '', 'The tide is low.', '--x1'];
  const file = ['Content-Type: text/csv; name=a.csv', 'Content-Disposition: attachment', '', 'a,b', '--x1--', ''];

  it.each([
    ['no', 'multipart/mixed'],
    ['another', 'multipart/mixed; boundary=y2'],
  ])('are read where their head names %s line that parts them', async (_, type) => {
    const document = await parse('a.eml', ...head, `Content-Type: ${type}`, '', ...parts, ...file);
    expect(bodyOf(document)).toBe('The tide is low.');
    expect(document.attachments?.map(({ name }) => name)).toEqual(['a.csv']);
  });

  it('are read where the line that parts them begins with dashes of its own', async () => {
    const dashed = [...parts, ...file].map((line) => line.replace(/^--x1/u, '------=_Next.x1'));
    const document = await parse('a.eml', ...head, 'Content-Type: multipart/mixed', '', ...dashed);
    expect(bodyOf(document)).toBe('The tide is low.');
    expect(document.attachments?.map(({ name }) => name)).toEqual(['a.csv']);
  });

  it('are text where nothing parts them, whatever a signature looks like', async () => {
    const signed = ['Low water at noon.', '', '--Ann', 'Phone: 1', ''];
    expect(bodyOf(await parse('b.eml', ...head, 'Content-Type: multipart/mixed', '', ...signed))).toBe(
      'Low water at noon.\n\n--Ann\nPhone: 1',
    );
    const document = await parse('a.eml', ...head, 'Content-Type: multipart/mixed; boundary=y', '', 'Words alone.', '');
    expect(bodyOf(document)).toBe('Words alone.');
  });

  it('of a page that says two bytes a character are read by their bytes', async () => {
    const page = '<html><head><meta charset="unicode"></head><body>Grüße aus Köln</body></html>';
    const lines = [...head, 'Content-Type: text/html', '', page].join('\r\n');
    const document = await parseFile({ name: 'a.eml', bytes: Buffer.from(lines, 'latin1') });
    expect(bodyOf(document)).toBe('Grüße aus Köln');
  });

  it('whose type is no type are plain text', async () => {
    expect(bodyOf(await parse('a.eml', ...head, 'Content-Type: text', '', 'Words.'))).toBe('Words.');
  });

  it('name files that have no name by their kind', async () => {
    const document = await parse(
      'a.eml',
      ...head,
      'Content-Type: multipart/report; boundary=b',
      '',
      ...['--b', '', 'It came back.', '--b', 'Content-Type: message/delivery-status', '', 'Status: 5.1.1'],
      ...['--b', 'Content-Type: application/pdf', '', '%PDF-1.4', '--b--'],
    );
    expect(document.attachments?.map(({ name }) => name)).toEqual(['delivery status.txt', 'attachment 2.pdf']);
  });
});

it('is read behind blank lines', async () => {
  expect(bodyOf(await parse('a.eml', '', ' ', ...head, '', 'Words.'))).toBe('Words.');
});

it('keeps files that were put into the text before MIME (uuencode) as the text that they are', async () => {
  const encoded = ['begin 644 hello.txt', String.raw`,:&5L;&\@=V]R;&0*`, '`', 'end'];
  const document = await parse('a.eml', ...head, '', 'Here it is.', '', ...encoded, '', 'Ann');
  expect(bodyOf(document)).toBe(['Here it is.', '', ...encoded, '', 'Ann'].join('\n'));
  expect(document.attachments).toBeUndefined();
});

describe('mailboxes', () => {
  it.each([
    ['without the line that begins a message', []],
    ['whose line that begins a message has no date', ['From - ']],
  ])('of one message are read %s', async (_, line) => {
    const document = await parse('a.mbox', ...line, ...head, '', 'The tide is low.');
    expect(document.text).toContain('The tide is low.');
    expect(document.places.map(({ label }) => label)).toEqual(['message 1']);
  });

  it('leave out what was deleted in them, and say so', async () => {
    const message = (status: string, words: string): string[] => [
      'From - Mon May  6 10:00:00 2024',
      `X-Mozilla-Status: ${status}`,
      ...head,
      '',
      words,
      '',
    ];
    const document = await parse(
      'Inbox',
      ...message('0001', 'Kept.'),
      ...message('0009', 'Gone.'),
      ...message('0000', 'New.'),
    );
    expect(document.mime).toBe('application/mbox');
    expect(document.places.map(({ label }) => label)).toEqual(['message 1', 'message 3']);
    expect(document.text).not.toContain('Gone.');
    expect(document.metadata).toMatchObject({ messages: 2 });
    expect(document.warnings).toEqual([expect.stringContaining('1 message that was deleted')]);
    await expect(parse('Trash', ...message('0009', 'Gone.'))).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('only 1 that was deleted'),
    });
  });

  it('of other text are refused', async () => {
    await expect(parse('a.mbox', 'Just words.', 'From here on.')).rejects.toMatchObject({ code: 'invalid-media' });
  });
});

describe('messages in folders of a mail server', () => {
  it.each([
    ['1382298770.003117:2,S', ['Return-path: <a@a.org>', 'Envelope-to: b@b.org', 'Delivery-date: Wed, 18 Nov 2009']],
    ['cur/17', ['Content-Type: text/plain', 'DKIM-Signature: v=1;', '\ta=rsa', 'Subject:\tTide']],
    ['cur/18', ['From: a@a.org', 'Cc: b@b.org', 'References: <1@a.org>']],
  ])('are told by their head: %s', async (name, lines) => {
    expect(await sniffMedia({ name, bytes: Buffer.from([...lines, '', 'Words.'].join('\n')) })).toBe('message/rfc822');
  });

  it('are not taken for what only looks like it', async () => {
    const notes = 'Subject: tides\nFrom: memory\n\nNotes of May.';
    expect(await sniffMedia({ name: 'notes', bytes: Buffer.from(notes) })).toBe('text/plain');
  });
});
