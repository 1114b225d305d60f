import { describe, expect, it } from 'vitest';
import { type EarlierTurn, resolveFollowUp, topicOf } from '../../../src/agent/intent/follow-up.ts';

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
    ['What did it cost?', turn('Who uses the press?', 'Type: Press; User: Ada Brook'), 'What did press cost?'],
    [
      'Which Node.js versions does it support?',
      turn('When was Finch 4 released?', '4.0.0: 3 May 2030'),
      'Which Node.js versions does Finch 4 support?',
    ],
    ['and in 2019?', turn('What was the revenue in 2018?'), 'What was the revenue in 2019?'],
    ['And in 2019?', turn('Who won the cup?'), 'Who won the cup in 2019?'],
    ['What about Brazil?', turn('What is the capital of Argentina?'), 'What is the capital of Brazil?'],
    ['What about the Bendix Uno?', turn('What does the Arnold 3000 cost?'), 'What does the Bendix Uno cost?'],
    ['And the R2?', turn('How heavy is the Fjord Pro 12.5?'), 'How heavy is the R2?'],
    ['How about Berlin', turn('How many people live in Hamburg?'), 'How many people live in Berlin?'],
    [
      'When was he promoted?',
      turn(
        'Who invented JavaScript?',
        'SpiderMonkey is the engine developed by Brendan Eich, who invented JavaScript.',
      ),
      'When was Brendan Eich promoted?',
    ],
    ['Who wrote it?', turn('When does the draft protocol expire?'), 'Who wrote draft protocol?'],
    [
      'Which methods does it have?',
      turn('What is the price of the draft protocol?'),
      'Which methods does draft protocol have?',
    ],
    ['How can it be avoided?', turn('What is overfitting?'), 'How can overfitting be avoided?'],
    ['tell me more', turn('What is overfitting?'), 'What is overfitting?'],
    ['why?', turn('Did the bridge collapse?'), 'why bridge collapse?'],
  ])('%s', (content, earlier, expected) => {
    expect(resolveFollowUp(content, [earlier]).resolved).toBe(expected);
  });

  it.each([
    'When was the Louvre opened?',
    'Did Tesla sell his patents?',
    'Who said that the earth is flat?',
    'What is the population of Ghana?',
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

  it('asks "and the other one?" of the other of two things', () => {
    const compared = turn('Which is cheaper, the Arnold 3000 or the Bendix Uno?', 'The Arnold 3000 is cheaper: …');
    const one = turn('How heavy is the Arnold 3000?');
    expect(resolveFollowUp('And the other one?', [compared, one]).resolved).toBe('How heavy is the Bendix Uno?');
    expect(resolveFollowUp('what about the other?', [compared, turn('How heavy is the Bendix Uno?')]).resolved).toBe(
      'How heavy is the Arnold 3000?',
    );
    expect(resolveFollowUp('And the other one?', [compared]).resolved).toBe('What is Bendix Uno?');
    expect(resolveFollowUp('And the other one?', [turn('How heavy is the Arnold 3000?')]).resolved).toContain('Arnold');
  });

  it('takes "of them" for the two things that were asked about last', () => {
    const turns = [
      turn('What does the Arnold 3000 cost?'),
      turn('Who made the Bendix Uno?'),
      turn('When was Bendix Uno released?'),
    ];
    expect(resolveFollowUp('Which of them came first?', turns).resolved).toBe(
      'Which of Arnold 3000 and Bendix Uno came first?',
    );
    expect(resolveFollowUp('Which one of the two is cheaper?', turns).resolved).toBe(
      'Which of Arnold 3000 and Bendix Uno is cheaper?',
    );
    expect(resolveFollowUp('Which of them came first?', turns.slice(0, 1)).resolved).not.toContain('Bendix');
  });

  it('reaches back over a turn that names nothing', () => {
    const turns = [turn('Who was Ada Lovelace?'), turn('tell me more about computing?')];
    expect(resolveFollowUp('Where did she live?', turns).resolved).toBe('Where did Ada Lovelace live?');
  });

  it('names the topic of a question', () => {
    expect(topicOf('What is the RAFT protocol?')).toBe('RAFT protocol');
  });
});
