// What the extractive answer reads a piece along with: the question it follows, the caption and the other fields of its table or record, the name of its
// message or list, and what a sentence announces. Each case failed before that was read.
import { describe, expect, it } from 'vitest';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { contextOf, type Passage } from '../../../testkit/evidence-of.ts';

const claimsOf = (question: string, ...passages: Passage[]) =>
  composeAnswer({ question, context: contextOf(...passages) }).claims;
const firstOf = (question: string, text: string, title = 'Guide'): string | undefined =>
  claimsOf(question, { id: 'a', title, text, score: 9 })[0]?.text;

describe('a question in the text', () => {
  const page = [
    '4.1. Which ports does the ferry office open for visitors?',
    '4.2. Why does the Kestrel stay in harbour in January?',
    '4.1. Which ports does the ferry office open for visitors?\n\nArlow and Bexley, from May on. Groups should write first.',
    '4.2. Why does the Kestrel stay in harbour in January?\n\nIts hull is scraped and painted. The crew is on leave then, and tickets are refunded.',
  ].join('\n\n');
  it('is no claim, and what follows it is', () => {
    expect(firstOf('Which ports does the ferry office open for visitors?', page)).toBe(
      'Arlow and Bexley, from May on.',
    );
    expect(firstOf('Why does the Kestrel stay in harbour in January?', page)).toBe('Its hull is scraped and painted.');
    const forum =
      'Woher kommt eigentlich der Name "Kestrel"?\n\nEs ist das englische Wort für den Turmfalken.\n\nDer Name der Werft ist älter als der Name der Fähre.';
    expect(firstOf('Woher kommt der Name Kestrel?', forum, 'Hilfe')).toBe(
      'Es ist das englische Wort für den Turmfalken.',
    );
  });
  it('may be the heading that the passage stands under', () => {
    const section = {
      id: 'b',
      title: 'FAQ',
      score: 9,
      text: 'Arlow and Bexley, from May on. The office is quiet in winter.',
    };
    const context = contextOf(section);
    const [block] = context.blocks;
    if (!block) throw new Error('There is no passage.');
    const asked = {
      ...block,
      evidence: { ...block.evidence, headingPath: ['Which ports does the ferry office open for visitors?'] },
    };
    const { claims } = composeAnswer({
      question: 'Which ports does the ferry office open for visitors?',
      context: { ...context, blocks: [asked] },
    });
    expect(claims[0]?.text).toBe('Arlow and Bexley, from May on.');
  });
  it('is answered by the next message, whatever else that says', () => {
    const records = [
      ['Ida', 'I walked along the pier with my brother. It was cold.'],
      ['Tom', 'That sounds fine! How long have you been married?'],
      ['Ida', 'Five years already! It feels like yesterday.'],
      ['Tom', 'My sister married a sailor of the Kestrel, and his brother is married as well.'],
    ].map(([user, text]) => `user: ${user}\nsent: 12:04\ntext: ${text}`);
    expect(firstOf('How long has Ida been married?', records.join('\n\n'), 'channel')).toBe(
      'user: Ida sent: 12:04 text: Five years already! It feels like yesterday.',
    );
  });
});

describe('a message of many words', () => {
  it('is cut at its fields, and its sentences are read with who wrote it', () => {
    const long = (user: string, middle: string): string =>
      `user: ${user}\nsent: 2026-05-08\ntext: We met at the harbour office again, and the talk went on until the last ferry had gone and the lamps along the pier were put out one by one. ${middle} After that nobody wanted to walk home in the rain, so we waited under the roof of the ticket booth and shared the soup that was left.`;
    const text = [
      long('Ida', 'I am learning the trade of a sailmaker.'),
      long('Tom', 'I am learning to play the organ.'),
    ].join('\n\n');
    expect(firstOf('What is Tom learning?', text, 'channel')).toBe('I am learning to play the organ.');
    expect(firstOf('What is Ida learning?', text, 'channel')).toBe('I am learning the trade of a sailmaker.');
  });
});

describe('a row', () => {
  const chart = 'Ferries at sea, 2031\n\nPassengers in thousands\n\nBexley; 548\nArlow; 512\nCorvale; 497';
  it('of a chart is read with the caption', () => {
    expect(firstOf('How many thousands of passengers did Arlow have in 2031?', chart)).toBe('Arlow; 512');
  });
  it('of a list of facts is read with the other facts', () => {
    const facts =
      'Agency\n\nBilling type: | Net 30\nName: | Premier Sail Group\n| Payment terms: | By quarter\nContact: | Ann Lee\n\nCustomer\n\nName: | Orrin Boats';
    expect(firstOf('What are the payment terms of Premier Sail Group?', facts)).toBe('| Payment terms: | By quarter');
  });
  it('that is too wide for a claim is said by the cells that were asked for', () => {
    const columns = Array.from({ length: 40 }, (_, at) => `Takings of ${1990 + at}`);
    const row = (town: string, from: number): string =>
      [`Town: ${town}`, ...columns.map((column, at) => `${column}: ${from + 3 * at}.5`)].join('; ');
    const [claim] = claimsOf('What were the takings of Bexley in 2011?', {
      id: 'a',
      title: 'Takings',
      text: [row('Arlow', 100), row('Bexley', 400), row('Corvale', 900)].join('\n'),
      score: 9,
    });
    expect(claim?.text).toContain('Town: Bexley');
    expect(claim?.text).toContain('Takings of 2011: 463.5');
    expect(claim?.text.split(/\s+/u).length).toBeLessThanOrEqual(60);
    // The citation is of the row as it stands.
    const start = row('Arlow', 100).length + 1;
    expect(claim?.spans[0]).toMatchObject({ start, end: start + row('Bexley', 400).length });
    expect(supportOf(claim?.text ?? '', row('Bexley', 400)).verdict).toBe('supported');
  });
});

describe('the name of what is asked', () => {
  it('is the line above its value, in lists of facts that stand line under line', () => {
    const facts =
      'Industry\n\nBoat building\n\nFounded\n\nFebruary 28, 1898; in Arlow\n\nFounders\n\n- Edith Mora\n- Ida Moss\n\nProducts\n\nDinghies\n\nKestrel Yard is a yard in Arlow that the town took over in 1950 and that builds dinghies.';
    expect(firstOf('When was Kestrel Yard founded?', facts, 'Kestrel Yard')).toBe(
      'Founded February 28, 1898; in Arlow',
    );
    expect(firstOf('Who are the founders of Kestrel Yard?', facts, 'Kestrel Yard')).toBe(
      'Founders; Edith Mora; Ida Moss',
    );
  });
  it('of a message stands in its subject', () => {
    const mail =
      'Annual report of the harbour\n\nFrom: Carl Ashby <c@b.org>\nTo: Jane Doe <j@b.org>\nDate: 3 March 2031\n\nIn response to your query, the annual report of the harbour has been sent to the office of the mayor.';
    expect(
      firstOf('Who sent the mail about the annual report of the harbour?', mail, 'Annual report of the harbour'),
    ).toMatch(/^From: Carl Ashby/u);
  });
  it('of an amount stands before it, as receipts are written', () => {
    const receipt =
      'ARLOW STORES\n\nRope 12 m $ 19.90\nSubtotal $119.90\nMember discount (15%) -$18.00\nSales tax (8.5%) $8.66\n\nPaid by card. The tax number stands on the back.';
    expect(firstOf('What was the sales tax?', receipt, 'Receipt')).toBe('Sales tax (8.5%) $8.66');
  });
});

describe('a sentence that ends in a colon', () => {
  it('is said with the command or the items that it announces', () => {
    const command =
      'Paste mode can be switched off as follows:\n\n/set kestrel.paste off\n\nThe mode is on by default.';
    expect(firstOf('How can paste mode be switched off?', command)).toBe(
      'Paste mode can be switched off as follows: /set kestrel.paste off',
    );
    const list = 'A sail needs three tools:\n\n- a palm\n- a needle\n- a fid\n\nWhoever lacks a tool borrows one.';
    const [claim] = claimsOf('Which tools does a sail need?', { id: 'a', text: list, score: 9, start: 50 });
    expect(claim?.text).toBe('A sail needs three tools: a palm a needle a fid');
    expect(claim?.spans[0]).toMatchObject({ start: 50, end: 50 + list.indexOf('\n\nWhoever') });
    const spans = claimsOf('Which tools does a sail need?', { id: 'a', text: list, score: 9 }).map(
      ({ spans: [span] }) => span,
    );
    for (const [at, span] of spans.entries())
      for (const other of spans.slice(at + 1))
        expect((other?.start ?? 0) >= (span?.end ?? 0) || (other?.end ?? 0) <= (span?.start ?? 0)).toBe(true);
  });
});

describe('documents of several languages', () => {
  it('are answered from in the language of the question where both fit', () => {
    const german = {
      id: 'de',
      title: 'Hilfe',
      score: 9,
      text: 'Um Meldungen von Nick "mike" im Kanal zu deaktivieren, muss man die Datei von mike ändern und danach neu starten.',
    };
    const english = {
      id: 'en',
      title: 'Minutes',
      score: 8.6,
      text: 'The actions of the meeting are these.\n\n- Sarah: Prepare the roadmap for the board\n- Mike: Contact the vendors for their prices',
    };
    expect(claimsOf('What does Mike have to do?', german, english)[0]?.text).toContain('Contact the vendors');
  });
});
