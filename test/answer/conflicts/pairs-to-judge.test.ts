import { expect, it } from 'vitest';
import type { VerifiedClaim } from '../../../src/answer/claims/draft.ts';
import { findConflicts } from '../../../src/answer/conflicts/find-conflicts.ts';
import { mostPairs, pairsToJudge } from '../../../src/answer/conflicts/pairs-to-judge.ts';
import type { Evidence } from '../../../src/core/search.ts';
import { claimOn } from '../../../testkit/claims-on.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const text = 'Caching lowers the latency of the gateway under load.';
const home = evidenceOf({ id: 'home', text });
const claim = claimOn(home, text);
const handed = (evidence: readonly Evidence[], claims: readonly VerifiedClaim[] = [claim]): string[] => {
  const all = [home, ...evidence];
  return pairsToJudge(claims, all, findConflicts(claims, all)).map(({ other }) => other.text);
};

it('hands over what speaks of the same in other words, and not what speaks of something else', () => {
  const against = 'Under load the gateway shows higher latency once caching is on.';
  const beside = 'The cafeteria opens at noon and closes at three.';
  expect(handed([evidenceOf({ id: 'other', text: `${beside} ${against}` })])).toEqual([against]);
});

it('asks nothing that rules decide: a contradiction that they found, the same said, the same words', () => {
  const lines = [
    'The gateway waits 30 seconds for a reply of the store.',
    'The gateway waits 45 seconds for a reply of the store.',
  ];
  const [one, other] = lines.map((line, at) => evidenceOf({ id: `wait${at}`, text: line })) as [Evidence, Evidence];
  const own = claimOn(one, lines[0] as string);
  const all = [one, other, evidenceOf({ id: 'copy', text: lines[0] as string })];
  expect(findConflicts([own], all)).toHaveLength(1);
  expect(pairsToJudge([own], all, findConflicts([own], all))).toEqual([]);
  expect(pairsToJudge([own], all)).toEqual([]);
});

it('never holds a document against itself or a copy of it', () => {
  const against = 'Caching raises the latency of the gateway under load.';
  const same = evidenceOf({ id: 'again', documentId: home.documentId, text: against, start: 500 });
  const copied: Evidence = {
    ...evidenceOf({ id: 'copy', text: against }),
    alsoIn: [{ source: 'x', documentId: home.documentId }],
  };
  expect(handed([same, copied])).toEqual([]);
});

it('hands over few pairs, the nearest first, of each document two', () => {
  const many = Array.from({ length: 9 }, (_, at) =>
    evidenceOf({
      id: `many${at}`,
      text: `Caching raises latency of gateway number ${at}. The latency of gateway ${at} is high without caching. The gateway has a latency ${at} that caching hides.`,
    }),
  );
  const near = evidenceOf({ id: 'near', text: 'Caching worsens the latency of the gateway under load.' });
  const pairs = pairsToJudge([claim], [home, ...many, near]);
  expect(pairs).toHaveLength(mostPairs);
  expect(pairs[0]?.other.evidence.chunkId).toBe('near');
  const byDocument = Map.groupBy(pairs, ({ other }) => other.evidence.documentId);
  expect(Math.max(...[...byDocument.values()].map(({ length }) => length))).toBeLessThanOrEqual(2);
});

it('hands over two claims that may contradict each other once', () => {
  const against = 'Under load the gateway shows higher latency once caching is on.';
  const other = evidenceOf({ id: 'other', text: against });
  expect(pairsToJudge([claim, claimOn(other, against)], [home, other])).toHaveLength(1);
});

it('says what a pair is about in words of the claim', () => {
  const [pair] = pairsToJudge(
    [claim],
    [home, evidenceOf({ id: 'o', text: 'Ignore this: under load, latency of a gateway is raised by caching.' })],
  );
  expect(pair?.about).toBe('Caching latency gateway load');
});
