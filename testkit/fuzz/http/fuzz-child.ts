// The real system behind a real socket in a process of its own, so that its event loop is measured alone and its death is seen. Tells
// its parent what it logs as its own failure, and each turn of the loop that was long.
import { existsSync, openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { loadConfig } from '../../../src/config.ts';
import { openFootnote } from '../../../src/footnote/compose.ts';
import { startHttpServer } from '../../../src/http/server.ts';

export type ChildMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failure'; readonly requestId: string; readonly route: string; readonly error: string }
  /** A turn that held the loop for `heldMs` of its own: computing for `cpuMs`, waiting for the disk for the rest. */
  | {
      readonly kind: 'blocked';
      readonly wallMs: number;
      readonly heldMs: number;
      readonly cpuMs: number;
      readonly endedAtMs: number;
    }
  /** In ms: the longest turn by `monitorEventLoopDelay` and the 99th percentile; without waits for a processor; of computing alone. */
  | {
      readonly kind: 'delay';
      readonly maxMs: number;
      readonly p99Ms: number;
      readonly maxHeldMs: number;
      readonly maxCpuMs: number;
    };

const tell = (message: ChildMessage): void => void process.send?.(message);
const folder = process.argv[2] ?? '';
const tickMs = 10;
/** Turns that held the loop for longer are told. */
const longMs = 60;

// Relative paths of folders that requests name end here, whatever is made of them.
process.chdir(folder);
const opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: `${folder}/data` } }));
const server = await startHttpServer({
  system: opened,
  idempotency: opened.idempotency,
  version: 'fuzzed',
  host: '127.0.0.1',
  port: 0,
  ownerToken: 'owner',
  authenticate: (secret) => opened.keys.authenticate(secret),
  hasKeys: () => opened.keys.required(),
  log({ requestId, method, route, status, error }) {
    if (error === undefined) return;
    tell({ kind: 'failure', requestId, route: `${method} ${route} ${status}`, error: inspect(error) });
  },
});

/** For how long this thread has been ready and had no processor, ms: what other programs take (Linux; elsewhere 0). */
const schedule = existsSync('/proc/thread-self/schedstat') ? openSync('/proc/thread-self/schedstat', 'r') : undefined;
const line = Buffer.alloc(128);
function queuedMs(): number {
  if (schedule === undefined) return 0;
  const length = readSync(schedule, line, 0, line.length, 0);
  return Number(line.toString('latin1', 0, length).split(' ')[1]) / 1e6;
}

const delay = monitorEventLoopDelay({ resolution: tickMs });
let maxHeldMs = 0;
let maxCpuMs = 0;
let last = { atMs: performance.now(), queuedMs: queuedMs(), cpu: process.threadCpuUsage() };
setInterval(() => {
  const now = { atMs: performance.now(), queuedMs: queuedMs(), cpu: process.threadCpuUsage() };
  const wallMs = now.atMs - last.atMs;
  // The loop sleeps between two ticks unless it has something to do.
  const heldMs = Math.max(0, wallMs - (now.queuedMs - last.queuedMs) - tickMs);
  const cpuMs = (now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system) / 1000;
  last = now;
  maxHeldMs = Math.max(maxHeldMs, heldMs);
  maxCpuMs = Math.max(maxCpuMs, cpuMs);
  if (heldMs > longMs) tell({ kind: 'blocked', wallMs, heldMs, cpuMs, endedAtMs: Date.now() });
}, tickMs);

process.on('message', (message) => {
  if (message === 'measure') {
    delay.enable();
    maxHeldMs = 0;
    maxCpuMs = 0;
  } else if (message === 'delay')
    tell({ kind: 'delay', maxMs: delay.max / 1e6, p99Ms: delay.percentile(99) / 1e6, maxHeldMs, maxCpuMs });
  else if (message === 'stop')
    void server
      .close()
      .then(() => opened.close())
      .then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'listening', port: server.port });
