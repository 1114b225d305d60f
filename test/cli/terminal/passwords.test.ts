import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPasswords } from '../../../src/cli/terminal/passwords.ts';

describe('passwords of files', () => {
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
