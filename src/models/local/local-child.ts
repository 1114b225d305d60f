// The process that a local model runs in: loads it, then embeds or reranks job after job, a few texts at a time, so that a query waits
// for one run at most. Whatever goes wrong goes back as a typed error.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { childSetup } from '../../threads/child.ts';
import { reply, replyFailure } from '../../threads/replies.ts';
import { openLocalInference, type TokenizedText } from './inference.ts';
import type { LocalOrder, LocalSetup } from './protocol.ts';
import { openLocalRanking } from './reranker-inference.ts';
import type { TokenRow } from './runtime.ts';

type WorkOrder = Extract<LocalOrder, { texts: readonly string[] }>;

/** What a kind of work makes of texts: rows of tokens, and some numbers of each row. */
interface Source {
  rowOf(text: string): TokenizedText & TokenRow;
  run(rows: readonly TokenRow[]): Promise<readonly Float32Array[]>;
}

interface LocalTask {
  /** Numbers of a row. */
  widthOf(order: WorkOrder): number;
  begin(order: WorkOrder): Source;
}

interface Job {
  readonly order: WorkOrder;
  readonly vectors: Float32Array<ArrayBuffer>;
  truncated: number;
  /** One run at each step. */
  readonly steps: AsyncGenerator<void, void>;
}

/** Texts that are cut into tokens at once, and sorted by length so that little is padded. */
const sliceTexts = 64;

const setup = childSetup<LocalSetup>();
const jobs: Job[] = [];
let working = false;

async function openTask(): Promise<LocalTask> {
  if (setup.task === 'rerank') {
    const ranking = await openLocalRanking(setup);
    return {
      widthOf: () => setup.classes ?? 1,
      begin(order) {
        const query = ranking.tokenizeQuery(order.kind === 'rerank' ? order.query : '');
        return { rowOf: (text) => ranking.pair(query, text), run: ranking.run };
      },
    };
  }
  const inference = await openLocalInference(setup);
  return {
    widthOf: ({ kind }) => (kind === 'match' ? 1 : setup.dimensions),
    begin(order) {
      if (order.kind === 'match') {
        const match = inference.matcherOf(inference.tokenize(order.query).tokens, order.by);
        return { rowOf: inference.tokenize, run: (rows) => Promise.all(rows.map(({ tokens }) => match(tokens))) };
      }
      const prefix = order.kind === 'embed' ? order.prefix : '';
      const prefixTokens = inference.prefixTokens(prefix);
      return {
        rowOf: (text) => inference.tokenize(prefix + text),
        run: (rows) =>
          inference.run(
            rows.map(({ tokens }) => tokens),
            prefixTokens,
          ),
      };
    },
  };
}

async function* stepsOf(task: LocalTask, job: Pick<Job, 'order' | 'vectors'>, onTruncated: () => void) {
  const { texts } = job.order;
  const source = task.begin(job.order);
  const width = task.widthOf(job.order);
  for (let start = 0; start < texts.length; start += sliceTexts) {
    const slice = texts.slice(start, start + sliceTexts).map((text, index) => {
      const row = source.rowOf(text);
      if (row.truncated) onTruncated();
      return { at: start + index, row };
    });
    slice.sort((a, b) => b.row.tokens.length - a.row.tokens.length);
    while (slice.length > 0) {
      const longest = Math.max(1, slice[0]?.row.tokens.length ?? 0);
      const batch = slice.splice(0, Math.max(1, Math.floor(setup.batchTokens / longest)));
      const vectors = await source.run(batch.map(({ row }) => row));
      batch.forEach(({ at }, index) => {
        job.vectors.set(vectors[index] ?? [], at * width);
      });
      yield;
    }
  }
}

function begin(task: LocalTask, order: WorkOrder): void {
  const vectors = new Float32Array(order.texts.length * task.widthOf(order));
  const job: Job = {
    order,
    vectors,
    truncated: 0,
    steps: stepsOf(task, { order, vectors }, () => {
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
    const { task: number } = job.order;
    try {
      const { done } = await job.steps.next();
      reply({ kind: 'step' });
      // Orders are read between the steps, also while what was run before is given again.
      await nextTurn();
      // It may have been cancelled while it ran.
      if (!done || !jobs.includes(job)) continue;
      jobs.splice(jobs.indexOf(job), 1);
      const { vectors, truncated } = job;
      reply({ kind: 'done', task: number, result: { vectors, truncated } });
    } catch (thrown) {
      if (jobs.includes(job)) jobs.splice(jobs.indexOf(job), 1);
      replyFailure(thrown, number);
    }
  }
  working = false;
}

try {
  const task = await openTask();
  process.on('message', (order: LocalOrder) => {
    if (order.kind === 'close') {
      process.disconnect();
    } else if (order.kind === 'cancel') {
      const at = jobs.findIndex((job) => job.order.task === order.task);
      if (at >= 0) jobs.splice(at, 1);
    } else {
      begin(task, order);
      void work();
    }
  });
  reply({ kind: 'ready' });
} catch (thrown) {
  replyFailure(thrown);
}
