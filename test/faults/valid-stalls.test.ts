// Sound requests that are as large as they may be: none may hold the event loop of the server for long. What counts is processor time of
// the loop's own thread in one turn, compared with a fixed piece of work of the same run, so that a busy or slow machine changes nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type FuzzedServer, startFuzzedServer } from '../../testkit/fuzz/http/server.ts';
import { longestAllowedMs, longestTurn, send } from '../../testkit/longest-turn.ts';

let server: FuzzedServer;
let longId = '';
let mostMs = 100;

const textOf = (bytes: number): string => {
  const lines: string[] = [];
  for (let length = 0, at = 0; length < bytes; at++) {
    const line = `The ferry ${at % 977} of pier ${at % 53} carries ${at} people and ${at % 7} cars to Havorn.`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
};

beforeAll(async () => {
  mostMs = longestAllowedMs();
  server = await startFuzzedServer();
  const added = (await call(server.port, 'POST', '/v1/documents', { text: textOf(24e6), uri: 'long.txt' })) as {
    documents: { id: string }[];
  };
  longId = added.documents[0]?.id ?? '';
  // What is read for the first time is compiled too.
  await send(server, 'GET', '/v1/documents?limit=1');
  await send(server, 'POST', '/v1/search', { query: 'ferry' });
  // The first questions of a process compile what answers them, whatever they are asked of.
  for (const question of ['When was the lighthouse built?', 'How many cars does the ferry 3 carry?'])
    await send(server, 'POST', '/v1/ask', { question });
}, 180_000);
afterAll(() => server.stop());

describe('a sound request of the largest size holds the event loop for a moment at most', () => {
  it.each([
    'text',
    'file',
    'chunks',
    'structure',
    'view',
    'text?start=1000&end=2000',
    'view?start=9000000&end=9000100',
  ])('GET a long document: %s', async (part) => {
    const turn = await longestTurn(server, mostMs, async () =>
      expect(await send(server, 'GET', `/v1/documents/${longId}/${part}`)).toBe(200),
    );
    expect(turn).toBeLessThan(mostMs);
  });

  const filters = Array.from({ length: 100 }, (_, at) => ({ op: 'ne', field: `metadata.k${at}`, value: 'x' }));
  const claim = 'The lighthouse of Arkvik was built in 1874 by Ingrid Solheim. ';
  const workspace = [{ path: 'a.md', text: claim.repeat(14_500) }];
  const metadata = Object.fromEntries(Array.from({ length: 29_000 }, (_, at) => [`key-${at}`, 'value']));
  it.each<[string, number, string, unknown]>([
    ['a search with a hundred filters', 200, '/v1/search', { query: 'ferry', filter: { op: 'and', filters } }],
    ['a question with 900 kB of workspace', 200, '/v1/ask', { question: 'Who built the lighthouse?', workspace }],
    ['a question about a long document', 200, '/v1/ask', { question: 'How many people does the ferry 12 carry?' }],
    ['29,000 keys of metadata', 400, '/v1/documents', { text: 'A note.', uri: 'note.md', metadata }],
  ])('%s', async (_, status, path, json) => {
    const turn = await longestTurn(server, mostMs, async () =>
      expect(await send(server, 'POST', path, json)).toBe(status),
    );
    expect(turn).toBeLessThan(mostMs);
  });

  it('an answer of many claims to check', async () => {
    const path = `/v1/answers/${server.planted.ids['answers']?.[0]}`;
    const answer = (await call(server.port, 'GET', path)) as { claims: Record<string, unknown>[] };
    // Together with what else a claim of a passage has, a little below the most values that a body may hold.
    const cited = Array.from({ length: 15 }, () => 1);
    const claims = Array.from({ length: 1000 }, () => ({
      ...answer.claims[0],
      text: claim.repeat(5),
      citations: cited,
    }));
    const turn = await longestTurn(server, mostMs, async () =>
      expect(await send(server, 'POST', '/v1/answers/verify', { ...answer, claims })).toBe(200),
    );
    expect(turn).toBeLessThan(mostMs);
  });

  it('DELETE a long document', async () => {
    const turn = await longestTurn(server, mostMs, async () =>
      expect(await send(server, 'DELETE', `/v1/documents/${longId}`)).toBe(204),
    );
    expect(turn).toBeLessThan(mostMs);
    expect(await send(server, 'GET', `/v1/documents/${longId}`)).toBe(404);
    expect(server.failures).toEqual([]);
  });
});
