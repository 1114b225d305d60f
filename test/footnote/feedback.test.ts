// Feedback on answers, and what to read next, over a real record.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope, type Scope } from '../../src/core/scope.ts';
import { answerCaseSchema } from '../../src/evals/answers.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

const open = async (): Promise<void> => {
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-feedback-'));
  await open();
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const reader = (id: string): Scope => ({ tenant: localScope().tenant, principal: { id, role: 'reader', groups: [] } });

async function add(title: string, text: string, more: { category?: string; source?: string } = {}): Promise<string> {
  const [document] = await footnote.documents.add({ text, title, mime: 'text/plain', uri: `${title}.txt`, ...more });
  return document?.id ?? '';
}

describe('feedback', () => {
  it('is kept with the question, once for each person and thing, and is listed newest first', async () => {
    await add('Lighthouse', 'The lighthouse of Westport is 41 metres tall.');
    const answer = await footnote.ask({ question: 'How tall is the lighthouse of Westport?' });
    expect(answer.abstained).toBe(false);
    await footnote.feedback.give(answer.id, { rating: 'up', comment: 'right' });
    await footnote.feedback.give(answer.id, { rating: 'down', comment: 'wrong after all' });
    await footnote.feedback.give(answer.id, { rating: 'up', citation: 1 });
    await opened.close();
    await open();
    const { data } = await footnote.feedback.list({});
    expect(data.map(({ rating, citation, comment, question }) => ({ rating, citation, comment, question }))).toEqual(
      expect.arrayContaining([
        { rating: 'up', citation: 1, comment: undefined, question: 'How tall is the lighthouse of Westport?' },
        {
          rating: 'down',
          citation: undefined,
          comment: 'wrong after all',
          question: 'How tall is the lighthouse of Westport?',
        },
      ]),
    );
    expect(data).toHaveLength(2);
    const { people } = await footnote.evals.report();
    expect(people).toEqual({ judgements: 1, meanReciprocalRank: 1, recallAtThree: 1 });
    expect((await footnote.feedback.list({ rating: 'down' })).data).toHaveLength(1);
    const first = await footnote.feedback.list({ limit: 1 });
    const second = await footnote.feedback.list({
      limit: 1,
      ...(first.nextCursor !== undefined && { cursor: first.nextCursor }),
    });
    expect([...first.data, ...second.data].map(({ id }) => id).sort()).toEqual(data.map(({ id }) => id).sort());
  });

  it('counts citations that were opened apart from those that were judged', async () => {
    await add('Lighthouse', 'The lighthouse of Westport is 41 metres tall.');
    const answer = await footnote.ask({ question: 'How tall is the lighthouse of Westport?' });
    expect(await footnote.evals.report()).not.toHaveProperty('opened');
    for (let times = 0; times < 2; times++) await footnote.feedback.opened(answer.id, { citation: 1 });
    const stranger = opened.forScope(reader('stranger'));
    await expect(stranger.feedback.opened(answer.id, { citation: 1 })).rejects.toMatchObject({ code: 'not-found' });
    await expect(footnote.feedback.opened(answer.id, { citation: 9 })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    const report = await footnote.evals.report();
    expect(report.opened).toEqual({ judgements: 1, meanReciprocalRank: 1, recallAtThree: 1 });
    expect(report).not.toHaveProperty('people');
    await footnote.answers.delete(answer.id);
    expect(await footnote.evals.report()).not.toHaveProperty('opened');
  });

  it('is not taken for an answer or a citation that is not there, nor for somebody else’s answer', async () => {
    await add('Lighthouse', 'The lighthouse of Westport is 41 metres tall.');
    const answer = await footnote.ask({ question: 'How tall is the lighthouse of Westport?' });
    await expect(footnote.feedback.give('ans_none', { rating: 'up' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(footnote.feedback.give(answer.id, { rating: 'up', citation: 99 })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    const stranger = opened.forScope(reader('stranger'));
    await expect(stranger.feedback.give(answer.id, { rating: 'up' })).rejects.toMatchObject({ code: 'not-found' });
    await footnote.feedback.give(answer.id, { rating: 'up' });
    expect((await stranger.feedback.list({})).data).toEqual([]);
  });

  it('becomes cases of an evaluation: what was praised is what must be found again', async () => {
    const id = await add('Lighthouse', 'The lighthouse of Westport is 41 metres tall.');
    const answer = await footnote.ask({ question: 'How tall is the lighthouse of Westport?' });
    await footnote.feedback.give(answer.id, { rating: 'up' });
    const { data } = await footnote.feedback.cases({});
    expect(data).toMatchObject([{ question: 'How tall is the lighthouse of Westport?', document: id, rating: 'up' }]);
    expect(answerCaseSchema.parse(data[0]).answers?.[0]).toContain('41 metres');
  });

  it('goes with its answer when a session is deleted', async () => {
    await add('Lighthouse', 'The lighthouse of Westport is 41 metres tall.');
    const { id } = await footnote.sessions.create({});
    const answer = await footnote.sessions.send(id, { content: 'How tall is the lighthouse of Westport?' });
    await footnote.feedback.give(answer.id, { rating: 'down', comment: 'planted' });
    await footnote.sessions.delete(id);
    expect((await footnote.feedback.list({})).data).toEqual([]);
  });
});

describe('recommendations', () => {
  const texts: readonly [string, string, string][] = [
    [
      'Sourdough bread',
      'Sourdough bread rises by wild yeast. Feed the starter with rye flour and bake the loaf in a hot oven.',
      'baking',
    ],
    [
      'Rye loaves',
      'Rye loaves want a sour starter. Rye flour holds much water; bake the loaf long in a falling oven.',
      'baking',
    ],
    ['Croissants', 'Croissants are folded from butter and dough in many layers and baked until brown.', 'baking'],
    ['Sailing knots', 'A bowline holds a sheet. A sailor ties the cleat hitch on the deck.', 'sailing'],
    ['Tides', 'The tide turns twice a day. A sailor reads the tide table before leaving the harbour.', 'sailing'],
    ['Tax return', 'The tax return is due in July. Keep every receipt for seven years.', 'office'],
  ];

  it('are related documents first, with the reason, and never what was read or a copy of it', async () => {
    const ids = new Map<string, string>();
    for (const [title, text, category] of texts) ids.set(title, await add(title, text, { category }));
    await add('Copy of sourdough bread', texts[0]?.[1] ?? '', { category: 'baking' });
    const found = await footnote.recommend({ currentDocumentId: ids.get('Sourdough bread') ?? '', limit: 3 });
    expect(found[0]).toMatchObject({ title: 'Rye loaves', documentId: ids.get('Rye loaves') });
    expect(found[0]?.reason).toContain('"Sourdough bread"');
    expect(found[0]?.reason).toContain('of the category "baking"');
    expect(found.map(({ title }) => title)).not.toContain('Copy of sourdough bread');
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a));
    const later = await footnote.recommend({
      readDocumentIds: [ids.get('Rye loaves') ?? '', 'doc_gone'],
      currentDocumentId: ids.get('Sourdough bread') ?? '',
    });
    expect(later.map(({ title }) => title)).not.toContain('Rye loaves');
    expect(later[0]?.title).toBe('Croissants');
  });

  it('go by what is opened where nothing was read, and say so', async () => {
    const ids = new Map<string, string>();
    for (const [title, text, category] of texts) ids.set(title, await add(title, text, { category }));
    for (let times = 0; times < 3; times++) await footnote.documents.file(ids.get('Tides') ?? '');
    await opened.close();
    await open();
    const [first] = await footnote.recommend({});
    expect(first).toMatchObject({ title: 'Tides', reason: 'It was opened 3 times.' });
  });

  it('name a document that is not there, and a limit that is none', async () => {
    await expect(footnote.recommend({ currentDocumentId: 'doc_none' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(footnote.recommend({ limit: 0 })).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('are only of documents that the reader may read', async () => {
    const [open1] = texts;
    const id = await add(open1?.[0] ?? '', open1?.[1] ?? '', { category: 'baking' });
    await footnote.documents.add({
      text: texts[1]?.[1] ?? '',
      title: 'Rye loaves',
      mime: 'text/plain',
      uri: 'r.txt',
      category: 'baking',
      access: ['owner-only'],
    });
    const found = await opened.forScope(reader('stranger')).recommend({ currentDocumentId: id });
    expect(found).toEqual([]);
  });
});
