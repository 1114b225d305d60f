// Exports of conversations that lie in a folder which is to be read: they go to the archive, and the folder's source leaves them out.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Source } from '../../core/document.ts';
import { tellExport } from '../../footnote/told-export.ts';

export interface FolderExports {
  /** Absolute. */
  readonly files: readonly string[];
  /** What the source leaves out: the exports, and what comes beside `conversations.json` and says the same. */
  readonly exclude: readonly string[];
}

/** Downloads lie at the top of a folder, or unpacked in one of their own. */
const mostDepth = 2;
const mostEntries = 5_000;
const beside = [
  'chat.html',
  'message_feedback.json',
  'user.json',
  'users.json',
  'model_comparisons.json',
  'shared_conversations.json',
];

export async function findFolderExports(folder: string): Promise<FolderExports> {
  const files: string[] = [];
  const exclude: string[] = [];
  let entries = 0;
  const leaveOut = (path: string): void => void exclude.push(relative(folder, path).replace(/[*?[\]{}()!+@\\]/gu, '?'));
  async function look(place: string, depth: number): Promise<void> {
    // What cannot be read is told by whoever reads the folder.
    const found = await readdir(place, { withFileTypes: true }).catch(() => []);
    for (const entry of found) {
      entries += 1;
      if (entries > mostEntries) return;
      const path = join(place, entry.name);
      if (entry.isDirectory() && depth < mostDepth && !/^(?:\.|node_modules$)/u.test(entry.name))
        await look(path, depth + 1);
      if (!entry.isFile() || !/^conversations(?:-\d+)?\.json$|\.zip$/iu.test(entry.name)) continue;
      if ((await tellExport(path)) === undefined) continue;
      files.push(path);
      leaveOut(path);
      if (basename(path).endsWith('.json')) for (const name of beside) leaveOut(join(dirname(path), name));
    }
  }
  await look(folder, 0);
  return { files, exclude: [...new Set(exclude)] };
}

/** The source of the folder without the exports in it. */
export function withoutExports(source: Source, { exclude }: FolderExports): Source {
  const { connector } = source;
  if (exclude.length === 0 || connector?.kind !== 'folder') return source;
  return { ...source, connector: { ...connector, exclude: [...new Set([...(connector.exclude ?? []), ...exclude])] } };
}
