// Questions that have one answer, and questions that nearly look so: 0 of more than a thousand made pairs with different answers are taken for one.
import { describe, expect, it } from 'vitest';
import { canonicalQuestion } from '../../../src/agent/answer-cache/canonical-question.ts';

const isSame = (one: string, other: string): boolean => canonicalQuestion(one) === canonicalQuestion(other);

describe('the same question', () => {
  it.each([
    ['Who designed the lighthouse of Cabo Frio?', 'who designed the lighthouse of cabo frio'],
    ['Who designed the lighthouse?', 'Hello, could you please tell me who designed the lighthouse? Thanks!'],
    ['When was the tower built?', 'Please tell me when the tower was built.'],
    ['What is the capital of France?', "What's the capital of France?"],
    ['What is the height of the tower?', 'How tall is the tower?'],
    ["What is the tower's height?", 'What is the height of the tower?'],
    ["What is Marta Oliveira's age?", 'What is the age of Marta Oliveira?'],
    ['In which year was the tower built?', 'When was the tower built?'],
    ['How many people does the ferry carry?', 'How many people does the ferry carry'],
    ['What does not float?', "What doesn't float?"],
    ['How much is 1,000 kg?', 'How much is 1000 kg?'],
  ])('%s / %s', (one, other) => {
    expect(isSame(one, other)).toBe(true);
  });
});

describe('another question', () => {
  it.each([
    ['Who beat Smith?', 'Who did Smith beat?'],
    ['Who beat Smith?', 'Whom did Smith beat?'],
    ['When did Rome attack Carthage?', 'When did Carthage attack Rome?'],
    ['Is Leeds larger than York?', 'Is York larger than Leeds?'],
    ['Is Leeds larger than York?', 'Is Leeds smaller than York?'],
    ['What is the price?', 'What was the price?'],
    ['What is not allowed?', 'What is allowed?'],
    ['Who is in the US?', 'Who is in us?'],
    ['How old is the tower?', 'How tall is the tower?'],
    ['What happened before 1914?', 'What happened after 1914?'],
    ['What costs $5?', 'What costs €5?'],
    ['What is a queen?', 'What is the queen?'],
    ['Who was the president?', 'Who were the presidents?'],
    ['What is C?', 'What is C++?'],
    ['What did Ann say to Bob?', 'What did Bob say to Ann?'],
    ['Has he not paid?', 'Has he paid?'],
    ['What is 1.5 kg?', 'What is 15 kg?'],
    ['What is -5 degrees?', 'What is 5 degrees?'],
  ])('%s / %s', (one, other) => {
    expect(isSame(one, other)).toBe(false);
  });

  it('in 1,200 made pairs: a number, a name, a negation, an order, a unit or a comparison changed', () => {
    const names = ['Anna Berg', 'Cabo Frio', 'Leeds', 'Marta Oliveira', 'Oban', 'Kotor', 'NASA', 'the Rhine'];
    const things = ['tower', 'harbour', 'ferry', 'contract', 'engine'];
    const forms: readonly ((name: string, thing: string, n: number) => readonly [string, string])[] = [
      (a, b, n) => [`What did ${a} pay for ${n} ${b}s?`, `What did ${a} pay for ${n + 1} ${b}s?`],
      (a, b, n) => [`When did ${a} build the ${b} in 19${n}?`, `When did ${a} build the ${b} in 19${n + 1}?`],
      (a, b, n) => [
        `Who sold the ${b} of ${a}?`,
        `Who sold the ${b} of ${names[(names.indexOf(a) + n + 1) % names.length] === a ? 'Paris' : names[(names.indexOf(a) + n + 1) % names.length]}?`,
      ],
      (a, b) => [`Which ${b} does ${a} own?`, `Which ${b} does ${a} not own?`],
      (a, b) => [`Did ${a} see the ${b} before Paris?`, `Did ${a} see the ${b} after Paris?`],
      (a, b) => [`How many ${b}s has ${a} sold to Paris?`, `How many ${b}s has Paris sold to ${a}?`],
      (a, b, n) => [`What weighs ${n} kg in the ${b} of ${a}?`, `What weighs ${n} g in the ${b} of ${a}?`],
      (a, b) => [`Who has the largest ${b} in ${a}?`, `Who has the smallest ${b} in ${a}?`],
      (a, b) => [`How tall is the ${b} of ${a}?`, `How old is the ${b} of ${a}?`],
      (a, b) => [`Why is the ${b} of ${a} open?`, `When is the ${b} of ${a} open?`],
    ];
    const pairs = forms.flatMap((form) =>
      names.flatMap((name) => things.flatMap((thing) => [20, 31, 47].map((n) => form(name, thing, n)))),
    );
    expect(pairs.length).toBe(1200);
    expect(pairs.filter(([one, other]) => isSame(one, other))).toEqual([]);
  });
});
