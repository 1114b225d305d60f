// Feedback from an answer to the order of the next search: shown in the explanation, of the own tenant alone, off by default, and replayed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';

const question = 'How tall is the tower of Oban?';

it('moves what a praised answer cited, visibly, and nowhere else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-feedback-order-'));
  const open = (weight: string) =>
    openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), FEEDBACK_WEIGHT: weight } }));
  const opened = await open('0.1');
  const local = localScope();
  const footnote = opened.forScope(local);
  const elsewhere = opened.forScope({ ...local, tenant: 'elsewhere' });
  const terms = async (one: Footnote) => {
    const { results, traceId } = await one.search({ query: question, explain: true });
    const ranking = results.flatMap(({ explanation }) => explanation?.ranking ?? []);
    return { feedback: ranking.filter(({ name }) => name === 'feedback').map(({ weight }) => weight), traceId };
  };
  try {
    for (const one of [footnote, elsewhere]) {
      await one.documents.add({ text: 'The tower of Oban is 43 metres tall.', uri: 'tower.md', source: 'notes' });
      await one.documents.add({ text: 'The pier of Oban is 90 metres long.', uri: 'pier.md', source: 'notes' });
    }
    expect((await terms(footnote)).feedback).toEqual([]);
    const answer = await footnote.ask({ question });
    await footnote.feedback.give(answer.id, { rating: 'up' });
    const { feedback, traceId } = await terms(footnote);
    expect(feedback.filter((weight) => weight > 0)).toHaveLength(answer.citations.length);
    expect(await footnote.traces.replay(traceId)).toMatchObject({ same: true, sameCalls: true, divergences: [] });
    expect((await terms(elsewhere)).feedback).toEqual([]);
  } finally {
    await opened.close();
  }
  const silent = await open('0');
  try {
    expect((await terms(silent.forScope(local))).feedback).toEqual([]);
  } finally {
    await silent.close();
    await rm(folder, { recursive: true });
  }
});
