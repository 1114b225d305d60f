// The file that the record of a data folder is, to whoever puts one in its place.
import { open } from 'node:fs/promises';

export const recordName = 'record.sqlite';

/** What was renamed in a folder, or written to a file, outlives a loss of power. */
export async function settleOnDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
