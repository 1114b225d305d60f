// True claims in other words than their quotes, as people write them, and forged ones among them: with another figure, name, date or negation.

export interface Paraphrase {
  readonly claim: string;
  readonly quote: string;
  readonly title: string;
  /** The same claim with a fact that the quote contradicts. */
  readonly forged?: readonly string[];
}

const of = (title: string, quote: string, ...[claim, ...forged]: [string, ...string[]]): Paraphrase => ({
  claim,
  quote,
  title,
  forged,
});

export const paraphrases: readonly Paraphrase[] = [
  of(
    'Pier of Brenna',
    'The pier of Brenna is 340 metres long.',
    'From end to end the pier of Brenna measures 340 metres.',
    'From end to end the pier of Brenna measures 430 metres.',
    'From end to end the pier of Brenna does not measure 340 metres.',
  ),
  of(
    'Pier of Brenna',
    'It was opened on 3 May 1872 by the county of Harrow.',
    'The county of Harrow inaugurated it on 3 May 1872.',
    'The county of Harrow inaugurated it on 5 March 1872.',
    'The county of Barrow inaugurated it on 3 May 1872.',
  ),
  of(
    'Lighthouse',
    'The lighthouse keeper climbs 212 steps every evening to light the lamp.',
    'Each evening the lighthouse keeper goes up 212 steps before the lamp burns.',
    'Each evening the lighthouse keeper goes up 221 steps before the lamp burns.',
  ),
  of(
    'Bakery',
    'The bakery throws away about 40 loaves of bread each week.',
    'About 40 loaves end up as waste at the bakery each week.',
    'About 400 loaves end up as waste at the bakery each week.',
  ),
  of(
    'Orchard',
    'Frost destroyed most of the apple harvest in 2017.',
    'In 2017 most apples of the harvest were lost to frost.',
    'In 2016 most apples of the harvest were lost to frost.',
  ),
  of(
    'Museum',
    'Visitors may take photographs in the museum as long as they use no flash.',
    'Visitors may take pictures in the museum as long as no flash is used.',
  ),
  of(
    'Company',
    'Nordlicht employs 1,250 people at its three plants.',
    'A staff of 1,250 works for Nordlicht at its three plants.',
    'A staff of 1,520 works for Nordlicht at its three plants.',
    'A staff of 1,250 works for Sudlicht at its three plants.',
  ),
  of(
    'Library',
    'The library lends books for four weeks.',
    'Books can stay with a borrower of the library for four weeks.',
    'Books can stay with a borrower of the library for six weeks.',
  ),
  of(
    'River',
    'The river floods the lower meadows almost every spring.',
    'The lower meadows are under water almost every spring because of the river.',
  ),
  of(
    'Chess',
    'Petrov won the tournament with nine points from eleven games.',
    'With nine points from eleven games Petrov took first place in the tournament.',
    'With eight points from eleven games Petrov took first place in the tournament.',
    'With nine points from eleven games Ivanov took first place in the tournament.',
  ),
  of(
    'Bridge',
    'Engineers closed the bridge in 2004 after finding cracks in two pillars.',
    'Engineers shut the bridge in 2004 after cracks had turned up in two pillars.',
    'Engineers shut the bridge in 2014 after cracks had turned up in two pillars.',
  ),
  of(
    'Hospital',
    'The hospital treated 18,400 patients in 2021.',
    'Care was given to 18,400 patients by the hospital in 2021.',
    'Care was given to 14,800 patients by the hospital in 2021.',
  ),
  of(
    'Recipe',
    'Let the dough rest for 30 minutes before rolling it out.',
    'The dough needs a rest of 30 minutes before it is rolled out.',
    'The dough needs a rest of 45 minutes before it is rolled out.',
  ),
  of(
    'Train',
    'The night train leaves Lyon at 22:15 and arrives in Turin at 6:40.',
    'Departure of the night train from Lyon is at 22:15.',
    'Departure of the night train from Lyon is at 22:45.',
  ),
  of(
    'School',
    'The school teaches 640 pupils in 26 classes.',
    'There are 640 pupils at the school, spread over 26 classes.',
    'There are 460 pupils at the school, spread over 26 classes.',
  ),
  of(
    'Forest',
    'Beetles killed a third of the spruces within five years.',
    'Within five years a third of the spruces fell victim to beetles.',
    'Within two years a third of the spruces fell victim to beetles.',
  ),
  of(
    'Theatre',
    'The theatre seats 900 people.',
    'There is room for 900 people in the theatre.',
    'There is room for 600 people in the theatre.',
  ),
  of(
    'Treaty',
    'Both kingdoms signed the treaty in Vienna in 1815.',
    'In 1815 both kingdoms put their names to the treaty in Vienna.',
    'In 1816 both kingdoms put their names to the treaty in Vienna.',
    'In 1815 both kingdoms put their names to the treaty in Prague.',
  ),
  of(
    'Battery',
    'The battery lasts for about 14 hours.',
    'About 14 hours of use are what the battery gives.',
    'About 24 hours of use are what the battery gives.',
  ),
  of(
    'Club',
    'Members pay 25 euros a month.',
    'Membership costs 25 euros a month.',
    'Membership costs 52 euros a month.',
    'Membership does not cost 25 euros a month.',
  ),
  of(
    'Volcano',
    'The volcano last erupted in 1902, burying two villages.',
    'In 1902 the volcano last broke out and two villages were buried.',
    'In 1920 the volcano last broke out and two villages were buried.',
  ),
  of(
    'Software',
    'The program stores all settings in a single file.',
    'All settings of the program are kept in a single file.',
  ),
  of(
    'Painting',
    'Ines Duarte painted the ceiling of the chapel in 1743.',
    'The ceiling of the chapel is the work of Ines Duarte from 1743.',
    'The ceiling of the chapel is the work of Ana Moreira from 1743.',
    'The ceiling of the chapel is the work of Ines Duarte from 1734.',
  ),
  of(
    'Market',
    'Farmers sell vegetables and cheese on the square every Saturday.',
    'Every Saturday vegetables and cheese can be bought on the square from farmers.',
  ),
  of(
    'Vaccine',
    'The vaccine protected 94 % of the participants.',
    'Among the participants, 94 % were safe thanks to the vaccine.',
    'Among the participants, 49 % were safe thanks to the vaccine.',
  ),
  of(
    'Storm',
    'The storm left 12,000 households without electricity.',
    'After the storm 12,000 households were without electricity.',
    'After the storm 21,000 households were without electricity.',
  ),
  of(
    'Factory',
    'The factory makes 300 bicycles a day.',
    'Each day 300 bicycles come out of the factory.',
    'Each day 500 bicycles come out of the factory.',
  ),
  of(
    'Whale',
    'Whales travel 8,000 kilometres to give birth in warm water.',
    'To give birth in warm water, whales swim 8,000 kilometres.',
    'To give birth in warm water, whales swim 6,000 kilometres.',
  ),
  of(
    'Novel',
    'Her first novel sold 50,000 copies in its first year.',
    'In its first year 50,000 people bought a copy of her first novel.',
    'In its first year 15,000 people bought a copy of her first novel.',
  ),
  of(
    'Port',
    'The port handles 4.2 million containers a year.',
    'A total of 4.2 million containers pass through the port in a year.',
    'A total of 2.4 million containers pass through the port in a year.',
  ),
  of(
    'Election',
    'Maria Lindqvist won the election with 53 % of the votes.',
    'Maria Lindqvist came out ahead in the election, with 53 % of the votes.',
    'Maria Lindqvist came out ahead in the election, with 35 % of the votes.',
    'Karin Holm came out ahead in the election, with 53 % of the votes.',
  ),
  of('Tower', 'The tower stands 96 metres high.', 'The tower rises to 96 metres.', 'The tower rises to 69 metres.'),
  of(
    'Garden',
    'The garden is open daily from May to October.',
    'From May to October people can come to the garden daily.',
    'From June to October people can come to the garden daily.',
  ),
  of(
    'Glacier',
    'The glacier has shrunk by 2.3 kilometres since 1950.',
    'Since 1950 the glacier has become 2.3 kilometres shorter.',
    'Since 1950 the glacier has become 3.2 kilometres shorter.',
  ),
  of(
    'Airline',
    'The airline carries two pieces of luggage per passenger free of charge.',
    'Two pieces of luggage per passenger cost nothing with the airline.',
    'Three pieces of luggage per passenger cost nothing with the airline.',
  ),
  of(
    'Mine',
    'The mine was abandoned in 1931 because the ore had run out.',
    'In 1931 the mine was given up because no ore was left.',
    'In 1913 the mine was given up because no ore was left.',
  ),
  of(
    'Choir',
    'The choir rehearses on Tuesdays in the town hall.',
    'Rehearsals of the choir take place in the town hall on Tuesdays.',
    'Rehearsals of the choir take place in the town hall on Fridays.',
  ),
  of(
    'Drug',
    'The drug lowered blood pressure in 61 of 80 patients.',
    'In 61 of 80 patients blood pressure went down with the drug.',
    'In 16 of 80 patients blood pressure went down with the drug.',
  ),
  of(
    'Castle',
    'The castle burned down in 1689 and was never rebuilt.',
    'The castle was never built up again after flames ruined it in 1689.',
    'The castle was built up again after flames ruined it in 1689.',
  ),
  of(
    'Phone',
    'The phone weighs 172 grams.',
    'The phone has a weight of 172 grams.',
    'The phone has a weight of 127 grams.',
  ),
  of(
    'Marathon',
    'Abel Tesfaye finished the marathon in 2 hours 9 minutes.',
    'It took Abel Tesfaye 2 hours 9 minutes to run the marathon.',
    'It took Abel Tesfaye 2 hours 6 minutes to run the marathon.',
  ),
  of(
    'Dam',
    'The dam supplies electricity to 70,000 homes.',
    'Thanks to the dam, 70,000 homes have electricity.',
    'Thanks to the dam, 17,000 homes have electricity.',
  ),
];
