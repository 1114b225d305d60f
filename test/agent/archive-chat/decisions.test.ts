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

it('knows what was done, put off for good, taken back or said without its subject, and no habit, plan or refusal of talk', () => {
  const told = [
    'We sold the Polo yesterday for 5,200.',
    "I'm switching the recipe app to Postgres.",
    "Update: we're not going to Dresden after all.",
    "I'm sending it back and getting the other one instead.",
    'Sold the phone, got a used one.',
    'Going with the second tool because of its price.',
    'Next year we rent a van, full stop.',
    'Fine, then Tuesdays from February on.',
    'Ghost got expensive, so the choir moved to Listmonk.',
    'Never touched it, so I gave it to my nephew.',
    'Wir haben uns für den zweiten Kurs entschieden.',
  ];
  const untold = [
    "I'm not sure about the daycare any more.",
    'No idea, we never tried.',
    'Wir haben uns noch nicht entschieden.',
    'So I need a new bag.',
    'The old one moved to the cellar every winter, usually.',
    'I want to start running.',
  ];
  expect(told.filter((sentence) => !tellsDecision(sentence))).toEqual([]);
  expect(untold.filter((sentence) => tellsDecision(sentence))).toEqual([]);
});

it('is done in linear time', () => {
  const long = `I ${'have '.repeat(20_000)}choose ${'in the end '.repeat(5000)}`;
  const before = process.cpuUsage();
  tellsDecision(long);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
});
