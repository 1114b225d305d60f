// The head of a search in the order of the best passage of each hit.
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { headLength, orderByPassages } from '../../src/retrieval/order-by-passages.ts';
import { evidenceOf } from '../../testkit/turn-library.ts';

const query = 'When was the Harlow dam completed?';
const evidence = Array.from({ length: headLength + 3 }, (_, at) => ({
  ...evidenceOf(
    `Text ${at}`,
    at === 7 ? 'The Harlow dam was completed in 1974.' : `The gate ${at} leads to basin ${at}.`,
  ),
  score: 100 - at,
}));
const score = async (_: string, texts: readonly string[]) => texts.map(() => 0.5);
const scorer = { id: 'test', score, match: score, leastMatch: score };
const idsOf = (given: readonly { readonly chunkId: string }[]) => given.map(({ chunkId }) => chunkId);

describe('orderByPassages', () => {
  it('puts the hit in front whose passage answers, and takes and adds none', async () => {
    const { evidence: ordered, degraded } = await orderByPassages(evidence, { query, scorer });
    expect(ordered[0]?.chunkId).toBe('chk_Text 7');
    expect(idsOf(ordered).toSorted()).toEqual(idsOf(evidence).toSorted());
    expect(idsOf(ordered.slice(headLength))).toEqual(idsOf(evidence.slice(headLength)));
    expect(ordered.map(({ score }) => score)).toEqual(evidence.map(({ score }) => score));
    expect(degraded).toBeUndefined();
  });

  it('keeps the order of the search where the encoder fails, and says so', async () => {
    const fail = () => Promise.reject(new FootnoteError('upstream-unavailable', 'It died.'));
    const failing = { id: 'test', score: fail, match: fail, leastMatch: fail };
    const { evidence: ordered, degraded } = await orderByPassages(evidence, { query, scorer: failing });
    expect(ordered).toEqual(evidence);
    expect(degraded).toMatchObject({ component: 'encoder' });
  });

  it('leaves a question in another language to the search', async () => {
    const german = 'Wann wurde der Damm in der Schweiz fertig und woraus ist er gebaut?';
    expect((await orderByPassages(evidence, { query: german, scorer })).evidence).toBe(evidence);
  });
});
