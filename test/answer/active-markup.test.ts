// No words of a document make a client act that shows an answer as HTML or Markdown: whatever tags, quotes, comments, entities and addresses stand in
// claims, beside each other and across them, real parsers find nothing but text in the answer. Quotes stay what the document says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderAnswer } from '../../src/answer/render.ts';
import { activeIn, readAsHtml } from '../../testkit/active-markup.ts';
import { askLibrary, openLibrary } from '../../testkit/turn-library.ts';

const whole = [
  ...[
    `<img '<' src=x onerror=alert(1)>`,
    `<img "<" src=x onerror=alert(1)>`,
    '<img < src=x onerror=alert(1)>',
    '<a<b href=//e.test>',
  ],
  ...[
    '<img src="a>b" onerror=alert(1)>',
    `<svg/onload='alert(1)'>`,
    '<svg><a href=javascript:alert(1)>x</a></svg>',
    '<math><mi xlink:href="javascript:x">',
  ],
  ...[
    '<x" onclick=alert(1)>',
    '<a\u000bb onclick=x>',
    '<details open ontoggle=alert(1)>',
    '<img\nsrc=x\nonerror\n=\nalert(1)>',
    '<IMG\tSRC=x>',
  ],
  ...[
    '<!-- -->',
    '<!--> <img src=x> -->',
    '<![CDATA[ <img src=x> ]]>',
    '<?xml x="1"?>',
    '<!doctype html>',
    '</ a b>',
    '</1 x>',
    '<//e.test>',
  ],
  ...[
    '<script>alert(1)</script>',
    '<ScRiPt/x>',
    '<title><img src=x></title>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  ],
  ...[
    '<base href=//e.test>',
    '<form action=javascript:alert(1)>',
    '<a href="&#106;avascript:alert(1)">',
    '<iframe srcdoc="<img src=x>">',
  ],
  ...[
    '<javascript:alert(1)>',
    '<data:text/html,x>',
    '[x](javascript:alert(1))',
    '[x](<javascript:alert(1)>)',
    '[x](<java\tscript:alert(1)>)',
  ],
  ...[
    '![x](//e.test/a)',
    '![x](https://e.test/a)',
    '[x](&#106;avascript:alert(1))',
    '[x](java\\script:x)',
    `<div style=x:expression(alert(1))>`,
  ],
];
const bits = [
  '<',
  '</',
  '<!',
  '<!--',
  '-->',
  '>',
  '/>',
  'img',
  'a',
  'svg',
  'script',
  ' ',
  '/',
  '\t',
  '=',
  '"',
  "'",
  '`',
  ' src=x',
  ' onerror=alert(1)',
  'href=javascript:alert(1)',
  'x',
  '&lt;',
  '&#60;',
  '&gt;',
  ']',
  '(',
  ')',
  '[x]',
  '!',
  ':',
  'javascript:',
  '\u0000',
  'ſcript',
  '😀',
];
const piece = fc.oneof(
  fc.constantFrom(...whole),
  fc.array(fc.constantFrom(...bits), { maxLength: 8 }).map((some) => some.join('')),
);
const hostile = fc
  .tuple(
    fc.constantFrom('', 'The pier '),
    fc.array(fc.oneof(piece, fc.constantFrom(' is long. ', 'pier')), { minLength: 1, maxLength: 6 }),
  )
  .map(([start, parts]) => `${start}${parts.join('')}`);

function rendered(claims: readonly string[], conflict: readonly string[]) {
  const spanOf = (quote: string, at: number) => ({
    ...{
      documentId: `d${at}`,
      chunkId: `c${at}`,
      start: 0,
      end: quote.length,
      quote,
      title: 't',
      uri: 'u',
      source: 's',
    },
  });
  return renderAnswer({
    claims: claims.map((text, at) => ({ text, support: 1, spans: [spanOf(text, at)] })),
    conflicts: [
      {
        about: conflict[0] ?? '',
        positions: conflict.map((statement, at) => ({ statement, spans: [spanOf(statement, at)] })),
      },
    ],
    evidence: [],
    spanUrl: () => '/',
  });
}

describe('the text of an answer', () => {
  it('is text to whoever shows it as HTML or Markdown', () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: 1, maxLength: 4 }),
        fc.array(hostile, { minLength: 2, maxLength: 2 }),
        (claims, conflict) => {
          const { text, marks, citations } = rendered(claims, conflict);
          expect(activeIn(text)).toEqual([]);
          // Nothing swallows our marks.
          const read = readAsHtml(text);
          expect(read.split('[1]').length).toBeGreaterThanOrEqual(
            1 + marks.filter(({ citation }) => citation === 1).length,
          );
          for (const [at, claim] of claims.filter((one) => one.trim() !== '').entries())
            expect(citations[at]?.quote).toBe(claim);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each(whole)('is text where a document has %j', async (payload) => {
    const text = `The old pier ${payload} was built in 1874. It was painted ${payload} in 1911.`;
    const { answer } = await askLibrary('When was the old pier built?', openLibrary({ pier: text }));
    expect(activeIn(answer.answer)).toEqual([]);
    for (const { quote, start, end } of answer.citations) expect(quote).toBe(text.slice(start, end));
  });

  it.each(whole)('is text where a question has %j', async (payload) => {
    const question = `Who painted the ${payload} pier, and who bought the ${payload} zeppelin?`;
    for (const library of [openLibrary({}), openLibrary({ pier: 'The pier was painted by Ana Reis.' })]) {
      const { answer } = await askLibrary(question, library);
      expect(activeIn(answer.answer)).toEqual([]);
    }
  });
});
