import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPasswords, withPasswords } from '../../src/cli/passwords.ts';
import { FootnoteError } from '../../src/core/errors.ts';

const locked = (reason: string) => new FootnoteError('invalid-media', 'It is encrypted.', { details: { reason } });

describe('passwords of files', () => {
  it('are tried in turn until one fits', async () => {
    const tried: (string | undefined)[] = [];
    const open = async (password: string | undefined): Promise<string> => {
      tried.push(password);
      if (password !== 'c') throw locked('wrong-password');
      return 'open';
    };
    expect(await withPasswords(['a', 'c', 'd'], open)).toBe('open');
    expect(tried).toEqual(['a', 'c']);
    await expect(withPasswords(['a', 'b'], open)).rejects.toMatchObject({ details: { reason: 'wrong-password' } });
  });

  it('are not tried on a file that has another fault, and none is tried where there is none', async () => {
    const tried: (string | undefined)[] = [];
    const fail = async (password: string | undefined): Promise<never> => {
      tried.push(password);
      throw new FootnoteError('invalid-media', 'It is damaged.');
    };
    await expect(withPasswords(['a', 'b'], fail)).rejects.toThrow('damaged');
    await expect(withPasswords([], fail)).rejects.toThrow('damaged');
    expect(tried).toEqual(['a', undefined]);
  });

  it('come from a file, one on each line, spaces included, those for files of a name first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footnote-passwords-'));
    try {
      const path = join(folder, 'passwords.txt');
      await writeFile(path, '\ufeffæøå\r\n two words \n\n*.pdf\tonly for these\nold/**\tx\ty\nlast');
      const of = await readPasswords({ passwordFile: path });
      expect(of('notes.txt')).toEqual(['æøå', ' two words ', 'last']);
      expect(of('deep/in/a.pdf')).toEqual(['only for these', 'æøå', ' two words ', 'last']);
      expect(of('old/in/a.docx')).toEqual(['x\ty', 'æøå', ' two words ', 'last']);
      expect((await readPasswords({ password: 'given' }))('a.pdf')).toEqual(['given']);
      await writeFile(path, 'x\n'.repeat(101));
      await expect(readPasswords({ passwordFile: path })).rejects.toMatchObject({ code: 'invalid-request' });
      await expect(readPasswords({ passwordFile: folder })).rejects.toThrow('is a folder');
      await expect(readPasswords({ passwordFile: join(folder, 'none') })).rejects.toThrow('there is no such file');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
