// Claims from records: a log's entry, a chat's message, a line of settings, a field, a footnote, a row of names and values is a claim of its own,
// read with what names it, and what only repeats the question is none.
import { describe, expect, it } from 'vitest';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { contextOf } from '../../../testkit/evidence-of.ts';

const firstClaim = (question: string, title: string, text: string): string | undefined =>
  composeAnswer({ question, context: contextOf({ id: 'a', title, text, score: 9 }) }).claims[0]?.text;
const claims = (question: string, title: string, text: string): string[] =>
  composeAnswer({ question, context: contextOf({ id: 'a', title, text, score: 9 }) }).claims.map((claim) => claim.text);

const log = [
  '2026-03-11 02:54:02,312 INFO  [worker-2] order.Processor - order 81210 accepted in 12 ms',
  '2026-03-11 02:54:27,210 ERROR [worker-3] order.Processor - order 81211 refused by payment gateway: card expired',
  '2026-03-11 02:54:40,118 INFO  [worker-0] order.Processor - order 81212 accepted in 9 ms',
];
const chat = [
  '12/03/2026, 18:05 - Tomasz: Where do we meet?',
  '12/03/2026, 18:07 - Petra: At the Kirchzarten station, platform 2',
  '12/03/2026, 18:09 - Lena Vogt: I can bring the rope and two helmets',
];
const card = 'Dr. Adaeze Okonkwo\n\nPhone: +234 1 555 0182\nBirthday: 1979-08-23';
const cargo = '[package]\nname = "tidecalc"\nversion = "0.9.3"\n\n[dependencies]\nchrono = "0.4.31"\nserde = "1.0.2"';
const compose =
  'services:\n  database:\n    image: postgres:16.4\n    ports:\n      - "5544:5432"\n  queue:\n    image: rabbitmq:3.13';
const invoice =
  'INVOICE\n\nInvoice number: HJ-2026-118\n\nDate: 14 February 2026\n\nDue date: 16 March 2026\n\nTotal due £ 1,453.20';

describe('the claim from a record', () => {
  it.each<readonly [question: string, title: string, text: string, first: string]>([
    [
      'Why was order 81211 refused by the payment gateway?',
      'server',
      log.join('\n'),
      log[1]?.replace(/\s+/gu, ' ') ?? '',
    ],
    ['Where do we meet?', 'Hiking Club', chat.join('\n'), chat[1] ?? ''],
    ['What does Lena Vogt bring?', 'Hiking Club', chat.join('\n'), chat[2] ?? ''],
    ['When was Dr. Adaeze Okonkwo born?', 'contacts', card, card.replace(/\s+/gu, ' ')],
    ['Which version of chrono does tidecalc use?', 'Cargo', cargo, 'chrono = "0.4.31"'],
    ['What version is tidecalc?', 'Cargo', cargo, 'version = "0.9.3"'],
    [
      'Which port does the database map to?',
      'docker-compose',
      compose,
      'database: image: postgres:16.4 ports: - "5544:5432"',
    ],
    ['When is invoice HJ-2026-118 due?', 'Invoice', invoice, 'Due date: 16 March 2026'],
    [
      'Which G-codes are understood by the plotter?',
      'README',
      'Drives a pen plotter from G-code[^1].\n\nWritten in C.\n\n[^1]: Only G0, G1, G4 and M3 are understood.',
      '[^1]: Only G0, G1, G4 and M3 are understood.',
    ],
    [
      'How high is Brenning Lighthouse?',
      'Brenning Lighthouse',
      'Constructed | 1862\nHeight | 41 m\nRange | 23 nautical miles\n\nThe cape is in the north of the island.[1]',
      'Height | 41 m',
    ],
    [
      'How much was the Sourdough loaf?',
      'Receipt',
      'Cheddar 400g | 4.10\nOat milk 1L | 1.89\nSourdough loaf | 3.80',
      'Sourdough loaf | 3.80',
    ],
  ])('of "%s" is the one that tells it', (question, title, text, first) => {
    expect(firstClaim(question, title, text)).toBe(first);
  });

  it('goes by the name of the mail that an attachment came with', () => {
    const question = 'Within how many days is payment due under the terms of the quotation?';
    const [block] = contextOf({
      id: 'a',
      title: 'terms',
      text: 'Payment within 21 days, 1.5 percent discount.',
      score: 9,
    }).blocks;
    const context = (uri: string) => ({
      blocks: block ? [{ ...block, evidence: { ...block.evidence, uri } }] : [],
      tokens: 20,
      dropped: [],
    });
    const confidence = (uri: string): number => composeAnswer({ question, context: context(uri) }).confidence;
    expect(confidence('Mail/quotation.eml/attachments/terms.txt')).toBeGreaterThan(confidence('Mail/terms.txt'));
  });

  it('is no question of a chat and no echo, unless a name is asked for', () => {
    expect(claims('Where do we meet?', 'Hiking Club', chat.join('\n'))).not.toContain(chat[0]);
    expect(claims('What seat is on ticket HX-2207?', 'ticket', 'ticket: HX-2207\n\nseat: 31C')).toEqual(['seat: 31C']);
    expect(claims('Did Tomasz ask where we meet?', 'Hiking Club', chat.join('\n'))).toContain(chat[0]);
  });
});

describe('the check of a claim from a log', () => {
  it('refuses what begins amid one entry and ends in the next', () => {
    const quote = log.join('\n').replaceAll(/ {2,}/gu, ' ');
    const [, second = ''] = quote.split('\n');
    expect(supportOf(second, quote).verdict).toBe('supported');
    const mixed =
      'order 81210 accepted in 12 ms 2026-03-11 02:54:27,210 ERROR [worker-3] order.Processor - order 81211';
    expect(supportOf(mixed, quote).verdict).toBe('unsupported');
  });
});
