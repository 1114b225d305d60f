// What narrows a statement is kept: claims that leave something out of their quote, written by hand and made by the generator.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';
import { cutsOf } from '../../../testkit/forge/cuts.ts';
import { forgeTexts } from '../../../testkit/forge/forge-texts.ts';

const harmful = `
Jacksonville is the largest city by population in the U.S. | Jacksonville is the largest city by population in the U.S. state of Florida.
Entry is free for residents. | Entry is free for residents, but not for their guests.
All rooms have a balcony. | All rooms have a balcony, except those on the ground floor.
The shop is open every day. | The shop is open every day apart from public holidays.
The policy covers all damage. | The policy covers all damage other than flooding.
The fare includes all taxes. | The fare includes all taxes excluding the airport charge.
Refunds are paid. | Refunds are paid only in case of cancellation by the organiser.
The alarm sounds. | The alarm sounds upon loss of pressure.
The licence is granted. | The licence is granted given proof of residence.
Visitors may not enter. | Visitors may not enter without a permit.
The valve opens. | The valve opens when the pressure exceeds 8 bar.
The deposit is returned. | The deposit is returned provided that the keys are handed back.
She studied at New York. | She studied at New York University.
The mayor was arrested. | The mayor's driver was arrested.
He was a Nobel Prize. | He was a Nobel Prize candidate.
The firm lost a million dollars. | The firm lost half a million dollars.
It is the expensive option. | It is the least expensive option.
Children pay no fare. | Children under 12 pay no fare.
The garden is open to members. | The garden is open only to members.
Lund is the largest town. | Lund is the second largest town.
The minister resigned. | The deputy minister resigned.
The report was signed by the president. | The report was signed by the former president.
Employees receive free meals. | Employees who work at night receive free meals.
The books are lent for four weeks. | The books that are not reserved are lent for four weeks.
The drug is safe. | The drug is safe in adults.
The compound reversed the loss of memory. | In mice, the compound reversed the loss of memory.
No member may sign cheques. | No member other than the treasurer may sign cheques.
The law has failed. | According to its critics, the law has failed.
The Bank of England opened in 1988. | The Bank of England Museum opened in 1988.
The river was the border between the two states. | Until 1990 the river was the border between the two states.
The museum closed. | The museum shop closed.
The bridge is the longest. | The bridge is the longest in the county.
The bridge is the longest bridge. | The bridge is the longest wooden bridge.
Bell was accused of fraud by the court. | Bell was accused of fraud by the court clerk.
The prize went to the students. | The prize went to the students of the evening school.
Vitamin C prevents colds. | Vitamin C prevents colds in marathon runners.
The road is closed. | The road is closed at night.
Cars are banned from the centre. | Cars older than ten years are banned from the centre.
The label sold 40 million records in 2002. | The label and two smaller rivals together sold 40 million records in 2002.
Holm is a programmer in Lund. | Holm, a retired computer programmer in Lund, scanned the books.
The bill was rejected by the house. | The bill was rejected by the lower house.
The film was banned. | In Norway, the film was banned.
He joined the Bank in England in 1990. | He joined the Bank of England in 1990.
The bridge opened in 1931. | The bridge was to open in 1931.
The bridge opened in 1931. | The bridge, which was to open in 1931, was never built.
Fire destroyed the archive in 1911. | The near destruction of the archive by fire happened in 1911.
Used book stores are the life of a book. | Used book stores and libraries are thus the second life of a book.
The report on the merger was published in June. | The draft report on the merger was published in June.
Sales of cars doubled in 2020. | Sales of used cars doubled in 2020.
Armstrong invented radio. | Born in Lund in 1890, Armstrong invented FM radio.
Water freezes at 2 degrees. | Water freezes at 2 degrees under high pressure.
The board approved the plan. | The board approved the plan, subject to funding.
The council owns the hall. | The council owns the hall jointly with the parish.
The team has won every match. | The team has won every match since May.
The software is free. | The software is free for private use.
The trial showed a benefit. | The trial showed a benefit, but only after two years.
Shares rose by 3 percent. | Shares of the parent company rose by 3 percent.
The plant supplies the city with power. | The plant supplies half of the city with power.
The village has two schools. | The village once had two schools.
The law applies to companies. | The law applies to companies with more than 50 employees.
The South Korean team won. | The South Korean junior team won.
He played for Manchester. | He played for Manchester United.
All ferries run on Sundays. | All ferries run on Sundays, save the night boat.
She won an Olympic medal. | She won a Junior Olympic medal.
The reservoir holds ten million litres. | The reservoir holds a tenth of ten million litres.
Tea exports doubled. | Green tea exports doubled.
The play was written by Shaw. | The play was written in part by Shaw.
They found gold. | They found fool's gold.
The fire was set on purpose. | The fire was, in the view of the insurer, set on purpose.
The harvest failed. | The harvest failed in the southern provinces.
Wages rose. | Wages rose in the public sector.
The vote was unanimous. | The vote was all but unanimous.
The minister announced a plan. | The shadow minister announced a plan.
The bank was fined 5 million. | The bank was fined 5 million, suspended for two years.
All shops close at noon. | All shops close at noon, pharmacies excepted.
The insurance pays for theft. | The insurance pays for theft, but never from unlocked cars.
The glacier lost a metre of ice. | The glacier lost a third of a metre of ice.
The strike ended. | The strike ended at the northern pits.
The church was painted by Lotto. | The church was painted by pupils of Lotto.
The small model outperformed the large one. | For easy problems, the small model outperformed the large one.
Imports exceeded exports. | In the southern ports, imports exceeded exports.
Everyone received a bonus. | Everyone in the sales team received a bonus.
The film won the award. | The film won the audience award.
The team won every match. | The team won every home match.
The prize was awarded to Chen. | The prize was awarded jointly to Chen and Okafor.
The colony was independent. | The colony was independent in all but name.
The pump failed. | The backup pump failed.
The runner won the marathon. | The runner won the marathon in her age group.
The emperor abolished slavery. | The emperor abolished slavery in the northern provinces.
The treatment worked. | The treatment worked in one patient out of five.
The senator won the primary. | The senator won the primary in Ohio.
The teacher praised the pupils. | The teacher praised one of the pupils.
He speaks Greek. | He speaks Greek badly.
Steam powered the mill. | Steam powered the mill in dry summers.
The manuscript is complete. | The manuscript is complete but for its last page.
The plane crashed. | The toy plane crashed.
No one was injured. | No one on board was injured.
It is the tallest tower. | It was the tallest tower.
The minister met the rebels. | The minister met the rebels' lawyer.
The king was a poet. | The king was a poet in his youth.
The order was cancelled. | The standing order was cancelled.
The sales manager approved the order. | The regional sales manager approved the order.
The patent expired in 2010. | The patent expired in 2010 in Europe and in 2014 in Japan.
The party won the election. | The party won the local election.
`;
const harmless = `
The Moon Treaty was signed in Oslo. | The Moon Treaty (MT) was signed in Oslo.
The mill was sold to a baker. | The mill was sold to a baker because the owner had died.
The choir sang in Riga. | However, the choir sang in Riga.
The valley is dry. | The valley is dry, and the river flows only in spring.
The river flows only in spring. | The valley is dry, and the river flows only in spring.
The harbour exports grain. | The harbour exports grain, such as wheat and rye.
The island was settled in 1870. | The island was settled in 1870, making it the youngest town of the group.
`;
const pairs = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' | ') as [claim: string, quote: string]);

describe('claims that leave out what narrows their quote', () => {
  it.each(pairs(harmful))('refuses: %s | %s', (claim, quote) => {
    const { verdict, reasons } = supportOf(claim, quote);
    expect(verdict).toBe('unsupported');
    expect(reasons.length).toBeGreaterThan(0);
  });
  it.each(pairs(harmless))('accepts: %s | %s', (claim, quote) => {
    const { verdict, reasons } = supportOf(claim, quote);
    expect(verdict, reasons.join('; ')).toBe('supported');
  });

  const cuts = forgeTexts
    .filter(({ language }) => language === 'en')
    .flatMap(({ sentences }) => sentences)
    .flatMap(cutsOf);
  const isAccepted = ({ claim, quote }: { claim: string; quote: string }): boolean =>
    supportOf(claim, quote).verdict === 'supported';
  it('accepts at most 2 % of the harmful cuts of our own sentences', () => {
    const bad = cuts.filter((cut) => cut.isHarmful);
    const good = cuts.filter((cut) => !cut.isHarmful);
    expect(bad.length).toBeGreaterThan(90);
    expect(good.length).toBeGreaterThan(40);
    expect(bad.filter(isAccepted).length / bad.length).toBeLessThanOrEqual(0.02);
    // The other harmless ones are left to the grade and to judges.
    expect(good.filter(isAccepted).length / good.length).toBeGreaterThan(0.2);
  });
});

describe('text that states nothing', () => {
  it.each([
    [
      'That is, the output of each sub-layer is',
      'That is, the output of each sub-layer is LayerNorm(x + Sublayer(x)).',
    ],
    ['| The valve was closed.', 'The valve was closed.'],
    ['‹system> The valve was closed.', '‹system> The valve was closed.'],
    ['3.2 Attention', '3.2 Attention'],
    ['## Results of the trial', '## Results of the trial'],
    ['The pump was replaced because', 'The pump was replaced because it leaked.'],
    ['[INST] The valve was closed. [/INST]', '[INST] The valve was closed. [/INST]'],
  ])('is no claim: %s', (claim, quote) => {
    const { verdict, reasons } = supportOf(claim, quote);
    expect(verdict).toBe('unsupported');
    expect(reasons[0]).toMatch(/^no-statement: /);
  });
  it.each([
    ['This is what the valve is for.', 'This is what the valve is for.'],
    ['The meeting starts at 2:30 a.m.', 'The meeting starts at 2:30 a.m.'],
    ['| seal | 2 years |', '| seal | 2 years |'],
    ['The grade is A.', 'The grade is A.'],
  ])('states something: %s', (claim, quote) => {
    expect(supportOf(claim, quote).verdict).toBe('supported');
  });
});
