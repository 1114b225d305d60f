// Answers that were found good are found again by questions like theirs, each for whom it was good, and go with what they rest on.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const texts = {
  Lighthouse: 'The lighthouse of Westport is 41 metres tall.',
  Leave: 'Every employee has 28 days of paid leave a year.',
  Kitchen: 'The kitchen closes at nine in the evening.',
};
const questions = ['How tall is the lighthouse of Westport?', 'How many days of paid leave does an employee have?'];

describe('an answer that was found good', () => {
  let folder: string;
  let opened: OpenedFootnote;
  let footnote: Footnote;
  const ids = new Map<string, string>();
  const open = async (withEncoder: boolean): Promise<void> => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-episodes-'));
    const environment = { FOOTNOTE_DATA: join(folder, 'data'), ENCODER_TIMEOUT_MS: '60000' };
    opened = await openFootnote(loadConfig({ folder, environment }), { withEncoder });
    footnote = opened.forScope(localScope());
    for (const [title, text] of Object.entries(texts)) {
      const [added] = await footnote.documents.add({ text, title, mime: 'text/plain', uri: `${title}.txt` });
      ids.set(title, added?.id ?? '');
    }
  };
  const praise = async (question: string, user?: string): Promise<string> => {
    const { id } = await footnote.ask({ question, ...(user !== undefined && { user }) });
    await footnote.feedback.give(id, { rating: 'up' });
    return id;
  };
  const found = async (query: string, user?: string): Promise<readonly string[]> =>
    (await footnote.feedback.episodes({ query, ...(user !== undefined && { user }) })).map(({ answerId }) => answerId);

  beforeEach(() => open(true));
  afterEach(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it('is told with its question, its claims and its documents, to a question in other words', async () => {
    const [tower = '', leave = ''] = [await praise(questions[0] ?? ''), await praise(questions[1] ?? '')];
    await footnote.ask({ question: 'When does the kitchen close?' });
    expect(await footnote.feedback.episodes({ query: 'How much holiday does the staff get?' })).toEqual([
      {
        answerId: leave,
        question: questions[1],
        at: expect.any(String),
        similarity: expect.any(Number),
        claims: [texts.Leave],
        documents: [{ documentId: ids.get('Leave'), title: 'Leave' }],
      },
    ]);
    expect(await found('What is the height of the beacon in Westport?')).toEqual([tower]);
    expect(await found('At what hour can nobody eat any more?')).toEqual([]);
    expect(await footnote.feedback.episodes({ query: questions[0] ?? '', k: 1, minSimilarity: 0 })).toHaveLength(1);
  });

  it('is nobody else’s: of no other user of a key, and of no other key', async () => {
    const id = await praise(questions[0] ?? '', 'ada');
    expect(await found(questions[0] ?? '', 'ada')).toEqual([id]);
    expect(await found(questions[0] ?? '', 'bob')).toEqual([]);
    expect(await found(questions[0] ?? '')).toEqual([]);
    const scope = { ...localScope(), principal: { id: 'key:other', role: 'admin', groups: [] } } as const;
    expect(await opened.forScope(scope).feedback.episodes({ query: questions[0] ?? '', user: 'ada' })).toEqual([]);
  });

  it('is none any more once it was called wrong, it was erased, or a document of it may not be read', async () => {
    const [first, second] = [await praise(questions[0] ?? ''), await praise(questions[1] ?? '')];
    await footnote.feedback.give(first, { rating: 'down' });
    expect(await found(questions[0] ?? '')).toEqual([]);
    await footnote.feedback.give(first, { rating: 'up' });
    expect(await found(questions[0] ?? '')).toEqual([first]);
    await footnote.answers.delete(first);
    expect(await found(questions[0] ?? '')).toEqual([]);
    expect(await found(questions[1] ?? '')).toEqual([second]);
    await footnote.documents.delete(ids.get('Leave') ?? '');
    expect(await found(questions[1] ?? '')).toEqual([]);
  });

  it('is found by its words where there is no encoder', async () => {
    await opened.close();
    await rm(folder, { recursive: true });
    await open(false);
    const id = await praise(questions[0] ?? '');
    expect(await found('How tall is the Westport lighthouse?')).toEqual([id]);
    expect(await found('What is the height of the beacon?')).toEqual([]);
  });
});
