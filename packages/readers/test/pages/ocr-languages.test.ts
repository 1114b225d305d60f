// Models of other languages: from where they are read, and what is said where they cannot be. The model that comes with the program
// stands in for another language under its name; what real German and French pages give is told in docs/documents.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { pictureOf } from '../../testkit/picture-fixture.ts';

const packed = readFileSync(
  join(
    dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
    '4.0.0_best_int/eng.traineddata.gz',
  ),
);
const folders: string[] = [];
const folderOf = (files: Readonly<Record<string, Uint8Array>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-ocr-languages-'));
  folders.push(folder);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return folder;
};

let picture: Uint8Array;
const read = (languages: string, folder?: string): Promise<ParsedDocument> =>
  parseFile({ name: 'a.png', bytes: picture, recognition: { languages, ...(folder !== undefined && { folder }) } });

beforeAll(async () => {
  picture = await pictureOf(['The harbour master keeps a ledger', 'of every vessel that comes in.']);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('text in other languages', { timeout: 60_000 }, () => {
  it('is read with the unpacked model of a folder, alone and with the one of the program', async () => {
    const folder = folderOf({ 'deu.traineddata': gunzipSync(packed) });
    expect((await read('deu', folder)).text).toContain('harbour master');
    expect((await read('eng + deu', folder)).text).toContain('every vessel');
  });

  it('is read with packed models of a folder, as npm has them', async () => {
    const folder = folderOf({ 'deu.traineddata.gz': packed, 'fra.traineddata.gz': packed });
    expect((await read('deu+fra', folder)).text).toContain('harbour master');
    // The engine takes packed models from one place only.
    await expect(read('eng+deu', folder)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(`gunzip ${join(folder, 'deu.traineddata.gz')}`) as string,
    });
  });

  it('is refused where a model is missing, or cannot be used, at once and every time', async () => {
    const empty = folderOf({});
    for (const [languages, folder, said] of [
      ['spa', undefined, 'OCR_FOLDER is not set'],
      ['eng+spa', empty, `${empty} has no model for it`],
      ['spa', join(empty, 'nowhere'), 'has no model for it'],
    ] as const)
      await expect(read(languages, folder)).rejects.toMatchObject({
        code: 'config-invalid',
        message: expect.stringMatching(new RegExp(`^Text in spa .*${said}.*Put spa.traineddata into`, 'u')) as string,
      });
    const whole = gunzipSync(packed);
    for (const bytes of [whole.subarray(0, 100_000), whole.subarray(0, 20), new TextEncoder().encode('no model')]) {
      const broken = folderOf({ 'deu.traineddata': bytes });
      await expect(read('deu', broken)).rejects.toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining('deu.traineddata is no whole model') as string,
      });
    }
    const cut = folderOf({ 'deu.traineddata.gz': packed.subarray(0, 50_000) });
    for (let time = 0; time < 2; time++)
      await expect(read('deu', cut)).rejects.toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining(`the models in ${cut} cannot be used`) as string,
      });
  });
});
