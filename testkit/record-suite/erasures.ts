// What every database of the record has to do where something is deleted while somebody asks: what a request under way saves afterwards does not bring
// back what was deleted, what came back by itself stays, and the words that an answer lent to later questions go with it. Run over each adapter by test/db.
import { expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import type { LoggedEvent } from '../../src/core/events.ts';
import type { Erasures } from '../../src/db/both/noted-erasures.ts';
import { createWrite, scopeOf } from '../record-fixture.ts';
import { createAnswer } from './answer-fixture.ts';
import type { SuitePlace } from './place.ts';

const pause = (): undefined => undefined;
const at = '2026-11-23T00:00:00.000Z';

/** An answer with a claim for each document, the whole text of its first chunk. */
export function answerOn(id: string, writes: readonly ReturnType<typeof createWrite>[]): Answer {
  const claims = writes.map(({ text }, n) => ({ text, citations: [n + 1], support: 1 }));
  const { abstainReason: _, ...rest } = createAnswer(id, '');
  return {
    ...rest,
    abstained: false,
    answer: claims.map((claim, n) => `${claim.text} [${n + 1}]`).join(' '),
    claims,
    citations: writes.map(({ document, chunks, text }, n) => ({
      index: n + 1,
      documentId: document.id,
      chunkId: chunks[0]?.id ?? '',
      title: document.title,
      uri: document.uri,
      url: `http://127.0.0.1/v1/documents/${document.id}/view?start=0&end=${text.length}`,
      source: 'notes',
      quote: text,
      start: 0,
      end: text.length,
      score: 1,
      alsoIn: [],
    })),
  };
}

const logOf = (answer: Answer): readonly LoggedEvent[] => [
  { seq: 1, atMs: 0, event: { type: 'status', stage: 'searching' } },
  { seq: 2, atMs: 1, event: { type: 'done', answer } },
];
const traceOf = (id: string, sessionId?: string) => ({
  id,
  kind: 'ask' as const,
  ...(sessionId !== undefined && { sessionId }),
  startedAt: new Date(Date.now() - 1000).toISOString(),
  totalMs: 1,
  eventCount: 2,
});

/** Sees every deletion through. */
export async function sweepAll(erasures: Erasures): Promise<void> {
  for (let noted = await erasures.noted('default'); noted; noted = await erasures.noted('default')) {
    await erasures.sweep(noted, pause);
    await erasures.settle(noted);
  }
  expect(await erasures.cleanPages(pause)).toBe(true);
  expect(await erasures.pending()).toEqual([]);
}

export function erasureSuite(place: SuitePlace): void {
  async function put(id: string, text: string) {
    const write = createWrite(text, { id, uri: `${id}.md` });
    await place.tenant.commit([
      { kind: 'put-source', source: { name: 'notes', type: 'docs' } },
      { kind: 'put-document', write },
    ]);
    return write;
  }
  const remove = (id: string): Promise<unknown> => place.tenant.commit([{ kind: 'delete-document', id }]);

  const sweep = (): Promise<void> => sweepAll(place.erasures);

  it('keeps what rests on other documents, under the same id', async () => {
    const writes = [await put('gone', 'Otters swim at dawn.'), await put('kept', 'Herons wait at dusk.')];
    await place.tenant.answers.save(answerOn('ans_1', writes), at);
    await place.tenant.answers.save(answerOn('ans_2', writes.slice(1)), at);
    await remove('gone');
    await sweep();
    const left = await place.tenant.answers.get('ans_1');
    expect([left?.answer, left?.citations.length, left?.erased?.documents]).toEqual([
      'Herons wait at dusk. [1]',
      1,
      ['gone'],
    ]);
    expect(await place.tenant.answers.get('ans_2')).toEqual(answerOn('ans_2', writes.slice(1)));
  });

  it('saves nothing of a document that was deleted while the answer was made', async () => {
    const write = await put('gone', 'Otters swim at dawn.');
    const answer = answerOn('ans_1', [write]);
    const { idempotency, answers, traces, sessions } = place.tenant;
    expect(await idempotency.begin('POST /v1/ask', 'key', 'hash')).toBe('new');
    await remove('gone');
    await sweep();
    await answers.save(answer, at);
    await traces.save(traceOf('trc_1'), logOf(answer));
    await sessions.appendTurn({
      id: 'trn_1',
      sessionId: 's',
      content: 'Who swims?',
      resolvedQuestion: 'Who swims?',
      answer,
      createdAt: at,
    });
    await idempotency.finish('POST /v1/ask', 'key', { requestHash: 'hash', status: 200, body: JSON.stringify(answer) });
    const kept = JSON.stringify([
      await answers.get('ans_1'),
      await traces.get('trc_1'),
      await sessions.turns('s', 10),
      await idempotency.begin('POST /v1/ask', 'key', 'hash'),
    ]);
    expect(kept).not.toContain('Otters');
    expect((await answers.get('ans_1'))?.erased?.documents).toEqual(['gone']);
    expect((await traces.get('trc_1'))?.events.map(({ event }) => event.type)).toEqual(['status', 'erased']);
  });

  it('takes the question out of the list of traces with the words of the trace', async () => {
    const { traces } = place.tenant;
    const writes = [await put('gone', 'Otters swim at dawn.'), await put('kept', 'Herons wait at dusk.')];
    const asked = (question: string, write: (typeof writes)[number]): readonly LoggedEvent[] => [
      { seq: 1, atMs: 0, event: { type: 'request', kind: 'ask', body: { question }, at } },
      ...logOf(answerOn('ans_1', [write])),
    ];
    for (const [place, write] of writes.entries())
      await traces.save(traceOf(`trc_${place}`), asked('Do otters wait?', write));
    await traces.saveSoon(traceOf('trc_waits'), asked('Otters?', writes[0] as never));
    await remove('gone');
    expect((await traces.get('trc_waits'))?.trace.question).toBeUndefined();
    await sweep();
    await traces.save(traceOf('trc_late'), asked('Otters?', writes[0] as never));
    const { data } = await traces.list({});
    expect(new Map(data.map(({ id, question }) => [id, question]))).toEqual(
      new Map([
        ['trc_0', undefined],
        ['trc_1', 'Do otters wait?'],
        ['trc_waits', undefined],
        ['trc_late', undefined],
      ]),
    );
    expect((await traces.list({ filter: { question: 'otters' } })).data.map(({ id }) => id)).toEqual(['trc_1']);
  });

  it('leaves answers on a document that came back, and takes those on its earlier words', async () => {
    const first = await put('d', 'Otters swim at dawn.');
    await place.tenant.answers.save(answerOn('ans_1', [first]), at);
    await remove('d');
    const second = await put('d', 'Herons wait at dusk.');
    await place.tenant.answers.save(answerOn('ans_2', [second]), at);
    // Of a document that came back only those chunks are looked up that the text names.
    const asked = (await place.erasures.noted('default'))
      ?.isErasedIn(JSON.stringify(answerOn('ans_1', [first])))
      .next();
    expect(asked?.value).toMatchObject({ values: ['default', ['d'], [first.chunks[0]?.id]] });
    await sweep();
    expect((await place.tenant.answers.get('ans_1'))?.claims).toEqual([]);
    expect(await place.tenant.answers.get('ans_2')).toEqual(answerOn('ans_2', [second]));
  });

  it('keeps no message of a session that was deleted while it was answered, and takes a new one under its id', async () => {
    const { sessions, traces } = place.tenant;
    const turn = (id: string) => ({
      id,
      sessionId: 's',
      content: 'Otters?',
      resolvedQuestion: 'Otters?',
      answer: createAnswer(`ans_${id}`, 'Nothing.'),
      createdAt: at,
    });
    for (let n = 0; n < 50; n += 1) await sessions.appendTurn(turn(`trn_${n}`));
    const since = await sessions.deletionMark();
    expect(await sessions.delete('s')).toBe(true);
    await expect(sessions.appendTurn(turn('late'), { since })).rejects.toMatchObject({ code: 'not-found' });
    await traces.save(traceOf('trc_late', 's'), logOf(createAnswer('ans_late', 'Otters.')));
    expect([await sessions.get('s'), await sessions.turns('s', 10)]).toEqual([undefined, []]);
    expect(JSON.stringify(await traces.get('trc_late'))).not.toContain('Otters');
    await sessions.appendTurn(turn('new'), { since: await sessions.deletionMark() });
    expect(await sessions.turns('s', 10)).toHaveLength(1);
  });

  it('gives the same reply under a key however often it is swept, and says so of what is no answer', async () => {
    const write = await put('gone', 'Otters swim at dawn.');
    const { idempotency } = place.tenant;
    const answer = answerOn('ans_1', [write]);
    for (const [key, body] of [
      ['answer', answer],
      ['added', { documents: [{ id: 'gone', uri: 'gone.md' }] }],
      ['other', { documents: [{ id: 'kept', uri: 'kept.md' }] }],
    ] as const) {
      await idempotency.begin('POST /v1', key, 'hash');
      await idempotency.finish('POST /v1', key, { requestHash: 'hash', status: 202, body: JSON.stringify(body) });
    }
    await remove('gone');
    const noted = await place.erasures.noted('default');
    if (!noted) throw new Error('nothing noted');
    const statuses = async () =>
      Promise.all(['answer', 'added', 'other'].map((key) => idempotency.begin('POST /v1', key, 'hash')));
    await place.erasures.sweep(noted, pause);
    const once = await statuses();
    expect(once).toMatchObject([{ status: 200 }, { status: 404 }, { status: 202 }]);
    await place.erasures.sweep(noted, pause);
    expect(await statuses()).toEqual(once);
  });

  it('takes an answer that is erased out of every reply that gave it to who asked, and out of no other', async () => {
    const of = (id: string) => place.forScope(scopeOf('default', id, 'reader'));
    const [ann, bob] = [of('key:ann'), of('key:bob')];
    const [gone, stays] = [createAnswer('ans_1', 'Otters swim.'), createAnswer('ans_12', 'Otters sleep.')];
    for (const answer of [gone, stays]) await ann.answers.save(answer, at);
    const replies = [
      [ann, 'asked', gone],
      [ann, 'mirrored', { id: 'chatcmpl', footnote: gone }],
      [ann, 'other', stays],
      [ann, 'judged', { id: 'fb_1', answerId: gone.id }],
      [bob, 'forged', gone],
    ] as const;
    for (const [{ idempotency }, key, body] of replies)
      await idempotency.finish('POST /v1', key, { requestHash: 'h', status: 200, body: JSON.stringify(body) });
    await ann.idempotency.begin('POST /v1', 'running', 'h');
    expect(await bob.answers.delete(gone.id)).toBe(false);
    expect(await place.tenant.answers.delete(gone.id)).toBe(true);
    const left = await Promise.all(replies.map(([{ idempotency }, key]) => idempotency.read('POST /v1', key)));
    expect(left.map((reply) => reply?.status)).toEqual([404, 404, 200, 200, 200]);
    expect(await ann.idempotency.begin('POST /v1', 'running', 'h')).toBe('running');
  });
}
