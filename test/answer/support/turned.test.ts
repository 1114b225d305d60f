// A sentence said the other way round says the same where nothing is left over on either side; deeds may be told by their noun; a figure
// stays with what it was told of.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';

describe('a sentence said the other way round', () => {
  it.each([
    ['The castle was built after the abbey.', 'The abbey was built before the castle.'],
    ['The south tower is shorter than the north tower.', 'The north tower is taller than the south tower.'],
    ['The village lies below the hotel.', 'The hotel stands above the village.'],
    ['The editor sent a letter to the author.', 'The editor sent the author a letter.'],
    ['The tower is 96 metres high.', 'The tower has a height of 96 metres.'],
    ['The tunnel has a length of 3,400 metres.', 'The tunnel is 3.4 kilometres long.'],
    ['The hall has 14 clocks.', 'There are 14 clocks in the hall.'],
    [
      'The firm formed an alliance with the port four years ago.',
      'Four years ago, the firm formed an alliance with the port.',
    ],
    ['There is no meat in the soup.', 'The soup contains no meat.'],
    ['The rejection of the proposal by the committee came in June.', 'The committee rejected the proposal in June.'],
    ['Pirates invaded the island in 1571.', 'The invasion of the island by pirates happened in 1571.'],
  ])('is accepted: %s', (claim, quote) => {
    const { verdict, reasons } = supportOf(claim, quote);
    expect(verdict, reasons.join('; ')).toBe('supported');
  });

  it.each([
    ['The abbey was built after the castle.', 'The abbey was built before the castle.'],
    ['The castle was built after the abbey.', 'The castle was probably built after the abbey.'],
    ['The castle was built after the abbey.', 'The abbey was built long before the castle.'],
    ['The author sent a letter to the editor.', 'The editor sent the author a letter.'],
    ['The editor sent a letter to the author.', 'The editor sent the author of the book a letter.'],
    [
      'Four years ago, the firm formed an alliance with the port.',
      'The firm formed an alliance with the port five years ago.',
    ],
    ['The tower is 69 metres high.', 'The tower has a height of 96 metres.'],
    ['The hall has 14 clocks.', 'There are 14 clocks in the hall of mirrors.'],
    ['There is meat in the soup.', 'The soup contains no meat.'],
    ['The committee rejected the proposal.', 'The rejection of the proposal by the committee was feared.'],
    ['Pirates invaded the island.', 'An invasion of the island by pirates was prevented.'],
    ['Pirates invaded the island in 1571.', 'Fears of an invasion of the island by pirates came in 1571.'],
    ['Parliament approved the budget.', 'The approval of the budget by parliament was postponed.'],
  ])('is refused where something is left over or changed: %s', (claim, quote) => {
    expect(supportOf(claim, quote).verdict).toBe('unsupported');
  });

  it('keeps a figure with what it was told of', () => {
    const quote = 'Tom Berg founded the club. He left it in 1988.';
    expect(supportOf('Tom Berg founded the club in 1988 and left it.', quote).verdict).toBe('unsupported');
    expect(supportOf('Tom Berg founded the club and left it in 1988.', quote).verdict).toBe('supported');
  });

  it('takes a lone semicolon for the end of a statement, not for a list', () => {
    const quote = 'It spans the width of Britain; the Wall incorporated the Vallum.';
    expect(supportOf('It spans the width of Wall; the Britain incorporated the Vallum.', quote).verdict).toBe(
      'unsupported',
    );
  });

  it('reads a word that stands there twice in its place', () => {
    const quote =
      'The members divide along party lines: the party of the farmers is currently the largest, and the party of the towns leads the opposition.';
    const claim = quote.replace('currently', 'now');
    expect(supportOf(claim, quote).verdict).toBe('supported');
    expect(supportOf(claim.replace('farmers', 'towns'), quote).verdict).toBe('unsupported');
  });

  it('leaves brackets with their item, and a small word with its name', () => {
    expect(
      supportOf(
        'The town has large Asian and Mexican (mainly Hmong) quarters.',
        'The town has large Mexican and Asian (mainly Hmong) quarters.',
      ).verdict,
    ).toBe('unsupported');
    expect(
      supportOf(
        'Jon Pertwee played the Doctor Who in a play titled Doctor, The Ultimate Adventure.',
        'Jon Pertwee played the Doctor in a play titled Doctor Who, The Ultimate Adventure.',
      ).verdict,
    ).toBe('unsupported');
  });
});
