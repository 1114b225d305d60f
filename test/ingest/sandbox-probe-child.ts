// A parser that does what none should: run in the sandbox of the real ones to see what it can reach. A job names in its text what to
// try; the reply tells how it went.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { getPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parsedDocument } from '@footnote/readers/canonical/canonical-text';
import { shutNetwork } from '../../src/ingest/read/no-network.ts';
import type { ChildJob, ChildReply } from '../../src/ingest/read/parser-process.ts';

const kept: Uint8Array[] = [];
let jobs = 0;

function connect(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    createConnection({ host: '127.0.0.1', port })
      .on('connect', () => resolve('connected'))
      .on('error', reject);
  });
}

async function attempt(what: string, value: string): Promise<string> {
  switch (what) {
    case 'read':
      return `read ${readFileSync(value).length} bytes`;
    case 'write':
      writeFileSync(value, 'x');
      return 'written';
    case 'spawn':
      spawn(process.execPath, ['--version']);
      return 'spawned';
    case 'environment':
      return JSON.stringify(Object.keys(process.env).toSorted());
    case 'fetch':
      return `fetched ${(await fetch(value)).status}`;
    // Without the lock of this process: what is left is the namespace.
    case 'connect':
      return connect(Number(value));
    case 'connect-locked':
      shutNetwork();
      return connect(Number(value));
    case 'buffers':
      for (let count = 0; count < Number(value); count++) {
        kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
        await wait(20);
      }
      return 'allocated';
    case 'buffers-at-once':
      for (let count = 0; count < Number(value); count++) kept.push(Buffer.alloc(64 * 1024 * 1024, 1));
      return 'allocated';
    case 'spin':
      for (const end = performance.now() + Number(value); performance.now() < end; );
      return 'spun';
    case 'wait':
      await wait(Number(value));
      return 'waited';
    case 'priority':
      return `niceness ${getPriority()}`;
    case 'jobs':
      return `job ${jobs}`;
    // What an earlier file left behind, this one trips over.
    case 'first-job':
      return jobs === 1 ? 'first' : process.exit(9);
    case 'progress':
      for (let step = 0; step < Number(value); step++) {
        await wait(100);
        process.send?.({ progress: true } satisfies ChildReply);
      }
      return 'progressed';
    default:
      return process.exit(7);
  }
}

async function answer(job: ChildJob): Promise<void> {
  if (job.kind !== 'parse') return;
  jobs += 1;
  const [what = '', value = ''] = new TextDecoder().decode(job.input.bytes).split('\n');
  const text = await attempt(what, value).catch((error: unknown) => `refused: ${String(error)}`);
  process.send?.({ value: parsedDocument({ text, mime: 'text/plain' }) } satisfies ChildReply);
}

process.on('message', (job: ChildJob) => void answer(job));
