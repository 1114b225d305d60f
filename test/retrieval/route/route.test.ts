import { describe, expect, it } from 'vitest';
import type { SourceType } from '../../../src/core/document.ts';
import { planSearch } from '../../../src/retrieval/route/plan.ts';
import { decideRoute } from '../../../src/retrieval/route/route.ts';
import { macroF1, readFittedQuestions, readUnseenQuestions } from '../../../testkit/router/questions.ts';

/** As the requirements name them, in any case. */
const named: readonly (readonly [SourceType, readonly string[]])[] = [
  [
    'code',
    [
      'where is parseConfig defined',
      'WHERE IS the retry policy DEFINED?',
      'find the HTTP retry implementation',
      'Find an implementation for caching',
      'locate the Session class',
      'locate function parse',
      'Locate the flush method',
      'show me the sorting code',
    ],
  ],
  [
    'textbook',
    [
      'explain the visitor pattern',
      'Explain patterns of retries',
      'what is hexagonal design',
      'What is a good database design?',
      'best practice for naming variables',
      'how should I plan the architecture',
      'How should I choose an architecture?',
    ],
  ],
  [
    'docs',
    [
      'how to configure logging',
      'How To Configure TLS',
      'API for invoices',
      'the api for users',
      'usage example',
      'Usage example of import',
    ],
  ],
];

describe('decideRoute', () => {
  for (const [type, questions] of named)
    it(`sends what the requirements name to ${type}`, () => {
      for (const question of questions) {
        const decision = decideRoute(question);
        expect([question, decision.types[0], decision.isCertain]).toEqual([question, type, true]);
        expect(decision.reason).toContain(type);
      }
    });

  it('says that it cannot tell instead of guessing', () => {
    for (const question of ['Which clause covers the notice period?', 'the northern basin', '', '熱 flow'])
      expect(decideRoute(question)).toMatchObject({ types: [], isCertain: false });
  });

  it('listens to the name of a source in the question', () => {
    const sources = [{ name: 'employee-handbook', type: 'guide' as const }];
    expect(decideRoute('what the employee handbook says of cars', sources).types[0]).toBe('guide');
    expect(decideRoute('what the employee says of cars', sources).types).toEqual([]);
  });

  it.each([
    ['English', (language = 'en') => language === 'en', 0.7],
    ['other languages', (language = 'en') => language !== 'en', 0.5],
  ] as const)('tells unseen questions in %s apart', (_, isOf, least) => {
    const unseen = readUnseenQuestions().filter(({ language }) => isOf(language));
    expect(unseen.length).toBeGreaterThanOrEqual(100);
    expect(macroF1(unseen, (question) => decideRoute(question).types).macro).toBeGreaterThanOrEqual(least);
  });

  it('was fitted on no question that is kept unseen', () => {
    const { first, languages } = readFittedQuestions();
    const plain = ({ question }: { readonly question: string }) =>
      question
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
    const fitted = new Set([...first, ...languages].map(plain));
    expect(
      readUnseenQuestions()
        .map(plain)
        .filter((one) => fitted.has(one)),
    ).toEqual([]);
  });

  it('says which words of the question spoke for a kind', () => {
    expect(decideRoute('latest news on copper').reason).toMatch(/^web: the question says “.*news”/u);
    expect(decideRoute('今天上海的天气怎么样？').reason).toBe('web: the question is worded as such questions are');
  });

  it('reads the name of a setting as one, and the same name as code where the code is asked for', () => {
    for (const question of ['What is the default bodyLimit?', 'which values does the option log_level take'])
      expect([question, decideRoute(question).types]).toEqual([question, ['docs']]);
    for (const question of ['where is bodyLimit read in the code', 'How is reply.send implemented?'])
      expect([question, decideRoute(question).types[0]]).toEqual([question, 'code']);
  });
});

const there = (...types: SourceType[]) => types.map((type) => ({ name: `all-${type}`, type }));

describe('planSearch', () => {
  it('asks one kind alone where a pattern decides, and keeps the others for later by their authority', () => {
    const plan = planSearch('where is parseConfig defined', {
      sources: there('qa', 'docs', 'code', 'textbook'),
      outside: ['web'],
    });
    expect(plan).toMatchObject({ first: ['code'], later: ['textbook', 'docs', 'qa'], preferred: ['code'] });
    expect(plan.outside).toEqual({ first: [], later: ['web'] });
    expect(plan.routing).toMatchObject({ sources: ['code'], asked: ['code'] });
  });

  it('asks all where it cannot tell, and nobody outside', () => {
    const plan = planSearch('the northern basin', { sources: there('qa', 'code'), outside: ['web'] });
    expect(plan).toMatchObject({
      first: ['code', 'qa'],
      later: [],
      preferred: [],
      outside: { first: [], later: ['web'] },
    });
    expect(plan.routing.sources).toEqual(['code', 'qa']);
  });

  it('never asks none, whatever there is', () => {
    for (const question of ['where is x defined', 'the northern basin', 'latest news on copper', ''])
      for (const sources of [
        there(),
        there('docs'),
        there('docs', 'qa'),
        there('conversation', 'workspace', 'guide'),
      ]) {
        const { routing, first } = planSearch(question, { sources, outside: [] });
        expect(routing.sources.length).toBeGreaterThan(0);
        // One kind is searched as a whole.
        expect(first.length > 0).toBe(sources.length > 1);
      }
  });
});

describe('a programming language', () => {
  it.each(['join two lists python', 'read a file in java', 'sort a list python 3'])('%s', (question) => {
    expect(decideRoute(question)).toMatchObject({ types: ['code'], isPlain: true });
    const sources = [
      { name: 'repo', type: 'code' as const },
      { name: 'book', type: 'textbook' as const },
    ];
    expect(planSearch(question, { sources, outside: [] })).toMatchObject({ preferred: ['code'], isPlain: true });
  });

  it('leaves doubt where it is not named', () => {
    expect(decideRoute('what does the retry do to the order').isPlain).toBeUndefined();
  });
});
