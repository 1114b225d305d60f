// The place where bench/load/load.ts measures: a data folder with the corpus read through the real pipeline, the provider and the server each
// in a process of its own, and what /proc says of the server: processor time, memory, open files.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { createLoadCorpus, type LoadCorpus } from './corpus.ts';
import { type LoadProvider, startLoadProvider } from './provider.ts';

export interface LoadPlace {
  readonly corpus: LoadCorpus;
  readonly documents: number;
  readonly provider: LoadProvider;
  readonly server: ServerProcess;
  /** The data folder. */
  readonly data: string;
  close(): Promise<void>;
}

const seed = 1;

/** `nodeArguments` go to the server. Rejects if the corpus is not read whole. */
export async function openLoadPlace(documents: number, nodeArguments: readonly string[] = []): Promise<LoadPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-bench-load-'));
  const data = join(folder, 'data');
  const corpus = createLoadCorpus(seed, documents);
  try {
    await fill({ folder, data, corpus, documents });
    const provider = await startLoadProvider();
    const server = await startServerProcess(data, {
      nodeArguments,
      environment: {
        MODEL_ANSWER: 'azure:load',
        AZURE_OPENAI_ENDPOINT: provider.address,
        AZURE_OPENAI_API_KEY: 'load',
      },
    });
    return {
      corpus,
      documents,
      provider,
      server,
      data,
      async close() {
        await server.stop();
        await provider.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Filling {
  readonly folder: string;
  readonly data: string;
  readonly corpus: LoadCorpus;
  readonly documents: number;
}

/** Reads the corpus and waits for its vectors: the server is measured at rest. */
async function fill({ folder, data, corpus, documents }: Filling): Promise<void> {
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  const lines = Array.from({ length: documents }, (_, index) => JSON.stringify(corpus.record(index)));
  writeFileSync(join(docs, 'lighthouses.jsonl'), `${lines.join('\n')}\n`);
  const opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: data } }));
  try {
    const { sources } = opened.forScope(localScope());
    await sources.put({ name: 'load', type: 'docs', connector: { kind: 'folder', path: docs } });
    const { state, counts } = await sources.sync('load');
    if (state !== 'done' || counts.chunks !== documents)
      throw new Error(`The corpus was read as ${state} with ${counts.chunks} chunks of ${documents}.`);
    await opened.settle('default');
  } finally {
    await opened.close();
  }
}

const clockTicksPerSecond = 100;

/** Seconds of processor time that a process took so far, all threads. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name, which is in brackets: state, parent, …, user ticks, system ticks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

/** The main thread alone. */
export function loopSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

/** Resident megabytes of 10^6 bytes. */
export function memoryMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
}

export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Looks at a process every 50 ms until it is stopped; `stop` gives the most that was seen. */
export function watchMemory(pid: number): { stop(): number } {
  let most = memoryMbOf(pid);
  const timer = setInterval(() => {
    most = Math.max(most, memoryMbOf(pid));
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(most, memoryMbOf(pid));
    },
  };
}
