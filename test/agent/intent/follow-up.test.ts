import { describe, expect, it } from 'vitest';
import { type EarlierTurn, resolveFollowUp } from '../../../src/agent/intent/follow-up.ts';

function turn(resolvedQuestion: string, claim?: string): EarlierTurn {
  const claims = claim === undefined ? [] : [{ text: claim, citations: [1], support: 1 }];
  return { resolvedQuestion, answer: { claims } as unknown as EarlierTurn['answer'] };
}

describe('resolveFollowUp', () => {
  it.each([
    [
      'When was she born?',
      turn('Who discovered polonium?', 'Marie Curie discovered polonium in 1898.'),
      'When was Marie Curie born?',
    ],
    ['What was his profession?', turn('Who was Gustave Eiffel?'), 'What was Gustave Eiffel’s profession?'],
    [
      'How tall is it?',
      turn('Where is the Eiffel Tower?', 'The Eiffel Tower is in Paris.'),
      'How tall is Eiffel Tower?',
    ],
    [
      'Which Node.js versions does it support?',
      turn('When was Finch 4 released?', '4.0.0: 3 May 2030'),
      'Which Node.js versions does Finch 4 support?',
    ],
    ['and in 2019?', turn('What was the revenue in 2018?'), 'and in 2019? (What was the revenue in 2018)'],
    ['And the R2?', turn('How heavy is the R1?'), 'And the R2? (How heavy is the R1)'],
    [
      'When was he promoted?',
      turn(
        'Who invented JavaScript?',
        'SpiderMonkey is the engine developed by Brendan Eich, who invented JavaScript.',
      ),
      'When was Brendan Eich promoted?',
    ],
    ['WHEN WAS IT SOLD?', turn('Where is the Eiffel Tower?'), 'WHEN WAS IT SOLD? (Where is the Eiffel Tower)'],
    ['¿Y en 2019?', turn('¿Cuánto fue el beneficio en 2018?'), '¿Y en 2019? (¿Cuánto fue el beneficio en 2018)'],
    [
      'E per i bambini?',
      turn('Quanto costa il museo per gli adulti?'),
      'E per i bambini? (Quanto costa il museo per gli adulti)',
    ],
    ['How can it be avoided?', turn('What is overfitting?'), 'How can it be avoided? (What is overfitting)'],
    ['tell me more', turn('What is overfitting?'), 'What is overfitting?'],
  ])('%s', (content, earlier, expected) => {
    expect(resolveFollowUp(content, [earlier]).resolved).toBe(expected);
  });

  it.each([
    'When was the Louvre opened?',
    'Did Tesla sell his patents?',
    'Who said that the earth is flat?',
    'What is the population of Ghana?',
    'Who leads IT?',
    'E-mail retention policy?',
    'What is our CI provider?',
    'How do I draw an er diagram?',
  ])('leaves alone: %s', (content) => {
    expect(resolveFollowUp(content, [turn('Where is Paris?')]).resolved).toBe(content);
  });

  it('adds the question before to what has few words and no name', () => {
    expect(resolveFollowUp('Is there a discount for students?', [turn('What does the museum cost?')]).resolved).toBe(
      'Is there a discount for students? (What does the museum cost)',
    );
  });

  it('leaves the first question of a session alone', () => {
    expect(resolveFollowUp('When was she born?', []).resolved).toBe('When was she born?');
  });

  it('reaches back over a turn that names nothing', () => {
    const turns = [turn('Who was Ada Lovelace?'), turn('tell me more about computing?')];
    expect(resolveFollowUp('Where did she live?', turns).resolved).toBe('Where did Ada Lovelace live?');
  });
});
