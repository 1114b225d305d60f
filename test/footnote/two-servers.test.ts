// Two servers over one database: what one commits the other finds at once, what one deletes the other shows nowhere, and both find the same to the
// last bit, whatever each keeps in its memory.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SearchRequest } from '../../src/core/search.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { makeFirstKey } from '../../src/footnote/first-key.ts';
import { postgresPrograms } from '../../testkit/postgres/server.ts';
import { twoServers } from '../../testkit/postgres/two-servers.ts';

const programs = postgresPrograms();
const isLong = process.env['FOOTNOTE_TEST_LONG'] === '1';
const rounds = isLong ? 10_000 : 300;
/** Ten thousand take half an hour. */
const longestMs = isLong ? 7_200_000 : 600_000;
const places = ['Arkvik', 'Brenn', 'Calder', 'Dunmore', 'Eskil', 'Fjord', 'Glen', 'Hollow', 'Isle', 'Jetty'];
const things = ['granary', 'harbour', 'lantern'];

const found = async (footnote: Footnote, request: SearchRequest) => {
  const { results, degraded } = await footnote.search(request);
  return { results: results.map(({ chunkId, score, scores }) => ({ chunkId, score, scores })), degraded };
};

describe.skipIf(programs === undefined)('two servers on PostgreSQL (skipped where no server is installed)', () => {
  const place = twoServers(programs ?? '', {
    settings: () => ({ MODEL_EMBED: 'none', ENABLE_ANSWER_CACHE: 'true' }),
  });
  const add = async (which: number, uri: string, text: string): Promise<string> => {
    const [added] = await place.at(which).documents.add({ text, mime: 'text/plain', source: 'notes', uri });
    return added?.id ?? '';
  };
  const urisAt = async (which: number, query: string): Promise<readonly string[]> =>
    (await place.at(which).search({ query, mode: 'embedded' })).results.map(({ uri }) => uri);

  it(`find at once what the other committed, and nothing that it deleted: ${rounds} times`, {
    timeout: longestMs,
  }, async () => {
    const ids: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const thing = things[round % 3];
      const text = `The ${thing} of ${places[round % 10]} has the number n${round}x.`;
      ids.push(await add(round, `${round}.txt`, text));
      expect(await urisAt(round + 1, `n${round}x`)).toEqual([`${round}.txt`]);
      if (round % 4 === 3) {
        await place.at(round).documents.delete(ids[round - 2] ?? '');
        expect(await urisAt(round + 1, `n${round - 2}x`)).toEqual([]);
      }
      if (round % 4 === 1) {
        await add(round, `${round}.txt`, `The ${thing} burnt down in the year y${round}x.`);
        expect([await urisAt(round + 1, `n${round}x`), await urisAt(round + 1, `y${round}x`)]).toEqual([
          [],
          [`${round}.txt`],
        ]);
      }
    }
  });

  it('find the same in 30 searches, while documents come and go at both', async () => {
    const queries = places.flatMap((name) => things.map((thing) => `${thing} of ${name}`));
    let hits = 0;
    for (let turn = 0; turn < 5; turn++) {
      const changes = [0, 1].map(async (which) => {
        for (let at = 0; at < 6; at++)
          await add(which, `${which}-${at}.txt`, `A ${things[at % 3]} at ${places[turn]} in turn ${turn}.`);
        const { data } = await place.at(which).documents.list({ limit: 3 });
        await Promise.all(
          data.map(({ id }) =>
            place
              .at(which)
              .documents.delete(id)
              .catch(() => undefined),
          ),
        );
      });
      await Promise.all([...changes, ...queries.map((query, at) => found(place.at(at), { query, topK: 20 }))]);
      for (const query of queries) {
        const [one, other] = [
          await found(place.at(0), { query, topK: 20 }),
          await found(place.at(1), { query, topK: 20 }),
        ];
        expect(other).toEqual(one);
        hits += one.results.length;
      }
    }
    expect(hits).toBeGreaterThan(500);
  });

  it('give an answer again only while what it rests on is as it was at both', async () => {
    const question = 'How many berths does the marina of Zenit have?';
    const id = await add(0, 'marina.txt', 'The marina of Zenit has forty berths.');
    const answers = async (which: number) => {
      const { answer, reused } = await place.at(which).ask({ question });
      return { isForty: answer.includes('forty'), isSixty: answer.includes('sixty'), isReused: reused !== undefined };
    };
    const [forty, sixty, nothing] = [
      { isForty: true, isSixty: false, isReused: false },
      { isForty: false, isSixty: true, isReused: false },
      { isForty: false, isSixty: false, isReused: false },
    ];
    for (const which of [0, 1]) {
      expect(await answers(which)).toEqual(forty);
      expect(await answers(which)).toEqual({ ...forty, isReused: true });
    }
    await add(1, 'marina.txt', 'The marina of Zenit has sixty berths.');
    expect([await answers(0), await answers(1)]).toEqual([sixty, sixty]);
    expect(await answers(0)).toEqual({ ...sixty, isReused: true });
    await place.at(1).documents.delete(id);
    expect([await answers(0), await answers(1)]).toEqual([nothing, nothing]);
  });

  it('keep every turn of a session that both are sent to at once, each in a place of its own', async () => {
    await add(0, 'pier.txt', 'The pier of Zenit is two miles long.');
    const sent = Array.from({ length: 16 }, (_, at) =>
      place.at(at).sessions.send('talk', { content: `How long is the pier of Zenit, asked ${at} times?` }),
    );
    const ids = (await Promise.all(sent)).map(({ id }) => id);
    const [one, other] = [await place.at(0).sessions.turns('talk'), await place.at(1).sessions.turns('talk')];
    expect(other).toEqual(one);
    expect(one.map(({ ordinal }) => ordinal)).toEqual(ids.map((_, at) => at + 1));
    expect(one.map(({ answer }) => answer.id).sort()).toEqual(ids.toSorted());
    for (const [at, id] of ids.entries()) expect((await place.at(at + 1).answers.get(id)).id).toBe(id);
    // One is deleted while the other answers.
    const late = [0, 1].map((at) => place.at(at).sessions.send('gone', { content: 'How long is the pier of Zenit?' }));
    await Promise.all(late);
    const under = place
      .at(0)
      .sessions.send('gone', { content: 'And how wide is it?' })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'not-found' }));
    await place.at(1).sessions.delete('gone');
    await under;
    const left = await place
      .at(0)
      .sessions.turns('gone')
      .catch(() => []);
    expect(left.length).toBeLessThanOrEqual(1);
    expect(
      await place
        .at(1)
        .sessions.turns('gone')
        .catch(() => []),
    ).toEqual(left);
  });

  it('know memories, feedback, sources and the archive of the other', async () => {
    const [one, other] = [place.at(0), place.at(1)];
    const { memory } = await one.memories.add({ text: 'My boat is called Halcyon.' });
    expect((await other.memories.list({})).data.map(({ text }) => text)).toEqual([memory.text]);
    await other.memories.delete(memory.id);
    expect((await one.memories.list({})).data).toEqual([]);
    await one.sources.put({ name: 'shelf', type: 'docs', authority: 0.9 });
    expect((await other.sources.get('shelf')).authority).toBe(0.9);
    await other.sources.remove('shelf');
    await expect(one.sources.get('shelf')).rejects.toMatchObject({ code: 'not-found' });
    const said = (text: string) => ({ messages: [{ role: 'user', text, turn_id: 't' }] });
    const hits = async (at: Footnote, query: string) => (await at.conversations.peek({ query })).total.hits;
    expect([await hits(one, 'lantern'), await hits(other, 'lantern')]).toEqual([0, 0]);
    await one.conversations.addTurns('talk', said('The lantern is brass.'));
    expect([await hits(other, 'lantern'), await hits(one, 'lantern')]).toEqual([1, 1]);
    await other.conversations.delete('talk');
    expect([await hits(one, 'lantern'), await hits(other, 'lantern')]).toEqual([0, 0]);
  });

  it('give the trace of what the other found, which still waits to be written there', async () => {
    for (let at = 0; at < 6; at++) {
      const { traceId } = await place.at(at).search({ query: `pier ${at}` });
      expect((await place.at(at + 1).traces.get(traceId)).trace.id).toBe(traceId);
    }
    await expect(place.at(0).traces.get('trc_nowhere')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('narrow who may read a document for both at once', async () => {
    const scope = { tenant: 'default', principal: { id: 'ann', role: 'reader' as const, groups: ['crew'] } };
    const put = async (which: number, access: readonly string[]) =>
      place.at(which).documents.add({
        text: 'The cellar is locked.',
        mime: 'text/plain',
        source: 'notes',
        uri: 'cellar.txt',
        access,
      });
    const seen = async (which: number) =>
      (await place.at(which, scope).search({ query: 'cellar locked' })).results.length;
    for (let round = 0; round < 6; round++) {
      await put(round, ['crew']);
      expect([await seen(0), await seen(1)]).toEqual([1, 1]);
      await put(round + 1, ['board']);
      expect([await seen(round), await seen(round + 1)]).toEqual([0, 0]);
    }
  });

  it('make the first key once, where both start with it', async () => {
    const path = join(place.folder, 'first-key');
    await writeFile(path, randomBytes(32).toString('hex'));
    const told = await Promise.all(place.opened.map(({ keys }) => makeFirstKey(path, keys)));
    expect(told.filter((one) => one?.startsWith('Made the first admin key'))).toHaveLength(1);
    for (const { keys } of place.opened) expect(await keys.list()).toMatchObject([{ name: 'first', role: 'admin' }]);
  });
});
