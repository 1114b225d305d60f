// Watches a folder with all folders in it, one watch for each: the system loses events of deep watches in a burst. Invariant: an event is a
// hint that something may have changed, never what changed; and what cannot be watched is read by its schedule all the same.
import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { neverRead } from '../../ingest/connectors/walk.ts';

export interface FolderWatch {
  close(): void;
}

/** A system allows some ten thousand watches to all programs of a person. */
const mostFolders = 5000;
/** Programs write in several steps. */
const settleMs = 200;

export function watchFolder(root: string, onChange: () => void): FolderWatch {
  const watched = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void lookAround().finally(() => {
        if (!isClosed) onChange();
      });
    }, settleMs);
    timer.unref();
  };

  function drop(folder: string): void {
    watched.get(folder)?.close();
    watched.delete(folder);
  }

  function add(folder: string): void {
    if (isClosed || watched.has(folder) || watched.size >= mostFolders) return;
    try {
      const watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', () => {
        drop(folder);
        changed();
      });
      watched.set(folder, watcher);
    } catch {
      // It is gone, or the system allows no more.
    }
  }

  /** Watches what is there now and nothing else. */
  async function lookAround(): Promise<void> {
    const found = new Set<string>();
    const pending = [root];
    for (let folder = pending.pop(); folder !== undefined && found.size < mostFolders; folder = pending.pop()) {
      found.add(folder);
      add(folder);
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries)
        if (entry.isDirectory() && !neverRead(entry.name)) pending.push(join(folder, entry.name));
    }
    for (const folder of watched.keys()) if (!found.has(folder)) drop(folder);
  }

  void lookAround();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const folder of [...watched.keys()]) drop(folder);
    },
  };
}
