// The thread that a local model runs in: loads it, then embeds job after job, a few texts at a time, so that a query waits for one
// run at most. Whatever goes wrong goes back as a typed error.
import { parentPort, workerData } from 'node:worker_threads';
import { toFootnoteError } from '../core/errors.ts';
import { type LocalInference, openLocalInference } from './local-inference.ts';
import type { LocalOrder, LocalReply, LocalSetup } from './local-protocol.ts';

type EmbedOrder = Extract<LocalOrder, { kind: 'embed' }>;

interface Job {
  readonly order: EmbedOrder;
  readonly vectors: Float32Array;
  truncated: number;
  /** One run at each step. */
  readonly steps: AsyncGenerator<void, void>;
}

/** Texts that are cut into tokens at once, and sorted by length so that little is padded. */
const sliceTexts = 64;

const setup = workerData as LocalSetup;
const jobs: Job[] = [];
let working = false;

function reply(message: LocalReply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function fail(thrown: unknown, job?: number): void {
  const { code, message, details } = toFootnoteError(thrown);
  reply({ kind: 'failed', code, message, details, ...(job !== undefined && { job }) });
}

async function* embed(inference: LocalInference, job: Pick<Job, 'order' | 'vectors'>, onTruncated: () => void) {
  const { texts, prefix } = job.order;
  const prefixTokens = inference.prefixTokens(prefix);
  for (let start = 0; start < texts.length; start += sliceTexts) {
    const slice = texts.slice(start, start + sliceTexts).map((text, index) => {
      const { tokens, truncated } = inference.tokenize(prefix + text);
      if (truncated) onTruncated();
      return { at: start + index, tokens };
    });
    slice.sort((a, b) => b.tokens.length - a.tokens.length);
    while (slice.length > 0) {
      const longest = Math.max(1, slice[0]?.tokens.length ?? 0);
      const batch = slice.splice(0, Math.max(1, Math.floor(setup.batchTokens / longest)));
      const vectors = await inference.run(
        batch.map(({ tokens }) => tokens),
        prefixTokens,
      );
      batch.forEach(({ at }, index) => {
        job.vectors.set(vectors[index] ?? [], at * setup.dimensions);
      });
      yield;
    }
  }
}

function begin(inference: LocalInference, order: EmbedOrder): void {
  const vectors = new Float32Array(order.texts.length * setup.dimensions);
  const job: Job = {
    order,
    vectors,
    truncated: 0,
    steps: embed(inference, { order, vectors }, () => {
      job.truncated++;
    }),
  };
  jobs.push(job);
}

async function work(): Promise<void> {
  if (working) return;
  working = true;
  while (true) {
    const job = jobs.find(({ order }) => order.urgent) ?? jobs[0];
    if (job === undefined) break;
    const number = job.order.job;
    try {
      const { done } = await job.steps.next();
      reply({ kind: 'step' });
      // It may have been cancelled while it ran.
      if (!done || !jobs.includes(job)) continue;
      jobs.splice(jobs.indexOf(job), 1);
      reply({ kind: 'done', job: number, vectors: job.vectors, truncated: job.truncated }, [
        job.vectors.buffer as ArrayBuffer,
      ]);
    } catch (thrown) {
      if (jobs.includes(job)) jobs.splice(jobs.indexOf(job), 1);
      fail(thrown, number);
    }
  }
  working = false;
}

try {
  const inference = await openLocalInference(setup);
  parentPort?.on('message', (order: LocalOrder) => {
    if (order.kind === 'close') {
      parentPort?.close();
      // A session that cannot be given back goes with the thread.
      void inference.close().catch(() => undefined);
    } else if (order.kind === 'cancel') {
      const at = jobs.findIndex((job) => job.order.job === order.job);
      if (at >= 0) jobs.splice(at, 1);
    } else {
      begin(inference, order);
      void work();
    }
  });
  reply({ kind: 'loaded' });
} catch (thrown) {
  fail(thrown);
}
