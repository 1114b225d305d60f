// An import that is killed at any moment and repeated leaves exactly one copy of every turn, in the record and in the index, with the words that
// the export has; also where the export has changed and grown in between.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { createRandom, type Random } from '../../testkit/history.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';

const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_123);
/** Folders, each of which is killed ten times. */
const rounds = long ? 10 : 1;
const killsOfRound = 10;
/** An import that was done before its kill came does not count, and is tried again with the next edition of the export. */
const triesOfRound = 6 * killsOfRound;
const conversationsCount = 60;
const turnsOf = 20;
const script = join(import.meta.dirname, 'archive-import-child.ts');

const words = ['harbour', 'copper', 'river', 'lantern', 'meadow', 'cobalt', 'ferry', 'orchard'];
const textOf = (conversation: number, turn: number, edition: number): string =>
  `Turn ${turn} of talk ${conversation} speaks of the ${words[(conversation + turn) % words.length]}, edition ${edition}. ${'It goes on for a while. '.repeat(8)}`;

/** Later editions have a turn more in each conversation, and another text in every fifth. */
function exportOf(edition: number): string {
  const lines: string[] = [];
  for (let conversation = 0; conversation < conversationsCount; conversation += 1)
    for (let turn = 0; turn < turnsOf + edition; turn += 1)
      lines.push(
        JSON.stringify({
          conversation_id: `c${conversation}`,
          turn_id: `c${conversation}-t${turn}`,
          role: 'user',
          text: textOf(conversation, turn, turn % 5 === 0 ? edition : 0),
          timestamp: new Date(Date.UTC(2024, conversation % 12, 1, turn)).toISOString(),
        }),
      );
  return `${lines.join('\n')}\n`;
}

/** Kills the child while it opens, while it reads, or behind its last word; true if it was done before. */
async function importAndKill(folder: string, path: string, random: Random | undefined): Promise<string> {
  const child = spawn(process.execPath, [script, folder, path], { stdio: ['ignore', 'pipe', 'pipe'] });
  const whileOpening = random !== undefined && random.next() < 0.2;
  const progress = random?.below(4) ?? 0;
  const momentMs = (random?.next() ?? 0) * 60;
  let output = '';
  let complaint = '';
  let timer = whileOpening ? setTimeout(() => child.kill('SIGKILL'), 50 + momentMs * 10) : undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (random && output.includes('READY') && output.split('TURNS').length > progress)
      timer ??= setTimeout(() => child.kill('SIGKILL'), momentMs);
  });
  await new Promise<void>((resolve, reject) => child.on('error', reject).on('close', () => resolve()));
  clearTimeout(timer);
  expect(complaint).toBe('');
  return output;
}

/** What is there, by its id, as often as it is there. */
async function stored(folder: string) {
  const opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: folder } }));
  try {
    const { conversations } = opened.forScope(localScope());
    const found: [string, string][] = [];
    for (let conversation = 0; conversation < conversationsCount; conversation += 1) {
      let cursor: string | undefined;
      do {
        const page = await conversations
          .turns(`c${conversation}`, { limit: 100, ...(cursor !== undefined && { cursor }) })
          .catch(() => ({ data: [], nextCursor: undefined }));
        for (const { turn_id, messages } of page.data) found.push([turn_id, messages.map(({ text }) => text).join()]);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    }
    const counts = new Map<string, number>();
    for (const word of words)
      counts.set(word, (await conversations.peek({ query: word, top_n_snippets: 0 })).total.hits);
    return { found, counts, problems: await opened.check() };
  } finally {
    await opened.close();
  }
}

/** The same turns under other ids or twice would be told here. */
function expectExactly(edition: number, { found, counts, problems }: Awaited<ReturnType<typeof stored>>): void {
  expect(problems).toEqual([]);
  const wanted = new Map<string, string>();
  const byWord = new Map(words.map((word) => [word, 0]));
  for (let conversation = 0; conversation < conversationsCount; conversation += 1)
    for (let turn = 0; turn < turnsOf + edition; turn += 1) {
      wanted.set(`c${conversation}-t${turn}`, textOf(conversation, turn, turn % 5 === 0 ? edition : 0));
      const word = words[(conversation + turn) % words.length] ?? '';
      byWord.set(word, (byWord.get(word) ?? 0) + 1);
    }
  expect(found).toHaveLength(wanted.size);
  expect(found.filter(([id, text]) => wanted.get(id) !== text)).toEqual([]);
  expect([...counts]).toEqual([...byWord]);
}

describe('an import that is killed and repeated', () => {
  it.each(Array.from({ length: rounds }, (_, round) => round))(
    `leaves one copy of every turn after ${killsOfRound} kills (folder %i)`,
    async (round) => {
      const random = createRandom(seed + round);
      const folder = mkdtempSync(join(tmpdir(), 'footnote-import-kill-'));
      const path = join(folder, 'export.jsonl');
      let [killed, edition] = [0, 0];
      try {
        for (let tries = 0; killed < killsOfRound && tries < triesOfRound; tries += 1) {
          writeFileSync(path, exportOf(edition));
          const output = await importAndKill(folder, path, random);
          if (!output.includes('DONE')) killed += 1;
          // What is killed again and again is left half done; what is done goes on with the next edition.
          if (output.includes('DONE') || random.next() < 0.2) edition += 1;
          // Never twice, also before it is whole.
          const { found } = await stored(folder);
          expect(new Set(found.map(([id]) => id)).size).toBe(found.length);
        }
        writeFileSync(path, exportOf(edition));
        expect(await importAndKill(folder, path, undefined)).toContain('DONE');
        expectExactly(edition, await stored(folder));
        // Once more changes nothing.
        expect(await importAndKill(folder, path, undefined)).toMatch(/"created":0,"updated":0/u);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      expect(killed).toBe(killsOfRound);
    },
  );
});
