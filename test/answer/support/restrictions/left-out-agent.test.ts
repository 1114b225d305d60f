// Active sentences said in the passive without whoever did it: true where somebody did all of it, refused where only some did, or something else was done.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../../src/answer/support.ts';

const pairs = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' | ') as [claim: string, quote: string]);

describe('a passive without whoever did it', () => {
  it.each(
    pairs(`
The house was bought in 1999. | Kim bought the house in 1999.
The bill was passed in June. | Parliament passed the bill in June.
The castle was destroyed. | An earthquake destroyed the castle.
The results were published in Nature. | The team published the results in Nature.
The prize was given to Chen. | The jury gave the prize to Chen.
The house was bought. | Kim bought the house and the garden was sold.
`),
  )('is carried: %s | %s', (claim, quote) => {
    expect(supportOf(claim, quote)).toMatchObject({ verdict: 'supported' });
  });

  it.each(
    pairs(`
The plan was approved. | Half of the council approved the plan.
The treaty was rejected. | Voters in Ireland rejected the treaty.
The film was praised. | Some critics praised the film.
The law was adopted. | Few countries adopted the law.
The castle was destroyed. | No earthquake destroyed the castle.
The castle was destroyed. | An earthquake nearly destroyed the castle.
The castle was destroyed. | An earthquake destroyed the castle wall.
The castle was destroyed. | The army planned to destroy the castle.
The castle was destroyed. | The army said that it destroyed the castle.
The army was released. | The army released the prisoners.
The king was killed. | The king killed the duke.
The duke was killed in 1340. | The king killed the duke's brother in 1340.
Kim was bought in 1999. | Kim bought the house in 1999.
The prize was given to the jury. | The jury gave the prize to Chen.
The prisoners were freed. | The army never released the prisoners.
The prisoners were released. | The army released two of the prisoners.
The vaccine was approved. | The agency approved the vaccine for adults.
The bill was passed in June. | The lower house passed the bill in June and the senate rejected it.
`),
  )('is refused: %s | %s', (claim, quote) => {
    expect(supportOf(claim, quote).verdict).toBe('unsupported');
  });
});
