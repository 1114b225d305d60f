// Sentences that tell a decision are told from those that put it off, ask for it or deny it: most of those that rules were not shaped on, too.
import { expect, it } from 'vitest';
import { tellsDecision } from '../../../src/agent/archive-chat/decisions.ts';
import { decided, shapedOn, undecided } from '../../../testkit/decision-sentences.ts';

it('knows decisions in the words of people, and takes no doubt, question or habit for one', () => {
  const missed = (from: number, to?: number) => decided.slice(from, to).filter((sentence) => !tellsDecision(sentence));
  const taken = (from: number, to?: number) => undecided.slice(from, to).filter((sentence) => tellsDecision(sentence));
  expect(missed(0, shapedOn)).toEqual([]);
  expect(taken(0, shapedOn).length).toBeLessThanOrEqual(1);
  expect(missed(shapedOn).length).toBeLessThanOrEqual(2);
  expect(taken(shapedOn).length).toBeLessThanOrEqual(2);
});

it('is done in linear time', () => {
  const long = `I ${'have '.repeat(20_000)}choose ${'in the end '.repeat(5000)}`;
  const before = process.cpuUsage();
  tellsDecision(long);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
});
