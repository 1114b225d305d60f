// What can be no answer to a part: no figure where one is asked for, nobody for "who", another amount, another year. And what lacks nothing.
import { describe, expect, it } from 'vitest';
import { lackOf } from '../../../src/agent/parts/fitting.ts';
import type { Told } from '../../../src/agent/parts/told.ts';

const told = (text: string, more: Partial<Told> = {}): Told => ({ text, columns: '', over: '', before: '', ...more });

describe('what a claim has to hold', () => {
  it.each([
    ['How many stores does Acme operate?', 'Stores open at the end of the last years were as follows: 2021 2022 2023'],
    ['What was the net income of Acme?', 'Net income information is as follows: Year Ended December 31,'],
    ['What does Acme Cloud cost?', 'Acme Cloud can be deployed with few changes.'],
    ['For how much did Acme buy Bolt?', 'Acme bought Bolt in December 2016.'],
    ['When was Acme incorporated?', 'This will not be deemed to be incorporated by reference into a filing of 1933.'],
    ['When was Acme incorporated?', 'Acme paid 12 dollars in 1999.'],
    ['Who bought Bolt Lane?', 'The status of Bolt Lane is 12.'],
    ['Who is the auditor of Acme?', 'At Acme (NASDAQ: ACM), the possibilities of Ada Brook are endless.'],
    ['What is the price of Acme?', 'Since Acme 3.2.0 other entries are better.'],
    ['What license does Acme have?', 'Install Acme by running the program.'],
    ['What is the stable release of Acme?', 'Acme is used in many places.'],
    ['Who is the CEO of Acme?', '| 2017 to 2019'],
    ['What does ACME_BAD_URL mean?', 'ACME_BAD_URL'],
    ['Who is the CEO of Acme?', 'CERTIFICATION OF CHIEF EXECUTIVE OFFICER PURSUANT TO SECTION 906'],
    ['How much does Acme spend on fields?', 'Acme was never seen by 12 others.'],
    ['On which exchange is Acme listed?', 'Acme listed its reasons in 12 lines.'],
    ['Who wrote it?', 'You can write custom JavaScript to load 4 lines.'],
    ['How many ships did it own?', "All of the company's ships had a letter on their funnels."],
    ['Which company builds the frame?', 'The council has received two quotes for the new frame.'],
    ['What salary does Ada get?', 'Ada is fond of the sea.'],
    ['Who signed it?', 'our Chief Executive Officer and Chief Financial Officer, as appropriate'],
  ])('%s is not answered by "%s"', (asked, text) => {
    expect(lackOf(asked, told(text))).toMatchObject({ isWithout: true });
  });

  it.each([
    [
      'How many employees does Acme have?',
      '(6) Registration Statement (Form S-8 No. 333-145147) pertaining to plans',
      'counts',
    ],
    [
      "What is Acme's dividend per share?",
      'The payment per share was approved with 901,248,622 votes.',
      'does not say the dividend',
    ],
    [
      "What were Acme's net sales in fiscal 2022?",
      'For fiscal 2023 net sales of $11 billion are planned.',
      'tells of 2023',
    ],
    [
      'What was the net revenue of Acme in 2022?',
      'Net revenue of $3.6 billion compared to the prior year quarter.',
      'quarter',
    ],
    [
      'How much stock did it repurchase during the year?',
      'In the fourth quarter of fiscal 2022 it repurchased 722,457 shares.',
      'quarter',
    ],
    ['What were the sales of Acme in Q2 of 2024?', 'Year: 2024; Quarter: Q1; Sales: 980000', 'another quarter'],
    ['How long is the warranty of the Acme?', 'Warranty claims go to the Acme desk.', 'length of time'],
    ['When may staff fly?', 'Meals: the allowance is 32 pounds.', 'tells no time'],
    ['When did the Corva 200 come about?', 'The Corva 200 keeps boats dry.', 'tells no time'],
    ['What is the price of Acme?', 'The spare bulb costs nine euros.', 'price of something else'],
    ['Who founded Acme?', 'Acme sails between Ardley Bay and Bexley.', 'does not say who founded it'],
    ["How much did Acme's comparable sales grow?", 'Net sales increased 18% compared to 2021.', 'comparable'],
    ['What salary does she get?', 'Name: Ada Brook; Ext.: 220', 'does not say the salary'],
    ['Who is the CEO of Acme?', 'Ada Brook asked Acme about its plans.', 'role'],
    ['Where is Acme based?', 'The contents of our site are not based on this Annual Report.', 'office'],
    ['Where are the executive offices of Acme?', 'The principal executive officer of Acme in Leith signed.', 'office'],
    ['When will its dividend be paid?', 'The dividend will be paid in US dollars to holders of shares.', 'no time'],
    ['What is Acmewire?', 'Acmewire does not support permissions of files.', 'only speaks'],
    ['What does ACMEDEP012 mean?', 'This was already deprecated as ACMEDEP014.', 'ACMEDEP012'],
  ])('%s is only nearly answered by "%s"', (asked, text, reason) => {
    expect(lackOf(asked, told(text))).toMatchObject({ isWithout: false, reason: expect.stringContaining(reason) });
  });

  it.each([
    ['How many layers does the encoder have?', 'The encoder is composed of a stack of N = 6 identical layers.'],
    ['How many employees does Acme have?', 'We employed approximately 798,000 full-time and part-time people.'],
    ['How many points were earned?', 'Points Earned: 821'],
    ['How many bridges were built?', 'The city built two bridges.'],
    ['What was the population of Acme?', 'The town had 520,000 inhabitants.'],
    ["What were Acme's net sales in fiscal 2022?", 'Net sales increased 18.3% to $10.2 billion in fiscal 2022.'],
    ['What does Acme cost?', 'Acme is free for students.'],
    ['Who is the CEO of Acme?', 'Acme CEO Ron Delia said so.'],
    ['On which exchange is Acme listed?', 'Common Stock | ACM | New York Stock Exchange'],
    ['Who wrote the paper?', 'Ada Brook∗, Tom Okafor+'],
    ['Who wrote the book?', 'It was written by Ada Brook.'],
    ['What was the outcome of the vote?', 'The proposal was defeated.'],
    ['Which company builds the frame?', 'Greenspan asks 18,400 pounds and would build in April.'],
    ['How long is the warranty of the Acme?', 'The warranty holds for life.'],
    ['How long is the warranty of the Acme?', 'The warranty runs for three years.'],
    ['When may staff fly?', 'We do not fly, except to the islands.'],
    ['When is first class allowed?', 'First class is allowed where it costs no more.'],
    ['What is the price of Acme?', 'You can have one for three hundred and eighty euros.'],
    ['What is the price of Acme?', 'It costs nine euros.'],
    ['Who founded Acme?', 'It was set up in 1978 by eleven fishing families.'],
    ["How much did Acme's comparable sales grow?", 'Comparable sales increased 15.6%.'],
    ['Where is Acme based?', 'Acme is based in Los Gatos, California.'],
    ['Is Acme open?', 'Acme is open.'],
    ['What is the commission?', 'Commission: 10%'],
    ['When is the hook triggered?', 'Triggered when the server is stopped.'],
    ['What is Acmewire?', 'Acmewire is a protocol for sending files.'],
  ])('%s lacks nothing in "%s"', (asked, text) => {
    expect(lackOf(asked, told(text))).toBeUndefined();
  });

  it('takes whom a title names for somebody where a pronoun stands for them', () => {
    const over = 'Ada Brook of Ardley';
    expect(lackOf('Who measured the old tree?', told('It measures 24 metres.', { over }))).toMatchObject({
      isWithout: false,
      reason: 'names nobody',
    });
    expect(
      lackOf('Who measured the old tree?', told('She measured the old tree in 1985 by its shadow.', { over })),
    ).toBeUndefined();
  });

  it('reads what stands over a claim: its columns, its headings, the nearest year above a row', () => {
    const asked = "What were Acme's net sales in fiscal 2022?";
    const row = 'Net sales | $10.95 billion to $11.05 billion';
    expect(lackOf(asked, told(row, { before: 'FY23 Outlook\n' }))).toMatchObject({ reason: 'tells of 2023' });
    expect(lackOf(asked, told(row, { before: 'For fiscal 2023:\nYear ended | 2022 | 2021\n' }))).toBeUndefined();
    expect(lackOf(asked, told('Net sales | 1', { columns: '["","2022"]' }))).toBeUndefined();
    expect(
      lackOf('What is the default of bodyLimit?', told('Default: `1048576`', { over: 'bodyLimit' })),
    ).toBeUndefined();
    // A row is of what it names itself.
    expect(lackOf('What does ACMEDEP019 mean?', told('| ACMEDEP017 | gone |', { before: 'ACMEDEP019' }))).toMatchObject(
      { isWithout: false },
    );
  });
});
