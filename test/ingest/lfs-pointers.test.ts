// Pointers of Git LFS are no documents, however they come in: the run names the file and says what to do. What only speaks of them is a document.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { zipFile } from '../../packages/readers/testkit/zip-file.ts';
import { type FolderRun, openFolderRun } from '../../testkit/folder-run.ts';

const pointer = (size = 123_456, version = 'https://git-lfs.github.com/spec/v1'): string =>
  `version ${version}\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize ${size}\n`;

let place: FolderRun;
beforeEach(async () => {
  place = await openFolderRun();
});
afterEach(() => place.close());

it('are told of by name in a folder and in an archive, whatever they are called, and the text before them stays', async () => {
  const spoken = `# Pointers\n\nA pointer of Git LFS looks so:\n\n${pointer()}`;
  const names = ['handbook.md', 'data.jsonl', 'table.csv', 'scan.pdf', 'page.html', 'letter.docx', 'old.txt'];
  await place.write('handbook.md', '# Handbook\n\nThe mast is 12 metres tall.\n');
  await place.write('spoken.md', spoken);
  await place.sync();
  for (const name of names) await place.write(name, pointer());
  await place.write('crlf.md', pointer().replaceAll('\n', '\r\n'));
  await place.write('hawser.md', pointer(7, 'https://hawser.github.com/spec/v1'));
  await place.write('extended.md', pointer().replace('oid', 'ext-0-foo sha256:bbbb\noid'));
  await place.write('film.mp4', pointer());
  await place.write('box.zip', zipFile([{ name: 'inner.md', content: pointer() }]));
  const { files } = await place.sync();
  for (const name of [...names, 'crlf.md', 'hawser.md', 'extended.md', 'box.zip/inner.md']) {
    expect(files.get(name)?.error, name).toMatchObject({ code: 'invalid-media', reason: 'lfs-pointer' });
    expect(files.get(name)?.error?.message, name).toContain('git lfs pull');
  }
  expect(files.get('film.mp4')?.error).toMatchObject({ code: 'unsupported-media' });
  expect(await place.uris()).toEqual(['handbook.md', 'spoken.md']);
  const [{ id = '' } = {}] = (await place.record.documents.list({ limit: 1 })).data;
  expect(await place.record.documents.text(id)).toContain('12 metres');
});

it('are refused where they are handed over, as a file or as a text', async () => {
  const refused = { code: 'invalid-media', details: { reason: 'lfs-pointer' } };
  const bytes = new TextEncoder().encode(pointer());
  await expect(place.pipeline.addDocument({ bytes, name: 'a.md' })).rejects.toMatchObject(refused);
  await expect(place.pipeline.addDocument({ text: pointer() })).rejects.toMatchObject(refused);
});
