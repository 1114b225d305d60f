// A model that answers from tables: what a row says under its header is released with the row as its citation, what it says of another column is not.
import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/language/scripted-model.ts';
import { faultsOf, modelText, runModelTurn } from './model-turn.ts';

const row = '| Q350 | 5.6 | 12 |';
const table = `Stations were visited in spring.\n\n| Station | Salinity | Depth (m) |\n|---|---|---|\n| Q349 | 7.1 | 30 |\n${row}\n| Q351 | 4.2 | 44 |`;
const passages = [{ id: 'c1', documentId: 'doc-1', title: 'Stations', text: table, start: 40, score: 5 }];

async function answerOf(text: string) {
  const model = createScriptedModel([
    { reply: modelText([[text, [1, row]]]) },
    { reply: '{"claims": [], "insufficient": true}' },
  ]);
  const turn = await runModelTurn({ question: 'What was the salinity at station Q350?', passages, model });
  expect(await faultsOf(turn)).toEqual([]);
  return turn;
}

describe('a model that answers from a table', () => {
  it('has its claim released, the row cited, and the trace says by which columns it was read', async () => {
    const { answer, events } = await answerOf('Station Q350 had a salinity of 5.6 at a depth of 12 m.');
    expect(answer.claims.map(({ text }) => text)).toEqual(['Station Q350 had a salinity of 5.6 at a depth of 12 m.']);
    expect(answer.citations.map(({ quote }) => quote)).toEqual([row]);
    const kept = events.flatMap((event) => (event.type === 'verdict' && event.kept ? [...event.reasons] : []));
    expect(kept).toEqual(['read-by-columns: Salinity, Depth (m)']);
  });
  it.each([
    'The salinity of station Q350 was 12.',
    'The salinity of station Q351 was 5.6.',
    'Station Q350 had a salinity of 12 at a depth of 5.6 m.',
  ])('never shows: %s', async (claim) => {
    const { answer } = await answerOf(claim);
    expect(answer.answer).not.toContain(claim);
  });
});
