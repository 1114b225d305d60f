// What bench/engine/engine.ts asks of every engine that it measures, and how packages of others are found. Invariant: an engine is
// known by the numbers of its texts alone, so that all of them can be fed, searched and compared in one way.
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface MeasuredEngine {
  /** Texts for one call of `add`: what this engine takes in best. */
  readonly batch: number;
  /** Indexes texts `first`, `first + 1` …; every call is durable where the engine can be. */
  add(first: number, texts: readonly string[]): Promise<void>;
  /** Everything is indexed: seal, merge, flush. */
  finish(): Promise<void>;
  /** The best `hitLimit`, best first, as the engine gives them. */
  search(text: string): Promise<readonly unknown[]>;
  /** Ours only: the same with one worker thread instead of one for each core. */
  searchWithOneWorker?(text: string): Promise<readonly unknown[]>;
  /** The number of the text that a hit is. */
  numberOf(hit: unknown): number;
  /** Ours only: holds a vector of `dimensions` for each of `count` texts as well, for the memory of both. */
  holdVectors?(count: number, dimensions: number): Promise<void>;
  close(): Promise<void>;
}

export interface EngineSource {
  /** Opens what the folder holds, or an empty engine. */
  open(folder: string): Promise<MeasuredEngine>;
  /** Whether a folder that was closed opens again with everything in it. */
  readonly durable: boolean;
}

export const hitLimit = 100;

/** A package of bench/package.json, or of the folder named by FOOTNOTE_BENCH_PEERS. */
export async function importPeer(name: string): Promise<Record<string, unknown>> {
  const home = process.env['FOOTNOTE_BENCH_PEERS'] ?? join(import.meta.dirname, '..');
  const path = createRequire(join(home, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}

/** Bytes of all files below a folder. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
