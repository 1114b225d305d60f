// What questions come apart into, and which do not.
import { describe, expect, it } from 'vitest';
import { complexityOf } from '../../../src/agent/plan/complexity.ts';
import { planByRules } from '../../../src/agent/plan/planner.ts';
import { chanceOfSplit, split } from '../../../src/agent/plan/split.ts';
import { isRight, readJoinedQuestions } from '../../../testkit/asked-parts/questions.ts';

const partsOf = (question: string): readonly string[] =>
  (split(question, 8)?.subQueries ?? []).map(({ query, dependencies }) =>
    dependencies.length > 0 ? `${query} <- ${dependencies.join(',')}` : query,
  );
const queriesOf = (question: string): readonly string[] =>
  (split(question, 8)?.subQueries ?? []).map(({ query }) => query);

describe('split', () => {
  it('finds all parts of most questions that people type, and leaves most others whole', () => {
    const questions = readJoinedQuestions('seen');
    const share = (isJoined: boolean): number => {
      const own = questions.filter(({ kind }) => (kind !== 'whole') === isJoined);
      return own.filter((one) => isRight(one, queriesOf(one.question))).length / own.length;
    };
    expect(share(true)).toBeGreaterThan(0.85);
    expect(share(false)).toBeGreaterThanOrEqual(0.9);
  });

  it('is as often right as it is sure', () => {
    const told = readJoinedQuestions('seen').flatMap((one) => {
      const chance = chanceOfSplit(one.question);
      return chance === undefined ? [] : [{ chance, right: isRight(one, queriesOf(one.question)) }];
    });
    const share = (some: typeof told): number => some.filter(({ right }) => right).length / some.length;
    const [unsure, sure] = [told.filter(({ chance }) => chance < 0.9), told.filter(({ chance }) => chance >= 0.9)];
    expect(Math.min(unsure.length, sure.length)).toBeGreaterThan(10);
    expect(share(sure)).toBeGreaterThan(share(unsure));
    expect(chanceOfSplit('Who built the tower?')).toBeUndefined();
  });

  it.each([
    [
      'When was Fresno founded, and who is Kearney Boulevard named after?',
      ['When was Fresno founded?', 'Who is Kearney Boulevard named after?'],
    ],
    [
      'Compare the Arnold press and the Bendix press in price',
      ['What is the price of the Arnold press?', 'What is the price of the Bendix press?'],
    ],
    ['Who founded Apple and when did he die?', ['Who founded Apple?', 'When did he die? <- 1']],
    [
      'How long is the Rhine and which countries does it flow through?',
      ['How long is the Rhine?', 'Which countries does it flow through? <- 1'],
    ],
    ['When and where was Tesla born?', ['When was Tesla born?', 'Where was Tesla born?']],
    [
      'What are the height and weight of the Eiffel Tower?',
      ['What is the height of the Eiffel Tower?', 'What is the weight of the Eiffel Tower?'],
    ],
    [
      'When were Oxford, Bologna and Cambridge founded?',
      ['When was Oxford founded?', 'When was Bologna founded?', 'When was Cambridge founded?'],
    ],
    [
      'Which magazine was published first, Guitar World or Science News?',
      ['When was Guitar World published?', 'When was Science News published?'],
    ],
    ['Is the Rhine longer than the Danube?', ['How long is the Rhine?', 'How long is the Danube?']],
    ['What is the difference between TCP and UDP?', ['What is TCP?', 'What is UDP?']],
    [
      'Compare Acme and Bolt in revenue and auditor',
      [
        'What is the revenue of Acme?',
        'What is the auditor of Acme?',
        'What is the revenue of Bolt?',
        'What is the auditor of Bolt?',
      ],
    ],
    [
      'Compare Acme and Bolt in number of employees and stores',
      [
        'What is the number of employees of Acme?',
        'What is the number of stores of Acme?',
        'What is the number of employees of Bolt?',
        'What is the number of stores of Bolt?',
      ],
    ],
    [
      'What were the sales of Acme in Q1 and Q2 of 2024?',
      ['What were the sales of Acme in Q1 of 2024?', 'What were the sales of Acme in Q2 of 2024?'],
    ],
    [
      'Compare Fastify and Express in price and plugins',
      [
        'What is the price of Fastify?',
        'What is the plugins of Fastify?',
        'What is the price of Express?',
        'What is the plugins of Express?',
      ],
    ],
    [
      'Compare Arnold and Bendix in price, and say which came first',
      [
        'What is the price of Arnold?',
        'What is the price of Bendix?',
        'When did Arnold come about?',
        'When did Bendix come about?',
      ],
    ],
    [
      "What were Acme's total revenues in the second quarter of 2023 and 2022?",
      [
        "What were Acme's total revenues in the second quarter of 2023?",
        "What were Acme's total revenues in the second quarter of 2022?",
      ],
    ],
    ['I have two questions. Who wrote it? Where is the archive?', ['Who wrote it?', 'Where is the archive? <- 1']],
    [
      'What is a plugin, how do I register it, and where are hooks defined?',
      ['What is a plugin?', 'How do I register it? <- 1', 'Where are hooks defined? <- 2'],
    ],
    [
      'Wann wurde Berlin gegründet und wer war der erste Bürgermeister?',
      ['Wann wurde Berlin gegründet?', 'Wer war der erste Bürgermeister?'],
    ],
    [
      'Tell me who founded Inkwell; also where its data is stored.',
      ['Who founded Inkwell?', 'Where its data is stored? <- 1'],
    ],
    [
      'What is the price of the R2, the weight of the R3 and the area of the Verdo?',
      ['What is the price of the R2?', 'What is the weight of the R3?', 'What is the area of the Verdo?'],
    ],
    [
      'What are the capital and the area of France and Spain?',
      [
        'What is the capital of France?',
        'What is the capital of Spain?',
        'What is the area of France?',
        'What is the area of Spain?',
      ],
    ],
    ['How tall is the Rialto and the Shard?', ['How tall is the Rialto?', 'How tall is the Shard?']],
    [
      'What was the price before 2019 and after 2020?',
      ['What was the price before 2019?', 'What was the price after 2020?'],
    ],
    ['What did Acme earn in 2020 and 2022?', ['What did Acme earn in 2020?', 'What did Acme earn in 2022?']],
    [
      'What is the notice period for clerks and for managers?',
      ['What is the notice period for clerks?', 'What is the notice period for managers?'],
    ],
    [
      'On what hardware was the Fjord model trained, for how long, and with which optimizer?',
      [
        'On what hardware was the Fjord model trained?',
        'For how long was the Fjord model trained?',
        'With which optimizer was the Fjord model trained?',
      ],
    ],
    [
      'Which drug treats gout, when was it found, and who makes it?',
      ['Which drug treats gout?', 'When was it found? <- 1', 'Who makes it? <- 2'],
    ],
    [
      'How do Fjord and Lane differ in price, and which company makes each?',
      [
        'What is the price of Fjord?',
        'What is the price of Lane?',
        'Which company makes Fjord?',
        'Which company makes Lane?',
      ],
    ],
    [
      'Which came first, Fjord or Lane, and which formats does each read?',
      [
        'When did Fjord come about?',
        'When did Lane come about?',
        'Which formats does Fjord read?',
        'Which formats does Lane read?',
      ],
    ],
    [
      'What are the default values of bodyLimit and idle_timeout?',
      ['What are the default values of bodyLimit?', 'What are the default values of idle_timeout?'],
    ],
    [
      'What is Fjord, who made it, and in which year?',
      ['What is Fjord?', 'Who made it? <- 1', 'In which year is Fjord?'],
    ],
    [
      "Who got more votes at Acme's meeting, Ada Brook or Tim Lane?",
      ["How many votes at Acme's meeting does Ada Brook have?", "How many votes at Acme's meeting does Tim Lane have?"],
    ],
    [
      'Who was the cashier at Norden, and what was the total?',
      ['Who was the cashier at Norden?', 'What was the total? <- 1'],
    ],
    ['What does the R2 cost, and what about the R3?', ['What does the R2 cost?', 'What about the R3? <- 1']],
    ['Is TCP or UDP faster?', ['How fast is TCP?', 'How fast is UDP?']],
    ['R2 or R3: which was released earlier?', ['When was R2 released?', 'When was R3 released?']],
    ['TCP vs UDP: which is faster?', ['How fast is TCP?', 'How fast is UDP?']],
    ['Was the R2 built before or after the R3?', ['When was the R2 built?', 'When was the R3 built?']],
    ['What sets the R3 apart from the R2?', ['What is the R3?', 'What is the R2?']],
    [
      'What are the pros and cons of Fjord compared to Lane?',
      ['What are the pros and cons of Fjord?', 'What are the pros and cons of Lane?'],
    ],
    [
      'Compare the price and weight of the R2 and the R3.',
      [
        'What is the price of the R2?',
        'What is the weight of the R2?',
        'What is the price of the R3?',
        'What is the weight of the R3?',
      ],
    ],
    [
      'Compare the R2 and the R3. Which one has the longer warranty?',
      ['What is the R2?', 'What is the R3?', 'What is the warranty of the R2?', 'What is the warranty of the R3?'],
    ],
    [
      'Which robot is cheaper and which one is heavier, the R2 or the R3?',
      ['How much does the R2 cost?', 'How much does the R3 cost?', 'How heavy is the R2?', 'How heavy is the R3?'],
    ],
    [
      'When was Acme founded and by whom, and how many people does it employ?',
      ['When was Acme founded?', 'By whom was Acme founded?', 'How many people does it employ? <- 2'],
    ],
    [
      'When was Finch 4 released, and which Node.js versions does it support?',
      ['When was Finch 4 released?', 'Which Node.js versions does it support? <- 1'],
    ],
    ['When and how long did the strike last?', ['When did the strike last?', 'How long did the strike last?']],
    [
      'By what date and by whom must the form be signed?',
      ['By what date must the form be signed?', 'By whom must the form be signed? <- 1'],
    ],
    [
      'Which is delivered faster, the R2 or the R3?',
      ['How long is the delivery time of the R2?', 'How long is the delivery time of the R3?'],
    ],
    ['Which is available earlier, R2 or R3?', ['When was R2 available?', 'When was R3 available?']],
    ['Who is older: Tom Okafor or Eva Holt?', ['When was Tom Okafor born?', 'When was Eva Holt born?']],
    [
      'Which van is cheaper, the Marten 3 or the Brevo Cargo, and who tested the vans?',
      ['How much does the Marten 3 cost?', 'How much does the Brevo Cargo cost?', 'Who tested the vans? <- 2'],
    ],
    [
      'What does a ten-trip card cost, and are ten-trip cards refunded?',
      ['What does a ten-trip card cost?', 'Are ten-trip cards refunded?'],
    ],
    [
      'how do i back up my notes & where are the copies kept?',
      ['How do i back up my notes?', 'Where are the copies kept? <- 1'],
    ],
    [
      'What is the limit for uploads, downloads and links?',
      ['What is the limit for uploads?', 'What is the limit for downloads?', 'What is the limit for links?'],
    ],
    ['How do I stop the pump and then drain the tank?', ['How do I stop the pump?', 'How do I drain the tank?']],
    ['Wie melde ich mich an und wo finde ich das Formular?', ['Wie melde ich mich an?', 'Wo finde ich das Formular?']],
    ['Welches Rad ist schwerer, das S oder das L?', ['Wie schwer ist das S?', 'Wie schwer ist das L?']],
    [
      '¿Cuáles son el peso y el precio de la mesa?',
      ['Cuáles es el peso de la mesa?', 'Cuáles es el precio de la mesa?'],
    ],
    ['¿Quién fundó la empresa y dónde nació?', ['Quién fundó la empresa?', 'Dónde nació? <- 1']],
    [
      'Comment activer et désactiver la sauvegarde ?',
      ['Comment activer la sauvegarde?', 'Comment désactiver la sauvegarde?'],
    ],
    ['Quelle est la différence entre un bail et un loyer ?', ["Qu'est-ce que un bail ?", "Qu'est-ce que un loyer ?"]],
  ])('takes apart: %s', (question, parts) => {
    expect(partsOf(question)).toEqual(parts);
  });

  it.each([
    'Who led the people who came from Norway and who settled in France?',
    'What was the name of the treaty between France and England?',
    'When did the General Board of Church and Society meet?',
    'Which bridges were built before 1900, and are still open?',
    'Which shops are cheap, and are open on Sundays?',
    'What do the cat and the dog share?',
    'What did lane and vail finance?',
    'The director has an OBE. Does the author have one too?',
    'Who were the companions of the Ninth and Tenth Doctors?',
    'What are the main exports of Trinidad and Tobago?',
    'When did the war between France and Spain end?',
    'How did the revenue of Acme change from 2020 to 2022?',
    'What hymn did Luther write after the martyrdom of Esch and Voes?',
    'Chiang Kai-shek, who died on which date, was the president of what?',
    '',
    '?',
    'and',
    'und und und',
    'Compare',
    'Compare and',
  ])('leaves whole: %s', (question) => {
    expect(partsOf(question)).toEqual([]);
  });

  it('makes no more parts than it may', () => {
    const names = ['Ada', 'Bob', 'Cid', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal', 'Ian'];
    const askOf = (count: number): string =>
      `When were ${names.slice(0, count - 1).join(', ')} and ${names[count - 1]} born?`;
    expect(split(askOf(8), 8)?.subQueries).toHaveLength(8);
    expect(split(askOf(9), 8)).toBeUndefined();
    expect(split('Who is Ada and who is Bob?', 1)).toBeUndefined();
  });

  it('is done soon, whatever is written', () => {
    const long = 'who and what or which, '.repeat(41);
    for (const text of [
      long,
      'A, '.repeat(330),
      'compare A '.repeat(99),
      `what ${'x '.repeat(480)}and what`,
      '"'.repeat(999),
      `${'A and '.repeat(160)}B?`,
    ]) {
      const before = process.cpuUsage();
      split(text, 8);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000, text.slice(0, 20)).toBeLessThan(250);
    }
  });
});

describe('complexityOf', () => {
  it('is low for one question, and from the threshold on for several', () => {
    expect(complexityOf('When was the reservoir completed?', undefined).score).toBeLessThan(0.2);
    for (const question of [
      'Who is Ada and who is Bob?',
      'Compare Ada and Bob in height',
      'Which is older, Ada or Bob?',
    ])
      expect(planByRules(question, { threshold: 0.6, most: 8 })).toMatchObject({
        plan: { subQueries: [{ id: '1' }, { id: '2' }] },
      });
  });
  it('keeps the question whole below the threshold', () => {
    expect(planByRules('Who is Ada and who is Bob?', { threshold: 0.95, most: 8 }).plan).toBeUndefined();
  });
  it('says why', () => {
    const { complexity } = planByRules('Compare Ada and Bob in height', { threshold: 0.6, most: 8 });
    expect(complexity.reasoning).toContain('2 parts');
  });
});
