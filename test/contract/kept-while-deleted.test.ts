// A response is kept as it is answered, and once more where its end tells more: its results, or what of its answer could not be kept. Who deletes in between, its
// answer or the response itself, has deleted it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import type { ToldResponse } from '../../testkit/openai/completion.ts';
import { dataIn } from '../../testkit/openai/streams.ts';
import { appOf } from '../../testkit/serve-opened.ts';

type Kept = ToldResponse & { readonly id: string };

let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
/** Before something of a response is written: the number of the time, and what. */
let beforeWrite: (time: number, response: Kept) => Promise<void>;
let times = 0;
let isDegraded = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-kept-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  await opened.forScope(localScope()).documents.add({ text: 'The ship Otter lies at berth 7.', uri: 'otter.md' });
  app = appOf(opened, {
    idempotency(scope) {
      const port = opened.idempotency(scope);
      const watched =
        (write: typeof port.finish): typeof port.finish =>
        async (route, key, reply) => {
          times += 1;
          await beforeWrite(times, (JSON.parse(reply.body) as { response: Kept }).response);
          await write(route, key, reply);
        };
      return { ...port, finish: watched(port.finish), replace: watched(port.replace) };
    },
    system: {
      ...opened,
      forScope(scope, via) {
        const footnote = opened.forScope(scope, via);
        return {
          ...footnote,
          async ask(...given) {
            const answer = await footnote.ask(...given);
            const lost = {
              component: 'traces',
              code: 'storage-busy',
              detail: 'x',
              effect: 'The trace is not kept.',
            } as const;
            return isDegraded ? { ...answer, degraded: [...answer.degraded, lost] } : answer;
          },
        };
      },
    },
  });
});
afterAll(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  times = 0;
  isDegraded = false;
  beforeWrite = async () => undefined;
});

const input = 'Where does the ship Otter lie?';
const results = { include: ['file_search_call.results'] };
const ask = async (more: object): Promise<Kept> => {
  const payload = { model: 'footnote', input, ...more };
  const { body, statusCode } = await app.inject({ method: 'POST', url: '/v1/responses', payload });
  expect(statusCode).toBe(200);
  if (!('stream' in more)) return JSON.parse(body) as Kept;
  return dataIn<{ response: Kept }>(body).at(-1)?.response as Kept;
};
const read = async ({ id }: Kept) => app.inject(`/v1/responses/${id}`);

const ways = [
  { way: 'its results', more: results, fails: false },
  { way: 'its results, in a stream', more: { ...results, stream: true }, fails: false },
  { way: 'what could not be kept', more: {}, fails: true },
];

it.each(ways)('is kept with what its end tells: $way', async ({ more, fails }) => {
  isDegraded = fails;
  const told = await ask(more);
  expect(times).toBe(2);
  const kept = (await read(told)).json<Kept>();
  expect(kept).toEqual(told);
  expect(JSON.stringify(kept)).toContain(fails ? 'The trace is not kept.' : '"results":[{');
});

it.each(
  ways.flatMap((one) => [
    {
      ...one,
      what: 'its answer',
      erase: ({ footnote }: Kept) => opened.forScope(localScope()).answers.delete(footnote?.id ?? ''),
    },
    { ...one, what: 'itself', erase: ({ id }: Kept) => app.inject({ method: 'DELETE', url: `/v1/responses/${id}` }) },
  ]),
)('is gone where one deletes $what before its end is kept: $way', async ({ more, fails, erase }) => {
  isDegraded = fails;
  const deleting: unknown[] = [];
  beforeWrite = async (_time, response) => {
    const isLast = fails
      ? response.footnote?.degraded.some(({ effect }) => effect.includes('trace'))
      : JSON.stringify(response).includes('"results":[{');
    if (isLast) deleting.push(await erase(response));
  };
  const told = await ask(more);
  expect(deleting).toHaveLength(1);
  const { statusCode, body } = await read(told);
  expect([statusCode, body]).toEqual([404, expect.not.stringContaining('berth 7')]);
});
