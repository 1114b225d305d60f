// A provider of embeddings with a rate of its own, in a process of its own: each of its lanes takes so many milliseconds for a hundred
// texts, and what comes meanwhile waits. It knows how much of its time it was at work, and which texts it was asked for twice.
//
//   node testkit/embedding-provider.ts MS_PER_100_TEXTS LANES DIMENSIONS
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vectorNumberOf, vectorsOf } from './embedding-vectors.ts';

const [msPerHundred = 20, laneCount = 1, dimensions = 256] = process.argv.slice(2).map(Number);
const encoded = vectorsOf(dimensions).map((vector) => Buffer.from(vector.buffer).toString('base64'));

const freeAt = new Array<number>(laneCount).fill(0);
const seen = new Map<string, number>();
let [calls, texts, workedMs, firstAt, lastAt] = [0, 0, 0, 0, 0];

/** When a call that comes now has been served. */
function serve(count: number): number {
  const now = performance.now();
  const lane = freeAt.indexOf(Math.min(...freeAt));
  const start = Math.max(now, freeAt[lane] ?? 0);
  const end = start + (msPerHundred * count) / 100;
  freeAt[lane] = end;
  calls += 1;
  texts += count;
  workedMs += end - start;
  firstAt ||= start;
  lastAt = Math.max(lastAt, end);
  return end;
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.method === 'GET') {
      const twice = [...seen.values()].reduce((sum, count) => sum + count - 1, 0);
      const offeredMs = (lastAt - firstAt) * laneCount;
      response.end(
        JSON.stringify({
          calls,
          texts,
          distinct: seen.size,
          twice,
          seconds: (lastAt - firstAt) / 1000,
          share: workedMs / offeredMs,
        }),
      );
      return;
    }
    const { input, model } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[]; model: string };
    const end = serve(input.length);
    const data = input.map((text, index) => {
      const { number, hash } = vectorNumberOf(text);
      seen.set(hash, (seen.get(hash) ?? 0) + 1);
      return `{"object":"embedding","index":${index},"embedding":"${encoded[number]}"}`;
    });
    const tokens = Math.ceil(input.reduce((sum, text) => sum + text.length, 0) / 4);
    const body = `{"object":"list","data":[${data.join(',')}],"model":${JSON.stringify(model)},"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`;
    setTimeout(() => response.end(body), Math.max(0, end - performance.now()));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
