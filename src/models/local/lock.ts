// `lock.json` in the folder of models: what was fetched or added, from where, at which revision, and what each byte of it has to be. Invariants: whoever
// reads it sees it whole, and of two processes that change it at once neither loses what the other wrote.
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';

/** What a model is for: it writes answers, makes vectors, orders passages, or judges claims. */
export const modelKinds = ['writer', 'encoder', 'order', 'judge'] as const;
export type ModelKind = (typeof modelKinds)[number];

const fileSchema = z.object({ path: z.string(), bytes: z.int().min(0), sha256: z.string() });
const entrySchema = z.object({
  kind: z.enum(modelKinds),
  /** Absent: it was added from this machine. */
  repository: z.string().optional(),
  revision: z.string().optional(),
  license: z.string().optional(),
  addedAt: z.string(),
  lastUsedAt: z.string().optional(),
  /** Of a writer: from this chance on its "Yes" is believed. */
  leastYes: z.number().min(0).max(1).optional(),
  /** How long an answer of it took here. */
  answerMs: z.int().min(0).optional(),
  files: z.array(fileSchema),
});
const lockSchema = z.object({ version: z.literal(1), models: z.record(z.string(), entrySchema) });

export type LockedFile = z.infer<typeof fileSchema>;
export type LockedModel = z.infer<typeof entrySchema>;
export type Lock = Readonly<Record<string, LockedModel>>;

const pathOf = (folder: string): string => join(folder, 'lock.json');
/** Somebody who changes it is done sooner, or has died. */
const staleMs = 10_000;
const usesApartMs = 3_600_000;

/** Empty where nothing was fetched. Throws `config-invalid` for a file that cannot be read. */
export async function readLock(folder: string): Promise<Lock> {
  const path = pathOf(folder);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw toFootnoteError(thrown);
  }
  try {
    return lockSchema.parse(JSON.parse(text)).models;
  } catch (cause) {
    throw new FootnoteError(
      'config-invalid',
      `${path} is damaged or of a newer version. Remove it, and add the models again with "footnote models add".`,
      { cause },
    );
  }
}

/** Throws what reading throws, `conflict` where somebody holds it, `storage-denied`, `storage-full`. */
export async function changeLock(folder: string, change: (lock: Lock) => Lock): Promise<void> {
  const path = pathOf(folder);
  const next = `${path}.next`;
  try {
    // The file that takes its place stands there while somebody writes: one at a time.
    const file = await openAlone(next);
    try {
      const models = change(await readLock(folder));
      await file.writeFile(`${JSON.stringify({ version: 1, models }, undefined, 2)}\n`);
      await file.sync();
      await rename(next, path);
    } catch (thrown) {
      await rm(next, { force: true });
      throw thrown;
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw toFootnoteError(thrown);
  }
}

/** Gives a model its entry. Throws what changing throws. */
export async function lockModel(
  folder: string,
  name: string,
  model: Omit<LockedModel, 'addedAt'>,
): Promise<LockedModel> {
  const entry = { ...model, addedAt: new Date().toISOString() };
  await changeLock(folder, (lock) => ({ ...lock, [name]: entry }));
  return entry;
}

async function openAlone(path: string) {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      return await open(path, 'wx');
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > staleMs) await rm(path, { force: true });
      else await sleep(50);
    }
  }
  throw new FootnoteError('conflict', `Another program is writing ${path}. Try again when it is done.`);
}

/** Remembers that a model was loaded. Never fails: a folder that cannot be written keeps no such times. */
export async function noteUse(folder: string, name: string, now: Date = new Date()): Promise<void> {
  try {
    const { lastUsedAt } = (await readLock(folder))[name] ?? { lastUsedAt: now.toISOString() };
    if (lastUsedAt !== undefined && now.getTime() - Date.parse(lastUsedAt) < usesApartMs) return;
    await changeLock(folder, (lock) => {
      const known = lock[name];
      return known ? { ...lock, [name]: { ...known, lastUsedAt: now.toISOString() } } : lock;
    });
  } catch {
    // Nothing depends on it.
  }
}
