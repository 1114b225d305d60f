import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerThreshold } from '../../../src/answer/confidence.ts';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { countWords } from '../../../src/text/sentences.ts';
import { contextOf, type Passage } from '../../../testkit/evidence-of.ts';

const harbour: Passage = {
  id: 'harbour',
  title: 'Arlow harbour',
  start: 100,
  score: 9,
  text: 'Arlow harbour lies on the north shore. It was opened in 1872 by the engineer Edith Mora. The stone pier is 340 metres long. The harbour closes in January because the lake freezes.',
};
const ferry: Passage = {
  id: 'ferry',
  title: 'Ferries of the lake',
  score: 5,
  text: 'Three ferries cross the lake in summer. The blue ferry, Kestrel, runs between Arlow and Bexley. A ticket costs 4 crowns.',
};
const pumps: Passage = {
  id: 'pumps',
  title: 'Pump manual',
  score: 2,
  text: 'Check the valve before each run.\n\n- Close the intake valve.\n- Press the red button for five seconds to reset the pump.\n\n| part | interval |\n|---|---|\n| filter | 90 days |\n| seal | 2 years |',
};
const all = contextOf(harbour, ferry, pumps);

describe('composeAnswer', () => {
  const table: readonly (readonly [question: string, first: string])[] = [
    ['When was Arlow harbour opened?', 'It was opened in 1872 by the engineer Edith Mora.'],
    ['How long is the stone pier?', 'The stone pier is 340 metres long.'],
    ['Why does the harbour close in January?', 'The harbour closes in January because the lake freezes.'],
    ['Which ferry runs between Arlow and Bexley?', 'The blue ferry, Kestrel, runs between Arlow and Bexley.'],
    ['How do I reset the pump?', 'Press the red button for five seconds to reset the pump.'],
    ['What is the interval for the seal part?', '| seal | 2 years |'],
  ];
  it.each(table)('%s', (question, first) => {
    const draft = composeAnswer({ question, context: all });
    expect(draft.abstainReason).toBeUndefined();
    expect(draft.claims[0]?.text).toBe(first);
  });

  it('cites spans in document coordinates', () => {
    const [claim] = composeAnswer({ question: 'How long is the stone pier?', context: all }).claims;
    const [span] = claim?.spans ?? [];
    expect(span?.documentId).toBe('doc-harbour');
    expect(span?.chunkId).toBe('harbour');
    expect(harbour.text.slice((span?.start ?? 0) - 100, (span?.end ?? 0) - 100)).toBe(claim?.text);
  });

  it('says behind a row of what is named no rows of others, and nothing of it that was not asked', () => {
    const page = (id: string, title: string, price: string): Passage => ({
      id,
      title,
      text: `${title} is a deployment tool.\n\n${title} supports audit logs.\n\n| plan | price |\n|---|---|\n| Team | ${price} |`,
    });
    const context = contextOf(page('one', 'Kestrel', '$29 per month'), page('two', 'Heron', '$49 per month'));
    const said = (question: string): readonly string[] =>
      composeAnswer({ question, context }).claims.map(({ text }) => text);
    expect(said('What is the price of Kestrel?')).toEqual(['| Team | $29 per month |']);
    expect(said('How much does the Team plan of Heron cost?')).toEqual(['| Team | $49 per month |']);
    const list = contextOf({
      id: 'list',
      text: '| tool | price |\n|---|---|\n| Heron | $99 |\n| Kestrel | $29 |\n| Osprey | $19 |',
    });
    const { claims } = composeAnswer({ question: 'What is the price of Kestrel?', context: list });
    expect(claims.map(({ text }) => text)).toEqual(['| Kestrel | $29 |']);
  });

  it('abstains with a reason when the evidence is about something else', () => {
    const draft = composeAnswer({ question: 'Who painted the ceiling of the Valmont opera?', context: all });
    expect(draft.claims).toEqual([]);
    expect(draft.abstainReason).toMatch(/Valmont/);
    expect(draft.confidence).toBeLessThan(answerThreshold);
  });

  it('abstains when a name of the question stands nowhere, whatever else matches', () => {
    const draft = composeAnswer({ question: 'When was the harbour of Zanvika opened?', context: contextOf(harbour) });
    expect(draft.claims).toEqual([]);
    expect(draft.abstainReason).toMatch(/Zanvika/);
  });

  it('abstains without evidence and without a question', () => {
    expect(composeAnswer({ question: 'When?', context: contextOf() })).toMatchObject({ claims: [], confidence: 0 });
    const wordless = composeAnswer({ question: '?!', context: all });
    expect(wordless.claims).toEqual([]);
    expect(wordless.abstainReason).toBeTruthy();
  });

  it('finds names that the question misspells', () => {
    const draft = composeAnswer({ question: 'Between which towns does the blue ferry Kestral run?', context: all });
    expect(draft.claims[0]?.text).toContain('Kestrel');
  });

  it('gives at most three claims for one answer, five for several, and no text twice', () => {
    const many = Array.from(
      { length: 8 },
      (_, index): Passage => ({
        id: `p${index}`,
        score: 9 - index,
        text: `The old harbour crane number ${index} was painted green in ${1900 + index} by the town.`,
      }),
    );
    const one = composeAnswer({ question: 'When was the harbour crane painted green?', context: contextOf(...many) });
    expect(one.claims.length).toBeLessThanOrEqual(3);
    const list = composeAnswer({
      question: 'What are the harbour cranes that were painted green?',
      context: contextOf(...many),
    });
    expect(list.claims.length).toBeLessThanOrEqual(5);
    const same = contextOf({ id: 'a', text: harbour.text }, { id: 'b', text: `${harbour.text} And so on.` });
    const texts = composeAnswer({ question: 'How long is the stone pier?', context: same }).claims.map(
      (claim) => claim.text,
    );
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('leaves out what only speaks of the same thing, beside what is asked of it', () => {
    const settings = {
      id: 'settings',
      title: 'Settings',
      text: 'Tern listens on port 8080 unless PORT says otherwise.',
    };
    const home = { id: 'home', title: 'Tern', text: 'Tern is a small HTTP server for teams.' };
    const claimsOf = (question: string) =>
      composeAnswer({ question, context: contextOf(settings, home) }).claims.map(({ text }) => text);
    expect(claimsOf('Which port does Tern listen on?')).toEqual([settings.text]);
    expect(claimsOf('What is Tern?')[0]).toBe(home.text);
  });

  it('takes no clause before a colon, under a heading, for a field', () => {
    const text =
      'Jitter\n\nJitter adds chance.\n\nBackoff\n\nBackoff is a way of spacing retries: the wait doubles. Without jitter, clients retry together.\n\nBreakers\n\nA breaker stops calls.';
    const [claim] = composeAnswer({
      question: 'What is backoff?',
      context: contextOf({ id: 'book', title: 'Reliability', text }),
    }).claims;
    expect(claim?.text).toBe('Backoff is a way of spacing retries: the wait doubles.');
  });

  it('prefers what says something over what repeats the question', () => {
    const manual = contextOf({
      id: 'm',
      text: '# Reset the pump\n\n- reset the pump\n\nHold the red button until\n> the pump beeps, then the pump is reset.',
    });
    const [claim] = composeAnswer({ question: 'How do I reset the pump?', context: manual }).claims;
    expect(claim?.text).toBe('Hold the red button until the pump beeps, then the pump is reset.');
  });

  it('follows a name from one document to the other', () => {
    const hop = contextOf(
      {
        id: 'song',
        title: 'Night Ferry',
        score: 9,
        text: 'Night Ferry is a song by the band The Slow Herons. It was released in 1994.',
      },
      {
        id: 'band',
        title: 'The Slow Herons',
        score: 3,
        text: 'The Slow Herons are a folk group from Bexley. They have four members.',
      },
      {
        id: 'other',
        title: 'Night trains',
        score: 4,
        text: 'The night train and the ferry are both slow. A song plays in the hall.',
      },
    );
    const draft = composeAnswer({ question: 'Where does the band of the song Night Ferry come from?', context: hop });
    expect(draft.claims.slice(0, 3).map((claim) => claim.spans[0]?.documentId)).toContain('doc-band');
  });

  it('answers in other languages', () => {
    const german = contextOf({
      id: 'de',
      text: 'Der Hafen von Arlow wurde im Jahr 1872 eröffnet. Die Mole ist 340 Meter lang. Im Winter bleibt der Hafen geschlossen.',
    });
    expect(
      composeAnswer({ question: 'Wann wurde der Hafen von Arlow eröffnet?', context: german }).claims[0]?.text,
    ).toBe('Der Hafen von Arlow wurde im Jahr 1872 eröffnet.');
    const chinese = contextOf({ id: 'zh', text: '阿洛港位于湖的北岸。港口于1872年开放。码头长340米。' });
    expect(composeAnswer({ question: '港口哪一年开放？', context: chinese }).claims[0]?.text).toBe(
      '港口于1872年开放。',
    );
    const arabic = contextOf({
      id: 'ar',
      text: 'يقع ميناء أرلو على الشاطئ الشمالي. افتتح الميناء عام 1872. يبلغ طول الرصيف 340 مترا.',
    });
    expect(composeAnswer({ question: 'متى افتتح الميناء؟', context: arabic }).claims[0]?.text).toBe(
      'افتتح الميناء عام 1872.',
    );
  });

  it('says the same again for the same input', () => {
    const ask = () => composeAnswer({ question: 'How long is the stone pier?', context: all });
    expect(ask()).toEqual(ask());
  });

  it('only claims what stands in the context, at most 60 words each', () => {
    const word = fc.constantFrom(
      'harbour',
      'pier',
      'Arlow',
      '1872',
      'long',
      'the',
      'ferry',
      'opened',
      '340',
      'metres',
      'Mora',
    );
    const end = fc.constantFrom('. ', '! ', '\n', '\n\n', '; ', ' | ', ' ');
    const text = fc.array(fc.tuple(fc.array(word, { minLength: 1, maxLength: 80 }), end), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.array(word, { minLength: 1, maxLength: 6 }),
        (texts, asked) => {
          const passages = texts.map(
            (parts, index): Passage => ({
              id: `p${index}`,
              start: 7 * index,
              score: 9 - index,
              text: parts.map(([words, mark]) => `${words.join(' ')}${mark}`).join(''),
            }),
          );
          const draft = composeAnswer({ question: `When ${asked.join(' ')}?`, context: contextOf(...passages) });
          expect(draft.claims.length).toBeLessThanOrEqual(5);
          for (const value of [draft.confidence, draft.coverage]) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
          expect(draft.claims.length === 0).toBe(draft.abstainReason !== undefined);
          for (const claim of draft.claims) {
            expect(countWords(claim.text)).toBeLessThanOrEqual(60);
            expect(claim.relevance).toBeLessThanOrEqual(1);
            for (const span of claim.spans) {
              const passage = passages.find((one) => one.id === span.chunkId);
              const start = passage?.start ?? 0;
              expect(passage?.text.slice(span.start - start, span.end - start).replace(/\s+/g, ' ')).toBe(claim.text);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('claims that say something', () => {
  it('passes over headings, labels and links where anything else answers', () => {
    const context = contextOf({
      id: 'paper',
      text: '5.3 Optimizer\n\ntraining training training optimizer optimizer was used.\n\nWe used the Adam optimizer with a small step for training.\n\n[Optimizer](./optimizer.md)\n\nOptimizer training',
    });
    const { claims } = composeAnswer({ question: 'What optimizer was used for training?', context });
    expect(claims.map((claim) => claim.text)).toEqual(['We used the Adam optimizer with a small step for training.']);
  });

  it('still cites a heading where there is nothing else', () => {
    const context = contextOf({ id: 'only', text: '# Pump reset button' });
    expect(composeAnswer({ question: 'Pump reset button?', context }).claims[0]?.text).toBe('Pump reset button');
  });

  it('writes words cut at the end of a line as the document writes them elsewhere', () => {
    const context = contextOf(
      {
        id: 'a',
        documentId: 'paper',
        text: 'The second layer is a simple, position-\nwise fully connected network of the encoder.',
        score: 9,
      },
      { id: 'b', documentId: 'paper', text: 'Position-wise networks are cheap.', start: 200, score: 3 },
    );
    const [claim] = composeAnswer({ question: 'What is the second layer of the encoder?', context }).claims;
    expect(claim?.text).toBe('The second layer is a simple, position-wise fully connected network of the encoder.');
  });
});
