// Exports of conversations in a folder that is read: found, and left out of its source with what says the same.
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findFolderExports, withoutExports } from '../../../src/cli/terminal/folder-exports.ts';
import type { Source } from '../../../src/core/document.ts';

it('finds exports at the top and unpacked, and nothing that is a document', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-folder-exports-'));
  try {
    const conversations = JSON.stringify([
      { conversation_id: 'c', mapping: { r: { id: 'r', message: null, parent: null, children: [] } } },
    ]);
    mkdirSync(join(folder, 'my [export]'));
    writeFileSync(join(folder, 'my [export]', 'conversations.json'), conversations);
    writeFileSync(join(folder, 'my [export]', 'chat.html'), '<p>the same</p>');
    writeFileSync(join(folder, 'conversations.json'), '{"talks": ["a plain file of that name"]}');
    writeFileSync(join(folder, 'notes.md'), '# Notes');
    const found = await findFolderExports(folder);
    expect(found.files).toEqual([join(folder, 'my [export]', 'conversations.json')]);
    expect(found.exclude).toContain('my ?export?/conversations.json');
    expect(found.exclude).toContain('my ?export?/chat.html');
    const source: Source = { name: 'f', type: 'docs', connector: { kind: 'folder', path: folder, exclude: ['*.tmp'] } };
    expect(withoutExports(source, found).connector).toMatchObject({
      exclude: expect.arrayContaining(['*.tmp', 'my ?export?/chat.html']),
    });
    expect(withoutExports(source, { files: [], exclude: [] })).toBe(source);
  } finally {
    await rm(folder, { recursive: true });
  }
});
