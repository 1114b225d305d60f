// Questions about a person, a year of talk and the manuals of a household, in words that what answers them does not have. The first ten were written before
// the rest of this folder, and ask for a step of thought besides (who must not eat hazelnuts, what pump heats a house); the others, which only say the same
// in other words, before any of them was asked.

export interface YearQuestion {
  readonly question: string;
  /** Words of the place that answers: of what was told of the person, of a turn, or of a manual. Of a question for a time: its month. */
  readonly place: string;
  readonly of: 'person' | 'past' | 'manual';
}

export const farQuestions: readonly YearQuestion[] = [
  { of: 'person', question: 'What should a cook leave out of my meals?', place: 'allergic to hazelnuts' },
  { of: 'person', question: 'Which instrument does my child practise?', place: 'plays the cello' },
  { of: 'person', question: 'What do I do for a living?', place: 'ship surveyor' },
  { of: 'person', question: 'How do I get to the office?', place: 'commute by bicycle' },
  { of: 'past', question: 'Which heating did we pick in the end?', place: 'signed for the Daikin air-to-water pump' },
  { of: 'past', question: 'Where did we say we would spend the summer holiday?', place: 'ferry to Gotland' },
  { of: 'past', question: 'What did we talk about in October?', place: '2025-10' },
  { of: 'manual', question: 'How do I get rid of lime in the espresso maker?', place: 'sachet of citric powder' },
  { of: 'manual', question: 'My dishwasher is leaking, what now?', place: 'collected in the base pan' },
  { of: 'manual', question: 'How can I make the wifi box forget everything?', place: 'factory state returns' },
];

export const questions: readonly YearQuestion[] = [
  { of: 'person', question: 'Who is my sibling?', place: 'brother Tom' },
  { of: 'person', question: 'Which languages can I talk in?', place: 'Dutch and English' },
  { of: 'person', question: 'What is the name of my vessel?', place: 'Halcyon' },
  { of: 'person', question: 'What is my spouse’s profession?', place: 'Ines teaches' },
  {
    of: 'past',
    question: 'What did I say about the noisy machine that keeps my wife awake?',
    place: 'outdoor unit hums',
  },
  { of: 'past', question: 'What did we agree on concerning the automobile that I purchased?', place: 'Octavia' },
  { of: 'past', question: 'What did we discuss about insects in the garden?', place: 'swarm sits' },
  { of: 'manual', question: 'What is the duration of the short wash?', place: 'Quick takes 35 minutes' },
  { of: 'manual', question: 'How do I change the knife of the lawn machine?', place: 'turn the blade over' },
  { of: 'manual', question: 'Can visitors use my internet connection?', place: 'Guests get a network' },
];
