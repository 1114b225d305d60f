// The end of reading: a command that put documents in waits until they are found by meaning, too, and says which stores lack some. An addition: what fails
// here takes nothing back, and is only told of unless it was asked for. Ctrl-C leaves the rest to the next command or the server.
import { toFootnoteError } from '../../core/errors.ts';
import { localScope } from '../../core/scope.ts';
import type { Degradation } from '../../core/search.ts';
import type { OpenedFootnote } from '../../footnote/compose.ts';
import type { Access } from '../remote/access.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { plural } from './render.ts';
import { bringUndelivered, findUndelivered } from './undelivered.ts';

type Progress = NonNullable<NonNullable<Parameters<OpenedFootnote['settle']>[1]>['onProgress']>;

interface SettleVectorsOptions {
  readonly terminal: Terminal;
  /** Whether the model must be the one that this corpus gives (`--wait`); a server that runs does all else by itself. */
  readonly wait: boolean;
}

const redrawEveryMs = 100;

/** A line when learning begins, and where a person looks on how far the vectors are. */
function tellTo(terminal: Terminal): Progress {
  let told = false;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return ({ state, chunks, embedded }) => {
    if (state === 'training' && !told) terminal.note(learning(chunks));
    told ||= state === 'training';
    if (state !== 'embedding' || !terminal.isInteractive || terminal.json) return;
    if (performance.now() - drawnAt < redrawEveryMs) return;
    drawnAt = performance.now();
    terminal.redraw(`Making ${plural(chunks, 'chunk')} ready for search by meaning: ${embedded} done`);
  };
}

const learning = (chunks: number): string =>
  `Learning what words mean from ${chunks.toLocaleString('en')} chunk${chunks === 1 ? '' : 's'} …`;

async function settleVectors(
  { opened, footnote }: Access,
  { terminal, wait }: SettleVectorsOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!opened && !wait) return;
  try {
    if (opened) await opened.settle(localScope().tenant, { exact: wait, onProgress: tellTo(terminal), signal });
    else {
      const chunks = (await footnote.stores.list()).reduce((sum, store) => sum + store.chunks, 0);
      terminal.note(learning(chunks));
      await footnote.stores.sync('embedded', signal);
    }
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (wait || error.code === 'cancelled') throw error;
    terminal.warn(`The documents are found by their words; search by meaning is not ready: ${error.message}`);
  } finally {
    if (terminal.isInteractive && !terminal.json) terminal.redraw('');
  }
}

export interface EndReadingOptions extends SettleVectorsOptions {
  /** What the command has to say, as JSON. */
  readonly value: object;
}

/** Says with the command's result what stores lack; whether they lack nothing is what `--wait` asks for. */
export async function endReading(
  access: Access,
  { value, ...options }: EndReadingOptions,
  signal: AbortSignal,
): Promise<{ readonly isWhole: boolean }> {
  const { opened, footnote } = access;
  const { terminal, wait } = options;
  let degraded: readonly Degradation[] | undefined;
  try {
    await settleVectors(access, options, signal);
    if (!opened && wait) await bringUndelivered(footnote.stores, signal);
    if (opened || wait) degraded = await findUndelivered(footnote.stores);
  } finally {
    terminal.value({ ...value, ...(degraded && { degraded }) });
  }
  for (const { component, detail, effect } of degraded ?? []) terminal.note(`note (${component}): ${detail} ${effect}`);
  return { isWhole: (degraded ?? []).length === 0 };
}
