// Footnote as people run it, over a data folder that is thrown away, with the stand-ins that a measurement names and an embedding model
// whose vectors are as long as those of OpenAI's small one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { type OpenedFootnote, openFootnote } from '../../src/footnote/compose.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { openWordEmbeddings } from '../../testkit/word-embeddings.ts';
import type { BenchGoal, BenchInput, BenchTable } from '../report.ts';
import { type StandInName, type StandInProcess, startStandIn } from './stand-ins.ts';

export interface Measured {
  readonly metrics: BenchInput['metrics'];
  readonly goals: readonly BenchGoal[];
  readonly tables: readonly BenchTable[];
  readonly notes: readonly string[];
}

export interface Place {
  readonly standIns: ReadonlyMap<StandInName, StandInProcess>;
  standIn(name: StandInName): StandInProcess;
  opened(): OpenedFootnote;
  footnote(): Footnote;
  /** As a process does that starts over the same data: nothing is known of the stores. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

const dimensions = 1536;

export async function openPlace(
  names: readonly StandInName[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-bench-stores-'));
  const embeddings = await openWordEmbeddings({ dimensions });
  const standIns = new Map<StandInName, StandInProcess>();
  for (const name of names) standIns.set(name, await startStandIn(name));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    AZURE_OPENAI_ENDPOINT: embeddings.address.replace('/v1', ''),
    AZURE_OPENAI_API_KEY: 'key-of-the-bench',
    MODEL_EMBED: 'azure:words',
    MODEL_ANSWER: 'none',
    ...Object.assign({}, ...[...standIns.values()].map((one) => one.environment)),
    ...settings,
  };
  const open = () => openFootnote(loadConfig({ folder, environment }));
  let opened = await open();
  return {
    standIns,
    standIn(name) {
      const one = standIns.get(name);
      if (!one) throw new Error(`There is no stand-in of ${name} here.`);
      return one;
    },
    opened: () => opened,
    footnote: () => opened.forScope(localScope()),
    async reopen() {
      await opened.close();
      opened = await open();
    },
    async close() {
      await opened.close();
      await embeddings.close();
      for (const one of standIns.values()) await one.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const syllables = ['bar', 'ken', 'lo', 'mis', 'ter', 'van', 'dro', 'pel', 'shi', 'gor', 'una', 'wex'];
const wordOf = (seed: number): string =>
  [seed, seed * 7 + 3, seed * 13 + 5].map((one) => syllables[Math.floor(one) % syllables.length]).join('');

/** A text of so many words, another for each number. */
export function textOf(number: number, words: number): string {
  const sentences: string[] = [];
  for (let at = 0; at < words; at += 12)
    sentences.push(
      `The ${Array.from({ length: 11 }, (_, place) => wordOf((number * 31 + at * 17 + place * place * 5) % 1511)).join(' ')}.`,
    );
  return `Document ${number}.\n\n${sentences.join(' ')}`;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Of this process, so far. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
