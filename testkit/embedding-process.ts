// Gives the chunks of a record their vectors of the simulated provider, until it is done or killed: what a server does behind its
// searches, without the rest of it. Says READY before the first call and DONE with what it took.
//
//   node testkit/embedding-process.ts FOLDER ADDRESS TEXTS_PER_CALL CALLS_AT_ONCE DIMENSIONS [early]
//
// `early` is a seeded bug: writes are acknowledged before they are durable, which kills must bring to light.
import { readFileSync, writeSync } from 'node:fs';
import { systemClock } from '../src/core/ids.ts';
import { localScope } from '../src/core/scope.ts';
import { openSqliteRecord } from '../src/db/sqlite/sqlite.ts';
import { openProviderEmbeddings } from '../src/models/embedding/provider-embeddings.ts';
import { openEmbeddedSpaces } from '../src/stores/embedded/spaces.ts';
import { createEmbedder } from '../src/vectors/embedder.ts';
import type { VectorKeeping } from '../src/vectors/ports.ts';

const [folder = '', address = '', textsPerCall = '', callsAtOnce = '', dimensions = '', fault = ''] =
  process.argv.slice(2);
const scope = localScope();
const database = openSqliteRecord({ folder });
const { documents } = database.forScope(scope);
const spaces = openEmbeddedSpaces(database, scope.tenant);
const model = await openProviderEmbeddings(
  { roles: {}, openai: { apiKey: 'simulated' } },
  { provider: 'openai', model: 'simulated', dimensions: Number(dimensions) },
  { openaiAddress: address, textsPerCall: Number(textsPerCall), callsAtOnce: Number(callsAtOnce) },
);

/** Acknowledges at once, and writes thirty batches together. */
function acknowledgingEarly(kept: VectorKeeping): VectorKeeping {
  let held: Parameters<VectorKeeping['write']>[] = [];
  return {
    ...kept,
    async write(...given) {
      held.push(given);
      if (held.length >= 30) await Promise.all(held.splice(0).map((one) => kept.write(...one)));
      return given[1].length;
    },
    async activate(space) {
      const rest = held;
      held = [];
      await Promise.all(rest.map((one) => kept.write(...one)));
      await kept.activate(space);
    },
  };
}

const nothing = (): never => {
  throw new Error('Nothing is learned here.');
};
const embedder = createEmbedder({
  model: 'openai:simulated',
  spaces: fault === 'early' ? acknowledgingEarly(spaces) : spaces,
  learning: {
    leastChunks: 1,
    version: '1',
    survey: nothing,
    digest: nothing,
    train: nothing,
    embed: nothing,
    sharedPart: nothing,
    open: nothing,
  },
  openFixed: async () => model,
  async readTexts(documentId) {
    const document = await documents.get(documentId);
    if (!document) return undefined;
    return (await documents.chunks(documentId)).map(({ headingPath, text }) =>
      [...new Set([document.title, ...headingPath]), text].join('\n'),
    );
  },
  clock: systemClock,
});

/** Seconds in which the main thread could have run and another program did; 0 where the system does not say. */
function waitedSeconds(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e9;
  } catch {
    return 0;
  }
}

writeSync(1, 'READY\n');
const waitedBefore = waitedSeconds();
const threadBefore = process.threadCpuUsage();
const startedAt = performance.now();
const before = process.cpuUsage();
let lastWriteAt = startedAt;
await embedder.settle({
  onProgress: () => {
    lastWriteAt = performance.now();
  },
});
const { user, system } = process.cpuUsage(before);
const thread = process.threadCpuUsage(threadBefore);
const done = {
  seconds: (performance.now() - startedAt) / 1000,
  /** Until the last vector was durable: what follows is the swap. */
  embeddingSeconds: (lastWriteAt - startedAt) / 1000,
  cpuSeconds: (user + system) / 1e6,
  threadSeconds: (thread.user + thread.system) / 1e6,
  waitedSeconds: waitedSeconds() - waitedBefore,
  peakMiB: process.resourceUsage().maxRSS / 1024,
  usage: model.remote.usage(),
};
await embedder.close();
await model.close();
await database.close();
writeSync(1, `DONE ${JSON.stringify(done)}\n`);
