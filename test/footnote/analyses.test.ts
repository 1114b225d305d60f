// Analyses from documents to a checked answer: sections of claims about the right subject, gaps by name, one stream, kept, verified, replayed and
// erased like any answer; and the same written by a model.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import type { AnalysisRequest } from '../../src/core/answers/analysis-request.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { answerOf, type FakeReply, type FakeRequest, startFakeOpenAI } from '../../src/testing/index.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const acme = `# Acme Robotics: annual report 2025

## Business

Acme Robotics is a maker of warehouse robots in Leeds. It was founded in 1998 and employs 2,400 people.

Its gross margin of 61 % is the highest in the industry. Beta Drives, its main rival, has the lowest prices in Europe. It also has the fastest delivery.

## Plant

The ageing plant in Leeds lacks space for a second line. Demand for robots in hospitals is growing, and Acme Robotics could expand into Spain in 2027.
`;
const beta = `# Beta Drives

Beta Drives sells drives and robots. It has a loyal base of 900 dealers, and an arm costs 8,000 euros.

Unlike Acme Robotics, Beta Drives has no debt. Its software is outdated and slow.
`;
const industry = `# Warehouse robots in Europe

Acme Robotics lost 4 % of its customers in 2025 to cheaper rivals. An arm of Acme Robotics costs 11,000 euros.
`;

let folder: string;
let opened: OpenedFootnote | undefined;
let footnote: Footnote;

async function open(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  opened = await openFootnote(
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...environment } }),
  );
  footnote = opened.forScope(localScope());
  for (const [uri, text] of Object.entries({ 'acme.md': acme, 'beta.md': beta, 'industry.md': industry }))
    await footnote.documents.add({ text, mime: 'text/markdown', uri, source: 'notes' });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-analyses-'));
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  await rm(folder, { recursive: true });
});

async function analyse(request: AnalysisRequest): Promise<{ answer: Answer; events: FootnoteEvent[] }> {
  const events: FootnoteEvent[] = [];
  const answer = await footnote.analyse(request, { onEvent: (event) => events.push(event) });
  return { answer, events };
}

const saidIn = ({ sections = [], claims }: Answer, title: string): readonly string[] =>
  (sections.find((one) => one.title === title)?.claims ?? []).map((place) => claims[place - 1]?.text ?? '');

const swot = { kind: 'swot', subject: 'Acme Robotics' } as const;

describe('an analysis in the documents’ own sentences', () => {
  it('says under each heading what documents say of the subject, and nothing that they say of others', async () => {
    await open();
    const { answer } = await analyse(swot);
    expect(answer.sections?.map(({ title }) => title)).toEqual(['Strengths', 'Weaknesses', 'Opportunities', 'Threats']);
    expect(saidIn(answer, 'Strengths')).toEqual(['Its gross margin of 61 % is the highest in the industry.']);
    expect(saidIn(answer, 'Weaknesses')).toEqual(['The ageing plant in Leeds lacks space for a second line.']);
    expect(saidIn(answer, 'Opportunities')).toEqual([
      'Demand for robots in hospitals is growing, and Acme Robotics could expand into Spain in 2027.',
    ]);
    expect(saidIn(answer, 'Threats')).toContain('Acme Robotics lost 4 % of its customers in 2025 to cheaper rivals.');
    expect(answer.answer).not.toMatch(/dealers|lowest prices|fastest delivery|outdated/u);
    expect(answer.sources.length).toBeGreaterThan(0);
    expect(answer.degraded).toContainEqual(
      expect.objectContaining({ component: 'analysis', code: 'needs-model' }) as object,
    );
  });

  it('sets others beside the subject under each focus area, and names what no document says', async () => {
    await open();
    const { answer } = await analyse({
      kind: 'competitors',
      subject: 'Acme Robotics',
      items: ['Beta Drives', 'Corvid Systems'],
      focusAreas: ['costs', 'dealers'],
    });
    expect(saidIn(answer, 'Acme Robotics')).toContain('An arm of Acme Robotics costs 11,000 euros.');
    expect(answer.sections?.find(({ title }) => title === 'Acme Robotics')?.gaps).toEqual(['dealers']);
    expect(saidIn(answer, 'Beta Drives').join(' ')).toMatch(/8,000 euros/u);
    expect(saidIn(answer, 'Beta Drives').join(' ')).not.toMatch(/11,000/u);
    const corvid = answer.sections?.find(({ title }) => title === 'Corvid Systems');
    expect(corvid).toMatchObject({ claims: [], missing: expect.stringContaining('Corvid Systems') as string });
    expect(answer.answer).toContain('## Corvid Systems\n\nNothing was found:');
    expect(answer.coverage).toBeLessThan(1);
  });

  it('streams what it says, is kept, holds when it is checked, and comes out of its trace the same', async () => {
    await open();
    const { answer, events } = await analyse(swot);
    expect(events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')).toBe(answer.answer);
    expect(events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []))).toEqual(answer.citations);
    expect(events.some(({ type }) => type === 'decomposition')).toBe(true);
    expect(await footnote.answers.get(answer.id)).toEqual(answer);
    const check = await footnote.answers.verify(answer);
    expect([check.ok, check.reasons]).toEqual([true, []]);
    const replayed = await footnote.traces.replay(answer.traceId);
    expect(replayed).toMatchObject({ same: true, sameCalls: true, divergences: [] });
    expect((await footnote.traces.get(answer.traceId)).trace.kind).toBe('analysis');
  });

  it('does not hold with a word more, a heading of its own, or a claim under another heading', async () => {
    await open();
    const { answer } = await analyse(swot);
    const reasonsOf = async (changed: Partial<Answer>): Promise<string> =>
      (await footnote.answers.verify({ ...answer, ...changed })).reasons.join('; ');
    expect(await reasonsOf({ answer: `${answer.answer} Buy it.` })).toMatch(/^text-differs/u);
    const [first, second, ...others] = answer.sections ?? [];
    if (!first || !second) throw new Error('There are sections.');
    expect(await reasonsOf({ sections: [{ ...first, title: 'Buy it' }, second, ...others] })).toMatch(/^text-differs/u);
    const moved = [{ ...first, claims: [] }, { ...second, claims: [1, ...second.claims] }, ...others];
    expect(await reasonsOf({ sections: moved })).toMatch(/text-differs/u);
    expect(await reasonsOf({ sections: [first, ...others] })).toMatch(/sections-differ/u);
  });

  it('loses what rested on a deleted document, and says so in that section', async () => {
    await open();
    const { answer } = await analyse(swot);
    const gone = answer.citations.find(({ uri }) => uri === 'acme.md')?.documentId ?? '';
    await footnote.documents.delete(gone);
    await opened?.settleErasures();
    const left = await footnote.answers.get(answer.id);
    expect(left.erased?.documents).toContain(gone);
    expect(left.answer).not.toMatch(/margin|ageing|Spain/u);
    expect(saidIn(left, 'Threats').length).toBeGreaterThan(0);
    expect(left.sections?.find(({ title }) => title === 'Strengths')?.missing).toMatch(/deleted/u);
    expect((await footnote.answers.verify(left)).ok).toBe(true);
  });

  it('abstains where no document speaks of the subject', async () => {
    await open();
    const { answer, events } = await analyse({ kind: 'swot', subject: 'Zephyr Foods' });
    expect(answer).toMatchObject({ abstained: true, claims: [], coverage: 0 });
    expect(answer.abstainReason).toMatch(/Zephyr Foods/u);
    expect(answer.sections?.every(({ missing }) => missing !== undefined)).toBe(true);
    expect(events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')).toBe(answer.answer);
    expect((await footnote.answers.verify(answer)).ok).toBe(true);
  });
});

describe('an analysis that a model writes', () => {
  it.each<[string, FakeReply]>([
    ['says nothing', { hangAfter: 0 }],
    [
      'says a word each second',
      { text: `{"claims": [${'{"text": "Acme'.repeat(40)}`, pieceCharacters: 6, betweenMs: 600 },
    ],
  ])('is one of the documents’ own sentences where the model %s', async (_, reply) => {
    const fake = await startFakeOpenAI(() => reply);
    try {
      await open({ ...fake.environment, MODEL_ANSWER: 'compatible:gpt-5.2', MODEL_EMBED: 'none' });
      // Past its time it would throw.
      const answer = await footnote.analyse(swot, { timeoutMs: 2_500 });
      expect(saidIn(answer, 'Strengths')).toEqual(['Its gross margin of 61 % is the highest in the industry.']);
      expect(answer.degraded.map(({ component }) => component)).toContain('answer-model');
      expect(answer.sections?.filter(({ claims }) => claims.length > 0).length).toBeGreaterThanOrEqual(3);
    } finally {
      await fake.close();
    }
  });

  const say = ({ prompt }: FakeRequest): string | FakeReply => {
    const lines = ['Its gross margin of 61 % is the highest in the industry.', 'It has a loyal base of 900 dealers'];
    const claims = lines.filter((line) => prompt.includes(line)).map((quote) => ({ text: quote, quote }));
    return prompt.includes('strengths')
      ? answerOf([...claims, { text: 'Acme Robotics is loved by all.', quote: 'Acme Robotics is loved by all.' }])
      : 'I would rather not say.';
  };

  it('keeps of each section what the documents carry, and falls back to their sentences', async () => {
    const provider = await startFakeOpenAI((request) => say(request));
    try {
      await open({ ...provider.environment, MODEL_ANSWER: 'compatible:fake' });
      const { answer } = await analyse(swot);
      expect(answer.models?.map(({ role }) => role)).toContain('answer');
      expect(saidIn(answer, 'Strengths')).toEqual(['Its gross margin of 61 % is the highest in the industry.']);
      expect(saidIn(answer, 'Weaknesses')).toEqual(['The ageing plant in Leeds lacks space for a second line.']);
      expect(answer.answer).not.toMatch(/loved|dealers/u);
      expect((await footnote.answers.verify(answer)).ok).toBe(true);
      expect(await footnote.traces.replay(answer.traceId)).toMatchObject({ same: true, divergences: [] });
    } finally {
      await provider.close();
    }
  });
});
