// footnote eval from-trace: an answer that was given becomes a question of a suite, which has the documents that it was read from beside it.

import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { ReadTurn } from '../../../core/archive.ts';
import { asAbsent, FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import type { SavedTrace } from '../../../core/trace-file.ts';
import { defined } from '../../../core/values/defined.ts';
import type { Footnote } from '../../../footnote/facade.ts';
import { plural } from '../../render/render.ts';
import { toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

interface Row {
  readonly id?: unknown;
  readonly _id?: unknown;
  readonly conversation_id?: unknown;
  readonly turn_id?: unknown;
}

/** The rows of a file of JSONL, none where there is no such file. */
async function rowsOf(path: string): Promise<readonly Row[]> {
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, at) => {
    try {
      return JSON.parse(line) as Row;
    } catch (error) {
      throw new FootnoteError('invalid-request', `${path}:${at + 1} is not JSON. Nothing was added.`, { cause: error });
    }
  });
}

const append = async (path: string, rows: readonly object[]): Promise<void> => {
  try {
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  } catch (error) {
    throw toFootnoteError(error);
  }
};

/** Whether documents are put beside the cases: not where somebody has their own there. */
async function placeOf(
  folder: string,
): Promise<{ readonly path: string; readonly has: ReadonlySet<unknown> } | undefined> {
  const own = ['suite.json', 'docs', 'corpus.jsonl.gz'].some((name) => existsSync(join(folder, name)));
  const path = join(folder, 'corpus.jsonl');
  const ids = (await rowsOf(path)).map(({ _id }) => _id);
  if (own || ids.some((id) => !/^(?:doc|wsp)_/u.test(String(id)))) return undefined;
  return { path, has: new Set(ids) };
}

/** Each as it stands in the record; one that was deleted since is left out. */
async function documentsOf(footnote: Footnote, ids: readonly string[]) {
  const read = await Promise.all(
    ids.map(async (id) => {
      const [document, whole] = await Promise.all([
        footnote.documents.get(id).catch(asAbsent),
        footnote.documents.text(id).catch(asAbsent),
      ]);
      return document && whole ? [{ _id: id, title: document.title, text: whole.text }] : [];
    }),
  );
  return read.flat();
}

/** Files that came with the request are kept nowhere else: the passages that were found of them. */
async function filesOf({ events }: SavedTrace, ids: readonly string[]) {
  const [{ rowsIn }, { isOfWorkspace }] = await Promise.all([
    import('../../../footnote/report/trace-facts.ts'),
    import('../../../footnote/sources/workspace.ts'),
  ]);
  const rows = [...rowsIn(events).values()].filter(isOfWorkspace);
  return ids.flatMap((id) => {
    const own = rows.filter(({ document }) => document.id === id);
    const passages = own.toSorted((one, other) => one.chunk.ordinal - other.chunk.ordinal);
    const [first] = passages;
    return first
      ? [{ _id: id, title: first.document.title, text: passages.map(({ chunk }) => chunk.text).join('\n\n') }]
      : [];
  });
}

/** Of a question for which nothing was found, so that it is asked of something. */
const mostOtherTurns = 50;

/** Turns that a request saw of past conversations, as the record has them, else as the trace has them; one that was deleted is left out. */
async function turnsOf(footnote: Footnote, saved: SavedTrace): Promise<readonly ReadTurn[]> {
  const [{ turnsSeen }, { readTurn }] = await Promise.all([
    import('../../../evals/suite/from-trace.ts'),
    import('../../../footnote/evals/read-turn.ts'),
  ]);
  const { conversations } = footnote;
  const { read, shown } = turnsSeen(saved);
  const kept = await Promise.all([
    ...read.map(async (one) => (await readTurn(conversations, one)) ?? one),
    ...shown.map((one) => readTurn(conversations, one)),
  ]);
  const found = kept.filter((turn) => turn !== undefined);
  if (saved.trace.kind !== 'chat' || found.length > 0) return found;
  const others: ReadTurn[] = [];
  for (const { conversation_id: id } of (await conversations.list({ limit: mostOtherTurns })).data) {
    others.push(...(await conversations.turns(id, { limit: mostOtherTurns - others.length })).data);
    if (others.length >= mostOtherTurns) break;
  }
  return others;
}

/** Adds the turns that are not there yet, as "footnote import jsonl" reads them; how many they are. */
async function addTurns(folder: string, turns: readonly ReadTurn[]): Promise<number> {
  const { conversationsFile } = await import('../../../evals/suite/suite.ts');
  const path = join(folder, conversationsFile);
  const nameOf = ({ conversation_id, turn_id }: Row): string => JSON.stringify([conversation_id, turn_id]);
  const has = new Set((await rowsOf(path)).map(nameOf));
  const fresh = turns.filter((turn) => !has.has(nameOf(turn)));
  const inTime = fresh.toSorted((one, other) => (one.timestamp ?? '').localeCompare(other.timestamp ?? ''));
  const rows = inTime.flatMap(({ conversation_id, turn_id, title, timestamp: of, messages }) =>
    messages.map(({ role, author, text, timestamp = of }) =>
      defined({ conversation_id, turn_id, role, author, text, timestamp, title }),
    ),
  );
  if (rows.length > 0) await append(path, rows);
  return fresh.length;
}

/** Documents that a question for which nothing was found is asked of, so that it is asked of something. */
const mostOthers = 50;

async function othersOf(footnote: Footnote): Promise<readonly string[]> {
  const [{ data }, { bundledSource }] = await Promise.all([
    footnote.documents.list({ limit: mostOthers }),
    import('../../../footnote/record/bundled.ts'),
  ]);
  return data.flatMap(({ id, source }) => (source === bundledSource ? [] : [id]));
}

export function addFromTraceCommand(evals: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = evals
    .command('from-trace')
    .description('Make a case of a suite from a request: its question, its answer and what it cited')
    .argument('<trace>', 'id of the trace, or of its answer')
    .option(
      '-o, --out <file>',
      'append it there, as a line of JSONL, and what was read for it to corpus.jsonl and conversations.jsonl beside; default: print it',
    )
    .addHelpText(
      'after',
      `
Examples:
  footnote eval from-trace ans_93a1… --out suite/cases.jsonl && footnote eval run suite --gate
  footnote eval from-trace trc_5f0c…`,
    );
  command.action(async (id: string, { out }: { out?: string }) => {
    const { caseFromTrace, readFor } = await import('../../../evals/suite/from-trace.ts');
    await cli.withData(command, { needsData: true }, async ({ footnote }) => {
      const saved = await footnote.traces.get(id);
      const made = { ...caseFromTrace(saved), given: true };
      if (out === undefined) {
        terminal.value(made);
        terminal.line(JSON.stringify(made));
        return;
      }
      if ((await rowsOf(out)).some((row) => row.id === made.id))
        throw new FootnoteError('conflict', `${out} has a case ${made.id} already. Nothing was added.`);
      const place = await placeOf(dirname(out));
      const read = readFor(saved);
      const isChat = saved.trace.kind === 'chat';
      const isBare = !isChat && place?.has.size === 0 && read.length === 0;
      const wanted = place ? (isBare ? await othersOf(footnote) : read).filter((one) => !place.has.has(one)) : [];
      const kept = await documentsOf(footnote, wanted);
      const gone = wanted.filter((one) => !kept.some(({ _id }) => _id === one));
      const documents = [...kept, ...(await filesOf(saved, gone))];
      if (place && documents.length > 0) await append(place.path, documents);
      const turns = await addTurns(dirname(out), await turnsOf(footnote, saved));
      await append(out, [made]);
      terminal.value({ ...made, documents: documents.map(({ _id }) => _id), turns });
      const put = [
        ...(documents.length > 0 ? [plural(documents.length, 'document')] : []),
        ...(turns > 0 ? [plural(turns, 'turn')] : []),
      ];
      const beside = put.length > 0 ? `, and ${put.join(' and ')} beside it` : '';
      terminal.line(
        `Case ${made.id} added to ${toPrintable(out)}${beside}. Read it once: it says what was answered, not what is right.`,
      );
      if (documents.length < wanted.length)
        terminal.warn(`${plural(wanted.length - documents.length, 'document')} that it was read from are gone.`);
    });
  });
}
