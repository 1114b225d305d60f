// A year of somebody's talk with an assistant: 44 conversations, as an export of ChatGPT has them.
import { chatGptExport, chatGptNode } from '../archive-fixture.ts';

/** Day, title, and what was said by turns: the person first. */
export type YearChat = readonly [day: string, title: string, ...said: string[]];

export const chats: readonly YearChat[] = [
  [
    '2025-01-04',
    'New year plans',
    'I want three plans for the year: learn to weld, read one novel a month, and finish the attic.',
    'Three is a good number. Which of them needs money first?',
    'The attic, because the insulation has to be ordered in February.',
    'Then order the insulation early and put welding into autumn.',
  ],
  [
    '2025-01-11',
    'Sourdough',
    'My sourdough is flat. The starter is two weeks old and I feed it with rye once a day.',
    'Feed it twice a day for three days and keep it at 26 degrees; a young starter has little strength.',
  ],
  [
    '2025-01-19',
    'Reading list',
    'Suggest a novel about the sea that is not Moby Dick.',
    'Try The Sea Wolf by Jack London, or The Shipping News by Annie Proulx.',
    'I take The Shipping News for January.',
    'A good choice for cold evenings.',
  ],
  [
    '2025-01-27',
    'Attic insulation',
    'Is wood fibre or mineral wool better between the rafters?',
    'Wood fibre keeps the attic cooler in July, mineral wool is cheaper by a third.',
    'We order wood fibre, 16 centimetres, from the yard in Schiedam.',
    'Order ten percent more than the area for the cuts.',
  ],
  [
    '2025-02-02',
    'Tax papers',
    'Which papers do I need for the Dutch income tax form of last year?',
    'Your annual statement, the mortgage interest, gifts to charities and costs of care that nobody paid back.',
  ],
  [
    '2025-02-09',
    'Knee',
    'My knee hurts when I walk down the stairs since the run on Sunday.',
    'Rest for a week and go easy on the stairs. If it swells, let a doctor look at it.',
    'It is swollen a little.',
    'Then make an appointment this week.',
  ],
  [
    '2025-02-16',
    'Quotes for the house',
    'Three firms sent quotes for a new warm-water plant: Vaillant 13,200 euros, Daikin 11,400 euros, Nibe 14,900 euros.',
    'The cheapest has the shortest guarantee: ask Daikin for five years.',
  ],
  [
    '2025-02-25',
    'Birthday of Ines',
    'Ines turns forty in March. She likes orchids and hates surprises.',
    'Take her to the botanical garden in Leiden and tell her the date now.',
  ],
  [
    '2025-03-03',
    'Decision about the plant',
    'Daikin gives seven years of guarantee now.',
    'That settles the one doubt that was left.',
    'Then it is done: yesterday we signed for the Daikin air-to-water pump.',
    'Congratulations. Apply for the subsidy before the fitters come.',
  ],
  [
    '2025-03-09',
    'Orchids',
    'Which orchid survives on a north window?',
    'A Paphiopedilum does well with little light; water it every ten days.',
  ],
  [
    '2025-03-17',
    'Excel',
    'How do I count cells between two dates in a sheet?',
    'With COUNTIFS: one condition for the first day and one for the last.',
  ],
  [
    '2025-03-24',
    'Lecture about corrosion',
    'I have to give a lecture of twenty minutes about galvanic corrosion for students.',
    'Begin with a photograph of an eaten propeller, then explain the pair of metals, then zinc anodes.',
    'I will bring a worn anode from the yard.',
    'Let them hold it: that stays in mind.',
  ],
  [
    '2025-04-01',
    'Bees',
    'A swarm sits in our plum tree.',
    'Do not spray it. Call a beekeeper of the region; most come within hours.',
  ],
  [
    '2025-04-08',
    'Cello case',
    'Lena needs a lighter case for her cello, below 300 euros.',
    'Look at used carbon cases; new ones of that price are foam and weigh four kilograms.',
  ],
  [
    '2025-04-15',
    'Subsidy',
    'The agency wants a photo of the plate on the outdoor unit.',
    'Send it with the invoice and the form in one mail.',
  ],
  [
    '2025-04-22',
    'Easter cake',
    'A cake without nuts for twelve people, please.',
    'Bake a lemon loaf twice: 8 eggs, 400 grams of sugar, 400 of butter, 500 of flour, four lemons.',
  ],
  [
    '2025-05-02',
    'Trailer',
    'How much may my car pull with a licence of class B?',
    'Car and trailer together up to 3.5 tonnes; see the plate of the car for its own limit.',
  ],
  [
    '2025-05-10',
    'Norway or Sweden',
    'With the children we want somewhere with beaches and little traffic, in August.',
    'The island of Gotland has both; the coast of Norway is colder.',
    'Ines likes the island better. The crossing from Nynäshamn takes three hours.',
    'Then look for cabins near Fårö early.',
  ],
  [
    '2025-05-18',
    'Welding course',
    'Which weld process is easiest to learn for thin steel?',
    'MIG with gas. A weekend course is enough for garden gates.',
  ],
  [
    '2025-05-29',
    'Booking',
    'The ferry to Gotland is booked for the second week of August, with the car and two bicycles.',
    'Good. Print the tickets: the terminal in Nynäshamn reads paper faster.',
  ],
  [
    '2025-06-05',
    'Salary talk',
    'I have a talk with my boss about money on Thursday.',
    'Bring three results of the year in figures, say your number first, and then wait.',
    'I want 6 percent.',
    'Say 8 and settle at 6.',
  ],
  [
    '2025-06-12',
    'Mosquitoes',
    'What keeps mosquitoes off a terrace?',
    'A fan works better than candles: they are poor fliers.',
  ],
  [
    '2025-06-20',
    'Salary result',
    'They gave me 5 percent and two more free days.',
    'That is worth more than 6 percent alone.',
  ],
  [
    '2025-06-28',
    'Old radio',
    'My grandfather’s radio hums since I plugged it in.',
    'The filter capacitors are dry after sixty years. Do not run it before they are replaced.',
  ],
  [
    '2025-07-06',
    'Marathon',
    'Is it sane to sign up for the marathon in Rotterdam with my knee?',
    'Train for the half first and decide in December.',
  ],
  [
    '2025-07-13',
    'Neighbour',
    'Our neighbour wants to fell the lime tree that stands on the border.',
    'A tree on the border belongs to both of you: without your consent he may not.',
    'I will not give it.',
    'Tell him in writing and keep a copy.',
  ],
  [
    '2025-07-21',
    'Packing',
    'What do we forget when we go by car with children?',
    'Charging cables, medicine, and the papers of the trailer.',
  ],
  [
    '2025-08-01',
    'Raukar',
    'What are the stone pillars on Fårö called?',
    'Raukar: remains of reefs, carved by the sea.',
  ],
  [
    '2025-08-19',
    'Back home',
    'The cabin was damp, but Lena swam each day.',
    'Write to the owner about the damp while you have the photos.',
  ],
  [
    '2025-08-27',
    'School',
    'Lena starts at the music school in September; lessons are on Tuesdays at four.',
    'Then Tuesday afternoons are taken until July.',
  ],
  [
    '2025-09-03',
    'Steel gate',
    'I built the first garden gate. The seams look like bird droppings.',
    'Slower, closer, and clean the steel before.',
  ],
  [
    '2025-09-11',
    'Python script',
    'My script that renames photos fails on names with spaces.',
    'Use pathlib and pass paths as they are, not through a shell.',
  ],
  [
    '2025-09-19',
    'Noise',
    'The outdoor unit hums at night and Ines cannot sleep.',
    'Put rubber feet below it and set the night mode from ten to six.',
    'Night mode helped.',
    'Then leave the feet for spring.',
  ],
  [
    '2025-09-28',
    'Apples',
    'We have sixty kilograms of apples.',
    'A mobile press makes forty litres of juice of that, pasteurised in bags.',
  ],
  [
    '2025-10-05',
    'Storm damage',
    'The storm took eleven tiles off our shed.',
    'Photograph them before you repair and tell the insurer within a week.',
  ],
  [
    '2025-10-12',
    'Choir',
    'Our choir looks for a piece for four voices that amateurs can sing at Christmas.',
    'Take Es ist ein Ros entsprungen by Praetorius.',
  ],
  [
    '2025-10-20',
    'Used car',
    'The seller of a Skoda Octavia asks 9,800 euros with 140,000 kilometres.',
    'Ask for the timing belt bill and offer 8,900.',
  ],
  [
    '2025-10-29',
    'Pumpkins',
    'How do I keep carved pumpkins from rotting?',
    'Dip them in water with a little vinegar and let them dry upside down.',
  ],
  [
    '2025-11-06',
    'Skoda bought',
    'I got the Octavia for 9,100 euros.',
    'A fair deal. Change the oil now, whatever the book says.',
  ],
  ['2025-11-14', 'Insurance', 'The insurer pays 640 euros for the shed.', 'That covers tiles and a day of a roofer.'],
  [
    '2025-11-22',
    'Half marathon',
    'I ran the half in two hours and three minutes, without pain.',
    'Then the knee is ready for a slow full one.',
  ],
  [
    '2025-11-30',
    'Advent',
    'Ideas for an advent calendar for a girl of eleven who loves music?',
    'Twenty-four riddles about composers, each with a small sweet.',
  ],
  [
    '2025-12-10',
    'Decision in December',
    'I signed up for Rotterdam.',
    'Eighteen weeks are left: build up by ten percent a week at most.',
  ],
  [
    '2025-12-27',
    'Looking back',
    'The attic is done, I weld badly, and I read nine novels.',
    'Two and a half of three plans is a good year.',
  ],
];

/** The conversations as a file `conversations.json`. */
export const exportOfYear = (): string =>
  JSON.stringify(
    chats.map(([day, title, ...said], conversation) => {
      const at = Date.parse(`${day}T18:00:00Z`) / 1000;
      const ids = said.map((_, place) => `c${conversation}n${place}`);
      const nodes = said.map((text, place) =>
        chatGptNode(ids[place] ?? '', ids[place - 1] ?? 'root', {
          role: place % 2 === 0 ? 'user' : 'assistant',
          text,
          at: at + 60 * place,
        }),
      );
      return {
        ...chatGptExport(`chat-${conversation}`, [chatGptNode('root', null), ...nodes], ids.at(-1) ?? 'root', title),
        create_time: at,
      };
    }),
  );
