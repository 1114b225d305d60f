// Notes about two presses, to be compared: the price of one and the years of both can be found.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const notes = {
  'arnold.md':
    '# Arnold press\n\nThe Arnold press was made from 1911 on. The price of the Arnold press is 900 crowns.\n',
  'bendix.md': '# Bendix press\n\nThe Bendix press was made from 1934 on. It prints on both sides.\n',
};

/** Writes them into `folder`, which is made. */
export async function writePressNotes(folder: string): Promise<void> {
  await mkdir(folder);
  for (const [name, text] of Object.entries(notes)) await writeFile(join(folder, name), text);
}
