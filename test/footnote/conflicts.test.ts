// What sources disagree about, from documents to a checked answer: the sentence that tells it, whom it follows, and how it stands up to
// verification, deletion and streams.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { noteOf } from '../../src/core/answers/conflict-note.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { localScope } from '../../src/core/scope.ts';
import type { AddDocument, Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-conflicts-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  footnote = opened.forScope(localScope());
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const add = (uri: string, text: string, more: Partial<AddDocument> = {}) =>
  footnote.documents.add({ text, uri, title: uri, source: 'notes', ...more });

const question = 'What is the default timeout of the gateway?';

async function ask(): Promise<{ answer: Answer; events: FootnoteEvent[] }> {
  const events: FootnoteEvent[] = [];
  const answer = await footnote.ask({ question }, { onEvent: (event) => events.push(event) });
  return { answer, events };
}

describe('conflicts', () => {
  it('stand in a sentence of their own behind the claims, cite both sides and follow the one with more authority', async () => {
    await add('manual.md', 'The default timeout of the gateway is 30 seconds.', {
      source: 'manual',
      sourceType: 'docs',
    });
    await add('forum.md', 'The default timeout of the gateway is 45 seconds.', { source: 'forum', sourceType: 'qa' });
    const { answer, events } = await ask();
    const [conflict] = answer.conflicts;
    expect(answer.conflicts).toHaveLength(1);
    expect(conflict?.positions.map(({ statement }) => statement).sort()).toEqual([
      'The default timeout of the gateway is 30 seconds.',
      'The default timeout of the gateway is 45 seconds.',
    ]);
    const followed = conflict?.positions[(conflict.follows?.position ?? 0) - 1];
    expect([followed?.statement, conflict?.follows?.because]).toEqual([
      'The default timeout of the gateway is 30 seconds.',
      'authority',
    ]);
    expect(answer.claims[0]?.text).toBe(followed?.statement);
    if (conflict) expect(answer.answer.endsWith(noteOf(conflict).text)).toBe(true);
    // Nothing that was streamed is taken back.
    expect(events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')).toBe(answer.answer);
    expect(events.filter(({ type }) => type === 'citation')).toHaveLength(answer.citations.length);
    const check = await footnote.answers.verify(answer);
    expect([check.ok, check.reasons]).toEqual([true, []]);
  });

  it('let that stand in front which is followed, also where another one fits the question better', async () => {
    const pool = 'The pool opens at most 10 connections.';
    await add('settings.md', `# Settings of Tern\n\nTern listens.\n\n${pool}`, {
      source: 'manual',
      sourceType: 'docs',
    });
    await add('pool.md', '# Tern\n\nThe pool of Tern opens at most 20 connections.', {
      source: 'forum',
      sourceType: 'qa',
    });
    const answer = await footnote.ask({ question: 'How many connections does the pool of Tern open?' });
    expect(answer.conflicts[0]?.follows?.because).toBe('authority');
    expect(answer.claims[0]?.text).toContain(pool);
    expect((await footnote.answers.verify(answer)).ok).toBe(true);
  });

  it('are checked like the rest of an answer: a word more, or a note that is not there, does not hold', async () => {
    await add('one.md', 'The default timeout of the gateway is 30 seconds.');
    await add('two.md', 'The default timeout of the gateway is 45 seconds.');
    const { answer } = await ask();
    const [conflict] = answer.conflicts;
    expect(conflict?.follows).toBeUndefined();
    const more = { ...answer, answer: `${answer.answer} Trust the first.` };
    expect((await footnote.answers.verify(more)).reasons).toEqual(['text-without-claim: Trust the first.']);
    const silent = { ...answer, answer: answer.answer.slice(0, answer.answer.lastIndexOf('\n\n')) };
    expect((await footnote.answers.verify(silent)).reasons[0]).toMatch(/^conflict-not-in-answer/u);
    const forged = {
      ...answer,
      conflicts: answer.conflicts.map((one) => ({
        ...one,
        positions: one.positions.map((position) => ({
          ...position,
          statement: 'The default timeout of the gateway is 90 seconds.',
        })),
      })),
    };
    expect((await footnote.answers.verify(forged)).ok).toBe(false);
  });

  it('follow the more recent of equal sources', async () => {
    await add('old.md', 'The default timeout of the gateway is 30 seconds.', { publishedAt: '2020-01-01T00:00:00Z' });
    await add('new.md', 'The default timeout of the gateway is 45 seconds.', { publishedAt: '2025-01-01T00:00:00Z' });
    const [conflict] = (await ask()).answer.conflicts;
    expect(conflict?.follows?.because).toBe('freshness');
    expect(conflict?.positions[(conflict.follows?.position ?? 0) - 1]?.statement).toContain('45 seconds');
  });

  it('are none where documents agree, speak of other things, or bind what they say', async () => {
    await add('one.md', 'The default timeout of the gateway is 30 seconds.');
    await add('two.md', 'By default the timeout of the gateway is half a minute, that is 30 s.');
    await add('three.md', 'The default timeout of the worker is 45 seconds.');
    await add('four.md', 'On Windows the default timeout of the gateway is 60 seconds.');
    expect((await ask()).answer.conflicts).toEqual([]);
  });

  it('go with a document that is deleted, and what is left still holds', async () => {
    await add('one.md', 'The default timeout of the gateway is 30 seconds.');
    await add('two.md', 'The default timeout of the gateway is 45 seconds.');
    const { answer } = await ask();
    const other = answer.citations.find(({ index }) => !answer.claims[0]?.citations.includes(index));
    expect(other).toBeDefined();
    await footnote.documents.delete(other?.documentId ?? '');
    await opened.settleErasures();
    const left = await footnote.answers.get(answer.id);
    expect(left.conflicts).toEqual([]);
    expect(left.answer).not.toContain('disagree');
    expect((await footnote.answers.verify(left)).ok).toBe(true);
  });
});
