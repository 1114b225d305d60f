// A disk without one free byte: searches, questions and messages are answered, say what was not kept, and a server that is stopped or
// killed meanwhile starts again; with space again everything is kept, without a restart.
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openWorkplace } from '../cli/footnote-process.ts';
import { mountSmallDisk } from './small-disk.ts';

const disk = mountSmallDisk(64);
afterAll(() => disk?.remove());

const rounds = process.env['FOOTNOTE_TEST_LONG'] ? 60 : 12;
const question = 'Who designed the lighthouse of Cabo Frio?';
const lighthouse =
  '# The lighthouse\n\nMarta Oliveira designed the lighthouse of Cabo Frio in 1887. The lighthouse is 43 metres tall.\n';

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into values of every shape
  readonly body: any;
}

async function call(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(url, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
  };
}

const codesOf = ({ body }: Reply): string[] =>
  (body.degraded as { component: string; code: string; effect: string }[])
    .filter(({ component }) => component === 'record')
    .map(({ code, effect }) => `${code}: ${effect}`);
const notKept = /^storage-full: This result was not kept: .*its trace cannot be looked at later/;

describe.skipIf(!disk)('questions on a full disk', () => {
  it(`answers ${rounds * 5} of them and says what was not kept, over restarts and a kill`, async () => {
    const workplace = await openWorkplace();
    const data = join(disk?.folder ?? '', 'data');
    const words = ['--data', data];
    try {
      let server = await workplace.serve(words);
      const added = await call(`${server.url}/v1/documents?wait=true`, { text: lighthouse, uri: 'lighthouse.md' });
      expect(added.status).toBe(202);
      disk?.fill();

      let disclosed = 0;
      /** Each kind of question once; writes may still find room in the journal, and everything else has to be said. */
      const askAll = async (round: number): Promise<void> => {
        const search = await call(`${server.url}/v1/search`, { query: 'lighthouse' });
        expect([search.status, search.body.results?.[0]?.uri]).toEqual([200, 'lighthouse.md']);
        const keyed = { 'idempotency-key': `round-${round}` };
        const message = `${server.url}/v1/rag/sessions/chat/messages`;
        const answers = [
          await call(`${server.url}/v1/ask`, { question }),
          await call(`${server.url}/v1/ask`, { question }, keyed),
          await call(message, { content: question }),
        ];
        for (const answer of answers) {
          expect([answer.status, answer.body.claims?.[0]?.text]).toEqual([
            200,
            expect.stringContaining('Marta Oliveira'),
          ]);
          const kept = await call(`${server.url}/v1/answers/${answer.body.id}`);
          if (kept.status !== 200) expect(codesOf(answer)).toContainEqual(expect.stringMatching(/cannot be fetched/));
        }
        const streamed = await call(message, { content: question, stream: true }, { accept: 'text/event-stream' });
        expect([streamed.status, /event: (done|error)/.exec(streamed.body)?.[1]]).toEqual([200, 'done']);
        expect(streamed.body).toContain('Marta Oliveira');
        for (const reply of [search, ...answers]) {
          const trace = await call(`${server.url}/admin/traces/${reply.body.traceId}`);
          if (trace.status === 200) continue;
          disclosed += 1;
          expect(codesOf(reply)).toContainEqual(expect.stringMatching(notKept));
        }
      };
      for (let round = 0; round < rounds; round += 1) await askAll(round);
      expect(disclosed).toBeGreaterThan(0);
      expect((await call(`${server.url}/readyz`)).status).toBe(200);
      expect(
        (await call(`${server.url}/v1/documents?wait=true`, { text: 'x'.repeat(2_000_000), uri: 'new' })).status,
      ).toBe(507);

      // Stopped in order, and started on a disk that is full to the last byte again.
      await server.stop();
      disk?.fill();
      server = await workplace.serve(words);
      await askAll(1000);

      // The same after a kill.
      disk?.fill();
      server.server.kill('SIGKILL');
      await once(server.server, 'exit');
      disk?.fill();
      server = await workplace.serve(words);
      disk?.fill();
      await askAll(2000);

      // What is deleted goes, and with space again everything is kept.
      disk?.empty();
      const answer = await call(`${server.url}/v1/ask`, { question });
      expect(codesOf(answer)).toEqual([]);
      expect((await call(`${server.url}/v1/answers/${answer.body.id}`)).status).toBe(200);
      expect((await call(`${server.url}/admin/traces/${answer.body.traceId}`)).status).toBe(200);
      await server.stop();

      // A command of its own, without a server, in the same place.
      disk?.fill();
      const alone = await workplace.run(['ask', question, '--json', ...words]);
      expect([alone.code, alone.json().claims?.[0]?.text]).toEqual([0, expect.stringContaining('Marta Oliveira')]);
    } finally {
      disk?.empty();
      await workplace.remove();
    }
  });
});
