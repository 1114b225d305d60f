// A power-cut simulator: reads the system calls of a writer (strace) and builds what a disk could hold had the power gone at
// any point. Model: what was written before the last fsync of a file is there; of what came after, each 512-byte sector may
// or may not be, in any order (Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014, for why that is fair).

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../testkit/history.ts';

export type DiskEvent =
  | { readonly kind: 'write'; readonly file: string; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly file: string; readonly length: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'remove'; readonly file: string }
  | { readonly kind: 'ack'; readonly transactions: number };

const sector = 512;
/** strace cuts strings at this many bytes; SQLite writes pages of 4,096 and frame headers of 24. */
const stringLimit = 65_536 + 64;

export interface Traced {
  readonly events: readonly DiskEvent[];
  readonly output: string;
}

/** Runs the child under strace in an empty `folder` and returns what its main thread did to `folder/data`. */
export async function traceWriter(folder: string, script: string, childArguments: readonly string[]): Promise<Traced> {
  const data = join(folder, 'data');
  const traces = join(folder, 'trace');
  mkdirSync(data);
  mkdirSync(traces);
  const calls = 'trace=pwrite64,write,fsync,fdatasync,ftruncate,unlink,pwritev,rename,fallocate';
  const child = spawn(
    'strace',
    [
      '-ff',
      '-y',
      '-xx',
      '-s',
      String(stringLimit),
      '-e',
      calls,
      '-o',
      join(traces, 't'),
      process.execPath,
      script,
      data,
      ...childArguments,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise<void>((resolve, reject) => child.on('error', reject).on('close', () => resolve()));
  // -ff writes a file per thread: the one that acknowledges is the one that talks to SQLite.
  const events = readdirSync(traces)
    .map((name) => parseTrace(readFileSync(join(traces, name), 'latin1'), data))
    .filter((found) => found.some(({ kind }) => kind === 'ack'));
  const [main] = events;
  if (events.length !== 1 || main === undefined)
    throw new Error(`No thread acknowledged anything. The child said: ${output}`);
  return { events: main, output };
}

function fromHex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

/** The path of a descriptor as `-y -xx` prints it: escaped or plain. */
function toPath(text: string): string {
  return text.includes('\\x') ? fromHex(text).toString('utf8') : text;
}

export function parseTrace(trace: string, folder: string): readonly DiskEvent[] {
  const events: DiskEvent[] = [];
  for (const line of trace.split('\n')) {
    const call = /^(\w+)\((?:(\d+)<([^>]*)>)?/.exec(line);
    const result = /\)\s+= (-?\d+)/.exec(line);
    if (!call || !result || Number(result[1]) < 0) continue;
    const name = call[1] ?? '';
    const path = toPath(call[3] ?? '');
    if (name === 'write' && call[2] === '1') {
      const text = fromHex(/, "([^"]*)"/.exec(line)?.[1] ?? '').toString('utf8');
      for (const [, number] of text.matchAll(/ACK (\d+)/g)) events.push({ kind: 'ack', transactions: Number(number) });
      continue;
    }
    if (name === 'unlink') {
      const removed = toPath(/"([^"]*)"/.exec(line)?.[1] ?? '');
      if (removed.startsWith(`${folder}/`)) events.push({ kind: 'remove', file: removed.slice(folder.length + 1) });
      continue;
    }
    if (!path.startsWith(`${folder}/record.sqlite`) || path.endsWith('-shm')) continue;
    const file = path.slice(folder.length + 1);
    if (name === 'fsync' || name === 'fdatasync') events.push({ kind: 'sync', file });
    else if (name === 'ftruncate') events.push({ kind: 'truncate', file, length: Number(/, (\d+)\)/.exec(line)?.[1]) });
    else if (name === 'pwrite64') {
      const parts = /, "([^"]*)"(\.{3})?, (\d+), (\d+)\)/.exec(line);
      if (!parts || parts[2]) throw new Error(`A write was cut short by strace: ${line.slice(0, 200)}`);
      events.push({
        kind: 'write',
        file,
        offset: Number(parts[4]),
        bytes: fromHex(parts[1] ?? '').subarray(0, Number(result[1])),
      });
    } else throw new Error(`A call that the simulator does not model: ${line.slice(0, 200)}`);
  }
  return events;
}

type Unsynced = Extract<DiskEvent, { kind: 'write' | 'truncate' }>;

interface FileState {
  durable: Content;
  pending: Unsynced[];
}

/** The bytes of a file, growing in place. */
interface Content {
  bytes: Buffer<ArrayBuffer>;
  length: number;
}

function write(content: Content, offset: number, bytes: Uint8Array): void {
  const end = offset + bytes.length;
  resize(content, Math.max(content.length, end));
  content.bytes.set(bytes, offset);
}

function resize(content: Content, length: number): void {
  if (length > content.bytes.length) {
    const larger = Buffer.alloc(length * 2);
    larger.set(content.bytes.subarray(0, content.length));
    content.bytes = larger;
  } else if (length < content.length) content.bytes.fill(0, length, content.length);
  content.length = length;
}

const copyOf = (content: Content): Content => ({
  bytes: Buffer.from(content.bytes.subarray(0, content.length)),
  length: content.length,
});

/** Applies what was not synced; `survives` is asked for each sector and each truncation. */
function settle(content: Content, pending: readonly Unsynced[], survives: () => boolean): void {
  for (const event of pending) {
    if (event.kind === 'truncate') {
      if (survives()) resize(content, event.length);
      continue;
    }
    for (let at = 0; at < event.bytes.length; ) {
      const offset = event.offset + at;
      const end = Math.min(event.bytes.length, at + sector - (offset % sector));
      if (survives()) write(content, offset, event.bytes.subarray(at, end));
      at = end;
    }
  }
}

export interface Disk {
  /** The next event happens; returns false when there is none. */
  step(): boolean;
  /** Transactions acknowledged so far. */
  acknowledged(): number;
  /** The files as the process sees them: nothing lost. */
  whole(): ReadonlyMap<string, Uint8Array>;
  /**
   * The files after a power cut now. How much of the unsynced data survives is drawn per image (nothing, everything, or
   * anything between; or a prefix whose last write is torn), because the extremes are where ordering bugs show.
   */
  cut(random: Random): ReadonlyMap<string, Uint8Array>;
}

/** Plays the events on an empty disk, one by one. */
export function createDisk(events: readonly DiskEvent[]): Disk {
  const files = new Map<string, FileState>();
  let next = 0;
  let acknowledged = 0;

  const image = (lose: (content: Content, pending: readonly Unsynced[]) => void): ReadonlyMap<string, Uint8Array> =>
    new Map(
      [...files].map(([name, { durable, pending }]) => {
        const content = copyOf(durable);
        lose(content, pending);
        return [name, content.bytes.subarray(0, content.length)];
      }),
    );

  return {
    step() {
      const event = events[next];
      if (event === undefined) return false;
      next += 1;
      if (event.kind === 'ack') acknowledged = Math.max(acknowledged, event.transactions);
      else if (event.kind === 'remove') files.delete(event.file);
      else {
        const state = files.get(event.file) ?? { durable: { bytes: Buffer.alloc(0), length: 0 }, pending: [] };
        files.set(event.file, state);
        if (event.kind === 'sync') {
          for (const one of state.pending)
            if (one.kind === 'write') write(state.durable, one.offset, one.bytes);
            else resize(state.durable, one.length);
          state.pending = [];
        } else state.pending.push(event);
      }
      return true;
    },
    acknowledged: () => acknowledged,
    whole: () => image((content, pending) => settle(content, pending, () => true)),
    cut: (random) =>
      image((content, pending) => {
        if (random.next() < 0.5) {
          const share = [0, 1, random.next(), 0.5][random.below(4)] ?? 0.5;
          settle(content, pending, () => random.next() < share);
          return;
        }
        const kept = random.below(pending.length + 1);
        settle(content, pending.slice(0, kept), () => true);
        settle(content, pending.slice(kept, kept + 1), () => random.next() < 0.5);
      }),
  };
}

export function writeImage(folder: string, image: ReadonlyMap<string, Uint8Array>): void {
  for (const [name, content] of image) writeFileSync(join(folder, name), content);
}
