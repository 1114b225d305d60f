// No conflict is told between documents, sections or rows about different things, times or versions; one between documents about the same thing is.
// The cases stand in testkit/conflicts/different-things.jsonl, half of them looked at once.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

interface Case {
  readonly part: 'develop' | 'held-out';
  readonly id: string;
  readonly conflict: boolean;
  readonly ask: string;
  readonly docs: readonly { readonly title: string; readonly text: string }[];
}

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;
let cases: readonly Case[];

beforeAll(async () => {
  const file = resolve(import.meta.dirname, '../../testkit/conflicts/different-things.jsonl');
  cases = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);
  folder = await mkdtemp(join(tmpdir(), 'footnote-different-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
  for (const { id, docs } of cases)
    for (const { title, text } of docs)
      await footnote.documents.add({ title, text, mime: 'text/markdown', source: id, uri: `${id}/${title}` });
  await opened.settle('default');
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

/** Ids of the cases of a part of which a conflict is told though there is none, and of those of which none is told. */
async function mistakesOf(part: Case['part']): Promise<{ readonly false: string[]; readonly missed: string[] }> {
  const mistakes = { false: [] as string[], missed: [] as string[] };
  for (const { id, conflict, ask } of cases.filter((one) => one.part === part)) {
    const told = (await footnote.ask({ question: ask, sources: [id] })).conflicts.length > 0;
    if (told && !conflict) mistakes.false.push(id);
    if (!told && conflict) mistakes.missed.push(id);
  }
  return mistakes;
}

describe('a conflict', () => {
  it('is told where two documents disagree about one thing, and only there', async () => {
    const { false: told, missed } = await mistakesOf('develop');
    expect(told).toEqual([]);
    expect(missed.length, missed.join()).toBeLessThanOrEqual(1);
  });

  it('so it is in cases that were looked at once', async () => {
    const { false: told, missed } = await mistakesOf('held-out');
    expect({ told: told.length, missed: missed.length }).toEqual({ told: 0, missed: 0 });
  });
});
