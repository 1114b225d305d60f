// Who made a work and when, as its first pages say it.
import { describe, expect, it } from 'vitest';
import { askedOfWork, firstPages, isTitleOf, saysOfWork } from '../../src/text/works.ts';

describe('a question about a work', () => {
  it.each([
    ['Who wrote Tides and Men?', 'author', 'Tides and Men'],
    ['Who are the authors of the paper "Berths at Night"?', 'author', 'Berths at Night'],
    ['By whom was Tides and Men written?', 'author', 'Tides and Men'],
    ['When was Tides and Men first published?', 'date', 'Tides and Men'],
    ['In which year did the report Berths at Night come out?', 'date', 'Berths at Night'],
    ['What is the publication date of Tides and Men?', 'date', 'Tides and Men'],
  ])('%s', (question, what, work) => expect(askedOfWork(question)).toEqual({ what, work }));

  it.each(['Who is the harbour master?', 'When was the quay built?', 'What is written on the gate?'])(
    'not: %s',
    (question) => expect(askedOfWork(question)).toBeUndefined(),
  );

  it('knows the work by its title, whole or its main part, and no other', () => {
    expect(isTitleOf('Tides and Men: A History of the Port', { work: 'tides and men' })).toBe(true);
    expect(isTitleOf('Tides and Men', { work: 'Tides and Men' })).toBe(true);
    expect(isTitleOf('A Hundred Years of Tides, Boats and Men of the North', { work: 'Men' })).toBe(false);
    expect(isTitleOf('Tides and Men', { work: 'Ships and Men' })).toBe(false);
  });
});

describe('a line of the first pages', () => {
  it.each([
    'Copyright © Mary Orr, 2004',
    '© 2004 Mary Orr',
    'Written by Mary Orr',
    'By Mary Orr',
    'Tides and men : a history of the port / Mary Orr.',
    'Mary Orr∗ | Jan de Vries, Aidan N. Hall†',
  ])('says who wrote it: %s', (line) =>
    expect(saysOfWork(line, { what: 'author', work: 'Tides and Men' }, 200)).toBe(true),
  );

  it.each([
    'Mary Orr thanked the crew.',
    'University of the North',
    'Harbour Lab | Harbour Lab Harbour Press',
    'Copyright © 2003 by The Northern Times Co. Reprinted with permission.',
    'orr@harbour.example',
  ])('does not: %s', (line) => expect(saysOfWork(line, { what: 'author', work: 'Tides and Men' }, 200)).toBe(false));

  it.each([
    'Copyright © Mary Orr, 2004',
    'First published by Quay Press in 1999',
    'arXiv:1706.03762v7 [cs.CL] 2 Aug 2023',
  ])('says when: %s', (line) => expect(saysOfWork(line, { what: 'date', work: 'Tides and Men' }, 200)).toBe(true));

  it('is no line of a later page, and a byline stands at the very beginning', () => {
    expect(saysOfWork('Copyright © Mary Orr, 2004', { what: 'author', work: 'Tides and Men' }, firstPages)).toBe(false);
    expect(saysOfWork('Mary Orr, Jan Brand', { what: 'author', work: 'Tides and Men' }, 5_000)).toBe(false);
    expect(
      saysOfWork(
        'The better-known year in the history of copyright is 1710.',
        { what: 'date', work: 'Tides and Men' },
        200,
      ),
    ).toBe(false);
  });
});
