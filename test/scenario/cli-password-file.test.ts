// Encrypted files of a folder are opened by a password file that is named once: by ingest, by later syncs and by dry runs; and by none
// of them the words are read in or shown.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockedZip } from '../../packages/readers/testkit/locked-zips.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

const encrypted = sharedData('documents', 'pdf-encrypted');
const words = 'nope\nissue6010*\tæøå\nopenpassword\n';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'docs'));
  await writeFile(join(place.folder, 'docs', 'words.txt'), words);
  await writeFile(join(place.folder, 'docs', 'notes.md'), '# Notes\n\nThe depot stores 42 barrels of tar.\n');
});
afterAll(() => place.remove());

const passwordFile = ['--password-file', 'docs/words.txt'];

describe('a password file in a folder', () => {
  it('is no document, in a dry run nor in the run nor when it is to be forgotten', async () => {
    const looked = await place.run(['ingest', 'docs', ...passwordFile, '--dry-run', '--json']);
    expect(looked.json().previews[0].counts).toMatchObject({ found: 1, done: 1 });
    const read = await place.run(['ingest', 'docs', ...passwordFile, '--json']);
    expect(read.json().ingestions[0].counts).toMatchObject({ found: 1, done: 1, failed: 0 });
    const again = await place.run(['sync', '--json']);
    expect(again.json().ingestions[0].counts).toMatchObject({ found: 1, unchanged: 1 });
    const refused = await place.run(['sync', '--no-password-file']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Move it away first') });
    expect(read.out + read.err + again.out + again.err).not.toContain('openpassword');
  }, 60_000);

  it('opens a single archive, each file in it by the word that fits, as the dry run foretold', async () => {
    await writeFile(join(place.folder, 'mixed.zip'), lockedZip('mixed'));
    await writeFile(join(place.folder, 'two.txt'), 'other\nsesame\n');
    const words = ['--password-file', 'two.txt', '--json'];
    const looked = await place.run(['ingest', 'mixed.zip', ...words, '--dry-run']);
    expect(looked.json().previews[0].counts).toMatchObject({ found: 3, done: 3, failed: 0 });
    const read = await place.run(['ingest', 'mixed.zip', ...words]);
    expect(read.json().files[0].documents).toHaveLength(3);
    expect(JSON.stringify(read.json())).not.toContain('encrypted');
    const without = await place.run(['ingest', 'mixed.zip', '--uri', 'again.zip', '--json']);
    expect(without.json().files[0].documents[0].warnings).toEqual([
      expect.stringMatching(/minutes\.md: It is encrypted: a password is needed/),
      expect.stringMatching(/vault\.txt: It is encrypted: a password is needed/),
    ]);
  }, 60_000);

  it('that cannot be read costs nothing, and is named', async () => {
    const nowhere = await place.run(['sync', '--password-file', 'nowhere.txt']);
    expect(nowhere).toMatchObject({
      code: 2,
      err: expect.stringContaining('nowhere.txt cannot be read: there is no such'),
    });
    const only = await place.run(['ingest', 'docs/words.txt', ...passwordFile]);
    expect(only).toMatchObject({ code: 2, err: expect.stringContaining('Only the password file is named') });
  }, 60_000);

  it.skipIf(encrypted === undefined)(
    'opens what comes in later',
    async () => {
      for (const name of ['libreoffice-writer-password.pdf', 'issue6010_2.pdf'])
        await copyFile(join(encrypted ?? '', name), join(place.folder, 'docs', name));
      const read = await place.run(['sync', '--report', 'outcome.jsonl', '--json']);
      expect(read.json().ingestions[0].counts).toMatchObject({ done: 2, unchanged: 1, failed: 0 });
      expect(await readFile(join(place.folder, 'outcome.jsonl'), 'utf8')).not.toContain('openpassword');
      // Elsewhere, and of other words.
      await rm(join(place.folder, 'docs', 'words.txt'));
      await rm(join(place.folder, 'docs', 'notes.md'));
      await writeFile(join(place.folder, 'other.txt'), 'wrong\n');
      await copyFile(join(encrypted ?? '', 'issue3371.pdf'), join(place.folder, 'docs', 'late.pdf'));
      const late = await place.run(['sync', '--password-file', 'other.txt']);
      expect(late.code).toBe(1);
      expect(late.out).toContain('the password given does not open it. Check the password.');
      await writeFile(join(place.folder, 'other.txt'), '*.pdf\tELXRTQWS\n');
      const opened = await place.run(['sync', '--json']);
      const [{ counts, failedFiles }] = opened.json().ingestions;
      expect(failedFiles).toEqual([]);
      expect(counts).toMatchObject({ done: 1, unchanged: 2 });
    },
    90_000,
  );
});
