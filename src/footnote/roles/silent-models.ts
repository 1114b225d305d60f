// Which models were silent lately, kept in the data folder: each command is a process of its own, and would else wait as long as the one before it.
// Invariant: it is a hint. What cannot be read or written is forgotten, and no more than names, counts and times are in it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/ids.ts';
import type { SilenceMemory } from '../../models/calls/watch.ts';

const fileName = 'silent-models.json';
/** A model that was silent longer ago has its whole time again. */
const keptMs = 15 * 60_000;
const mostModels = 50;

const fileSchema = z.record(z.string(), z.object({ silences: z.int().min(1).max(100), at: z.iso.datetime() }));
type Silent = z.infer<typeof fileSchema>;

export function openSilentModels(folder: string, { now }: Pick<Clock, 'now'>): SilenceMemory {
  const path = join(folder, fileName);
  const read = (): Silent => {
    try {
      const known = fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
      const nowMs = Date.parse(now());
      const isFresh = (at: string): boolean => Math.abs(nowMs - Date.parse(at)) <= keptMs;
      return known.success ? Object.fromEntries(Object.entries(known.data).filter(([, { at }]) => isFresh(at))) : {};
    } catch {
      return {};
    }
  };
  return {
    of: (model) => read()[model]?.silences ?? 0,
    note(model, silences) {
      const { [model]: _, ...others } = read();
      const next: Silent =
        silences > 0 ? { ...others, [model]: { silences: Math.min(100, silences), at: now() } } : others;
      try {
        if (Object.keys(next).length === 0) rmSync(path, { force: true });
        else if (Object.keys(next).length <= mostModels) writeFileSync(path, JSON.stringify(next), { mode: 0o600 });
      } catch {
        // The next command waits as long as this one did.
      }
    },
  };
}
