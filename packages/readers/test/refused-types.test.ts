// Kinds that are known and not read: told from their bytes or their names, each with what to do about it.
import { describe, expect, it } from 'vitest';
import { formatOfExtension, formatOfMime } from '../src/media-types.ts';
import { privateKeyWarning } from '../src/private-keys.ts';
import { refusedKinds } from '../src/refused-types.ts';
import { sniffMedia } from '../src/registry/sniff.ts';

const bytes = (text: string, zeros = 0): Uint8Array =>
  Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(zeros)]);

describe('the table of kinds that are not read', () => {
  it('shares nothing with the table of those that are, and names nothing twice', () => {
    const extensions = refusedKinds.flatMap((kind) => kind.extensions);
    const mimes = refusedKinds.flatMap((kind) => kind.mimes ?? []);
    expect(new Set(extensions).size).toBe(extensions.length);
    expect(new Set(mimes).size).toBe(mimes.length);
    expect(extensions.filter((one) => formatOfExtension(one) !== undefined)).toEqual([]);
    expect(mimes.filter((one) => formatOfMime(one) !== undefined)).toEqual([]);
  });

  it.each(refusedKinds.map(({ why }) => why))('%s', (why) => {
    expect(why).toMatch(/^(?:is|holds) [^.]+\. [A-Z]|^(?:is|holds) [^.]+(?:not a document|in an index)\.$/u);
  });
});

describe('files of kinds that are not read', () => {
  it.each([
    ['photo.heic', bytes('\0\0\0\x18ftypheic', 60), /HEIC.*JPEG/u, false],
    ['photo.avif', bytes('\0\0\0\x1cftypavif', 60), /JPEG or PNG/u, false],
    ['scan', bytes('AT&TFORM\0\0\0\0DJVM', 40), /DjVu.*PDF/u, false],
    [
      'notes.one',
      Buffer.concat([Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'), Buffer.alloc(99, 1)]),
      /OneNote/u,
      false,
    ],
    ['film.ass', bytes('[Script Info]\nTitle: T\n'), /subtitles.*SRT/u, false],
    ['film', bytes('\xef\xbb\xbf[Script Info]\r\nTitle: T\r\n'), /subtitles.*SRT/u, false],
    ['film.ssa', Buffer.from('\ufeff[Script Info]\n', 'utf16le'), /subtitles.*SRT/u, false],
    ['old.pst', bytes('!BDN', 600), /PST.*mbox/u, false],
    ['a.parquet', bytes('PAR1', 100), /Parquet.*CSV/u, false],
    ['places.db', bytes('SQLite format 3\0', 2000), /SQLite.*CSV/u, false],
    ['book.kfx', bytes('\0\x01\x02\x03', 100), /EPUB/u, false],
    ['book.mobi', bytes(`${'A book'.padEnd(60, '\0')}BOOKMOBI`, 100), /book.*EPUB/u, false],
    ['book', bytes(`${'A book'.padEnd(60, '\0')}BOOKMOBI`, 100), /book.*EPUB/u, false],
    ['old.prc', bytes(`${'A book'.padEnd(60, '\0')}TEXtREAd`, 100), /book.*EPUB/u, false],
    ['book.fb2', bytes('<FictionBook><body/></FictionBook>'), /book.*EPUB/u, false],
    ['book.xml', bytes('<?xml version="1.0"?>\n<FictionBook xmlns="f"><body/></FictionBook>'), /book.*EPUB/u, false],
    ['book.zip.fb2', Buffer.from('\ufeff<?xml version="1.0"?><FictionBook/>', 'utf16le'), /book.*EPUB/u, false],
    ['plan.dxf', bytes('words'), /design program/u, false],
    ['film.mp4', bytes('\0\0\0\x18ftypisom', 60), /no speech recognition: give its subtitles/u, true],
    ['talk.mp3', bytes('\0\x01\x02\x03', 100), /transcript/u, true],
    ['setup.exe', bytes('MZ\x90\0', 200), /program/u, true],
    ['server.key', bytes('-----BEGIN PRIVATE KEY-----\nabc\n'), /keys/u, false],
    ['id_rsa', bytes('-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n'), /keys/u, false],
    ['notes.txt', bytes('-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n'), /keys/u, false],
    [
      'account.json',
      bytes(`{"private_key": "-----BEGIN PRIVATE KEY-----${'MIIE'.repeat(90)}-----END PRIVATE KEY-----"}`),
      /keys/u,
      false,
    ],
    ['a.torrent', bytes('d8:announce30:http://example.org/4:infod4:name1:aee'), /BitTorrent/u, true],
    ['disk.iso', bytes('\0\x01\x02\x03', 100), /disk/u, true],
  ])('%s', async (name, content, why, isNoise) => {
    const error = await sniffMedia({ name, bytes: content }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unsupported-media', message: expect.stringMatching(why) });
    const reason = (error as { details: Record<string, unknown> }).details['reason'];
    expect(reason).toBe(isNoise ? 'unknown-kind' : undefined);
  });

  it('are texts where their name and their bytes say so', async () => {
    expect(await sniffMedia({ name: 'keys.md', bytes: bytes('-----BEGIN CERTIFICATE-----\n') })).toBe('text/markdown');
    expect(await sniffMedia({ name: 'note', bytes: bytes('AT&T formed a committee.') })).toBe('text/plain');
    expect(await sniffMedia({ name: 'a.mp3', bytes: bytes('words') })).toBe('text/plain');
    expect(await sniffMedia({ name: 'plan.dxf', bytes: bytes('words'), mime: 'text/plain' })).toBe('text/plain');
    const shown = `A key looks so: -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n${'Keep yours safe. '.repeat(9)}`;
    expect(await sniffMedia({ name: 'help.txt', bytes: bytes(shown) })).toBe('text/plain');
    expect(privateKeyWarning(shown)).toMatch(/private key.*--exclude/u);
    expect(privateKeyWarning('Keep your private key safe.')).toBeUndefined();
  });
});
