// What a work is about: how it is asked for, and the lines by which works tell it.
import { describe, expect, it } from 'vitest';
import { subjectAsked, subjectPages, tellingOf, tellsSubject } from '../../src/text/subjects.ts';
import { askedOfWork, isWork } from '../../src/text/works.ts';

describe('a question for the subject of a work', () => {
  it.each([
    ['What is Tides and Men about?', { work: 'Tides and Men' }],
    ['What is the main argument of the book Tides and Men?', { work: 'Tides and Men' }],
    ['Summarise the Berths paper', { work: 'Berths', isPart: true }],
    ['Could you please summarize the report "Berths at Night" in three sentences?', { work: 'Berths at Night' }],
    ['Give me a short overview of Tides and Men.', { work: 'Tides and Men' }],
    ['What does the harbour handbook say?', { work: 'harbour', isPart: true }],
    ['Summarize harbour-rules.pdf', { work: 'harbour-rules' }],
  ])('%s', (question, asked) => expect(subjectAsked(question)).toEqual(asked));

  it.each([
    'What is it about?',
    'What does the harbour master say about fees?',
    'Who wrote Tides and Men?',
    'When did the overview appear?',
  ])('not: %s', (question) => expect(subjectAsked(question)).toBeUndefined());

  it('knows a work by its title, by a part of it where it is called a work, and by its file', () => {
    const one = { title: 'Berths at Night: Lights of Small Ports', uri: 'papers/harbour_lights-2019.pdf' };
    const asked = (question: string) => askedOfWork(question) ?? { work: '' };
    expect(isWork(one, asked('What is Berths at Night about?'))).toBe(true);
    expect(isWork(one, asked('What is Berths about?'))).toBe(false);
    expect(isWork(one, asked('What is the Berths paper about?'))).toBe(true);
    expect(isWork(one, asked('Summarize harbour_lights-2019.pdf'))).toBe(true);
    expect(isWork(one, asked('Summarize the Tides paper'))).toBe(false);
  });
});

describe('a line that tells what its work is about', () => {
  const named = 'Tides and Men';
  it.each([
    'This book is about the people who lived by the tide tables of the northern ports.',
    'In this paper, we describe how small ports light their berths at night.',
    'The purpose of this policy is to say who may enter the quay, and when they may do so.',
    'Instead, the harbour that I defend in this book is one that everybody may enter.',
    'Tides and Men is about the troubles that follow a harbour long after it has closed.',
    'We propose a new way of lighting berths, by lamps that follow the ships.',
    'My claim is that no harbour was ever built for the men who worked in it.',
  ])('%s', (line) => expect(tellsSubject(line, named, 900)).toBe(true));

  it.each([
    'This book is printed on acid-free paper and is sold by the harbour office.',
    'The inspiration for the argument of this book comes from a walk along the quay.',
    'In this section, we describe the lamps that were used in the first year.',
    'Tides and Men walked along the quay before the lamps had been lit for the night.',
    'In this work we employ eight lamps for each of the berths of the port.',
  ])('does not: %s', (line) => expect(tellsSubject(line, named, 900)).toBe(false));

  it('is looked for where works introduce themselves', () => {
    const [book, abstract] = [
      'This book is about the people who lived by the tide tables.',
      'We propose a new way of lighting berths, by lamps that follow.',
    ];
    expect(tellsSubject(book, named, subjectPages - 1)).toBe(true);
    expect(tellsSubject(book, named, subjectPages)).toBe(false);
    expect(tellsSubject(abstract, named, 20_000)).toBe(false);
    expect(tellingOf(`${book} It rained. ${abstract}`, named, 0)).toBe(2);
  });
});
