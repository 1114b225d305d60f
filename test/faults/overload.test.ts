// More requests than can be served: what is refused says when to come again, health and keys are answered in between, a tenant that asks much
// keeps no other waiting, and afterwards all is as before. Told by the order of replies, so that a slow machine changes nothing.
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
let server: Awaited<ReturnType<Workplace['serve']>>;
let agent = new Agent({ keepAlive: true });
let noisy: string;
let quiet: string;

beforeAll(async () => {
  place = await openWorkplace();
  await writeFile(join(place.folder, 'footnote.yaml'), 'requestsWaiting: 210\n');
  server = await place.serve();
  const make = async (...words: string[]): Promise<string> =>
    ((await place.run(['keys', 'create', ...words, '--json'])).json() as { secret: string }).secret;
  noisy = await make('noisy', '--role', 'admin');
  quiet = await make('quiet', '--role', 'admin', '--tenant', 'other');
  const text = 'The lighthouse of Arkvik was built in 1874 by Ingrid Solheim.';
  expect((await send('POST', '/v1/documents', { key: quiet, body: { text, uri: 'arkvik.md' } })).status).toBe(202);
}, 60_000);
afterAll(async () => {
  agent.destroy();
  await place.remove();
});

interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

function send(method: string, path: string, { key, body }: { key?: string; body?: unknown } = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const asked = request(server.url + path, { method, agent, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, retryAfter: reply.headers['retry-after'], body: text }),
      );
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const ask = (key: string, question = 'What does a citation point to?'): Promise<Reply> =>
  send('POST', '/v1/ask', { key, body: { question } });

/** Opens so many connections, new ones (others may just be ending): opening them is not what is asked about. */
async function connected(count: number): Promise<void> {
  agent.destroy();
  agent = new Agent({ keepAlive: true });
  await Promise.all(Array.from({ length: count }, () => send('GET', '/healthz')));
}

describe('a server with more than it can do', () => {
  it('serves what it can, refuses the rest in words, and is as before afterwards', async () => {
    await connected(600);
    const many = await Promise.all(Array.from({ length: 600 }, () => ask(noisy)));
    const [served, refused] = [
      many.filter(({ status }) => status === 200),
      many.filter(({ status }) => status === 429),
    ];
    expect(served.length + refused.length).toBe(many.length);
    // All that may wait and run at once are served.
    expect(served.length).toBeGreaterThanOrEqual(212);
    expect(refused.length).toBeGreaterThan(0);
    for (const { retryAfter, body } of refused) {
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(JSON.parse(body)).toMatchObject({ code: 'rate-limited', status: 429 });
    }
    const after = await Promise.all(Array.from({ length: 20 }, () => ask(noisy)));
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 200));
  });

  it('answers health, keys and another tenant while two hundred wait', async () => {
    let answered = 0;
    const early = async (path: string, key?: string): Promise<[string, number, boolean]> => {
      const { status } = await send('GET', path, key === undefined ? {} : { key });
      return [path, status, answered < 100];
    };
    await connected(220);
    const burst = Array.from({ length: 200 }, () =>
      ask(noisy).then((reply) => {
        answered += 1;
        return reply.status;
      }),
    );
    const others = [
      early('/healthz'),
      early('/readyz'),
      early('/admin/keys', noisy),
      early('/v1/documents', noisy),
      ask(quiet, 'Who built the lighthouse of Arkvik?').then(({ status, body }) => {
        expect(body).toContain('Ingrid Solheim');
        return ['quiet', status, answered < 100];
      }),
    ];
    expect(await Promise.all(others)).toEqual(
      ['/healthz', '/readyz', '/admin/keys', '/v1/documents', 'quiet'].map((path) => [path, 200, true]),
    );
    expect(new Set(await Promise.all(burst))).toEqual(new Set([200]));
  });
});
