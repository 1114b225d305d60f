// Claims in words of their own: rules accept hardly one, contradict hardly a true one, and never accept a false one. What is left is a judge's.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';
import { writtenPairs } from '../../../testkit/forge/written-pairs.ts';

const vetoes = (claim: string, quote: string): readonly string[] => {
  const { verdict, reasons } = supportOf(claim, quote);
  return verdict === 'supported' ? [] : vetoesOf({ claim, quotes: [{ quote, title: '' }], reasons }).vetoes;
};

describe('claims in words of their own', () => {
  it('are never accepted where they are false, and hardly ever contradicted where they are true', () => {
    const [said, wrong] = [true, false].map((isTrue) => writtenPairs.filter((pair) => pair.isTrue === isTrue));
    expect(wrong?.filter(({ claim, quote }) => supportOf(claim, quote).verdict === 'supported')).toEqual([]);
    const contradicted = said?.filter(({ claim, quote }) => vetoes(claim, quote).length > 0).length ?? 0;
    expect(contradicted / (said?.length ?? 1)).toBeLessThan(0.22);
  });

  it.each([
    ['Over 400 paintings are displayed by the museum.', 'The museum displays over 400 paintings.'],
    ['Parliament gave its approval to the budget.', 'Parliament approved the budget.'],
    ['The shop is not open.', 'The shop is closed.'],
    ['Olga Petrov won the title in 1988.', 'Olga Petrov trained in Minsk. She won the title in 1988.'],
    ['The rice was delivered by the WFP.', 'The World Food Programme (WFP) delivered the rice.'],
    ['The school was built in the late 19th century.', 'The school was built in 1887.'],

    ['The fund paid 27 grants in 2020 and 2021 together.', 'In 2020 the fund paid 12 grants and in 2021 it paid 15.'],
    ['Sales grew by 25%.', 'Sales grew from 200 to 250 units.'],
    ['The trail is about 8 km long.', 'The trail is 5 miles long.'],

    ['Nadia Brandt was a chemist from Basel.', 'Nadia Brandt, a chemist from Basel, discovered the dye in 1931.'],
    ['Nadia Brandt, a chemist, discovered the dye.', 'Nadia Brandt was a chemist. Nadia Brandt discovered the dye.'],
    ['Jaan Rebane was born in Tartu in 1954.', 'Born in Tartu in 1954, Jaan Rebane became a geologist.'],
    [
      'He has published two books on the longbow and was consulted as an expert on the wreck.',
      'He studied in Oxford, and he has published two books on the longbow. He was also consulted as an expert on the wreck.',
    ],

    ['Olga Petrov won the title in 1988.', 'Olga Petrov trained in Minsk. She won the title in 1988.'],
    [
      'The film Poseidon earned $181 million on a budget of $160 million.',
      'Poseidon (film) . Poseidon earned $ 181 million on a budget of $ 160 million .',
    ],

    ['The village lies below the hotel.', 'The hotel stands above the village.'],
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
  ])('are accepted or left to a judge: %s', (claim, quote) => {
    expect(vetoes(claim, quote)).toEqual([]);
  });

  // Limits: nothing reads a sentence the other way round, and a claim that repeats a sentence takes nothing from the next one.
  it.each([
    [
      'The Millers aired in 2013 and was cancelled in 2014.',
      'The Millers aired in 2013. The Millers was cancelled in 2014.',
    ],
    ['The castle was built after the abbey.', 'The abbey was built before the castle.'],
    ['The south tower is shorter than the north tower.', 'The north tower is taller than the south tower.'],
    ['The editor sent a letter to the author.', 'The editor sent the author a letter.'],
  ])('are contradicted although true: %s', (claim, quote) => {
    expect(vetoes(claim, quote)).not.toEqual([]);
  });

  it.each([
    ['Sales grew by 50%.', 'Sales grew from 200 to 250 units.'],
    ['The company sold a small brewery in 2009.', 'The firm purchased a small brewery in 2009.'],
    ['The club lost 70 members between 2010 and 2020.', 'The club had 340 members in 2010 and 410 in 2020.'],
    ['The school was built in the early 19th century.', 'The school was built in 1887.'],
    ['A bonus is given to all staff.', 'All staff except trainees get a bonus.'],
    ['Pain was reduced by the drug.', 'The drug reduced pain in mice.'],
    [
      'In this state nobody has more people than the biggest city, Jackson.',
      'Jackson is the largest city by area in the state.',
    ],
    ['Ann was born in London.', 'Ann was born in Paris. Bob was born in London.'],

    ['He almost won the race and won the race.', 'He almost won the race.'],
    ['Ana Ruiz, a lawyer, won the case.', 'Ana Ruiz won the case. Tom Berg, a lawyer, lost it.'],
    ['Ana Ruiz is the mayor.', 'Ana Ruiz, the mayor of Lyon, resigned.'],
    ['Ana Ruiz is the mayor.', 'Ana Ruiz, the former mayor, resigned.'],
    ['Tom Berg is the mayor of Lyon.', 'The wife of Tom Berg, the mayor of Lyon, resigned.'],
    ['Ana Ruiz was born in Lyon.', 'If born in Lyon in 1950, Ana Ruiz was French.'],
    [
      'He was born in Lyon and died in Graz.',
      'Ben was a judge. He was born in Lyon. Carl was a painter. He died in Graz.',
    ],
    [
      'The museum was founded in 1890, and it moved to the harbour in 1950.',
      'The museum was founded in 1890. The club was founded in 1900. It moved to the harbour in 1950.',
    ],

    [
      'The venue of Lind was relegated from the first league in 2013.',
      'The venue of Lind is in Mill Street, north of the town. Lind was relegated from the first league in 2013.',
    ],
    [
      'Complexity theory is a branch of computer science and is understood to be a task for machines.',
      'Complexity theory is a branch of computer science that sorts problems. A problem of complexity is understood to be a task for machines.',
    ],
    [
      'It is also known as the plastome and was first proved in 1962.',
      'It is also known as the plastome. Its existence was first proved in 1962.',
    ],
    [
      'It won the award in 2000 and has its origins in the college.',
      'It won the award in 2000. Lind University has its origins in the college.',
    ],

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
  ])('are refused where they say something else: %s', (claim, quote) => {
    expect(supportOf(claim, quote).verdict).toBe('unsupported');
  });

  it('takes a lone semicolon for the end of a statement, not for a list', () => {
    const quote = 'It spans the width of Britain; the Wall incorporated the Vallum.';
    expect(supportOf('It spans the width of Wall; the Britain incorporated the Vallum.', quote).verdict).toBe(
      'unsupported',
    );
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
