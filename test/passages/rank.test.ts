// The order of passages for a question, what is chosen of it, and what is marked.
import { describe, expect, it } from 'vitest';
import { choosePassages } from '../../src/passages/choose.ts';
import { cutPassages } from '../../src/passages/cut.ts';
import { readFrame } from '../../src/passages/frame.ts';
import { pinpointOf } from '../../src/passages/pinpoint.ts';
import { rankByMeaning, rankByWords } from '../../src/passages/rank.ts';
import { surenessOf } from '../../src/passages/sureness.ts';
import { evidenceOf } from '../../testkit/turn-library.ts';

const question = 'What does max_pumps do?';
const chunks = [
  evidenceOf('Gates', 'Gates open when max_gates allows it, and pumps do the rest of the work.'),
  evidenceOf(
    'Pumps',
    'min_pumps (integer)\n\nThe least pumps.\n\nmax_pumps (integer)\n\nHow many pumps may run at once.\n',
  ),
];
const marked = (asked: string, text: string, headingPath: readonly string[] = []): string | undefined => {
  const [passage] = cutPassages({ text, title: '', headingPath });
  const pinpoint = passage && pinpointOf(readFrame(asked), passage);
  return pinpoint && passage.text.slice(pinpoint.span.start, pinpoint.span.end);
};

describe('readFrame', () => {
  it('counts an identifier once, with its words as its parts', () => {
    const { terms } = readFrame('Which poolTimeout is set?');
    const named = terms.filter(({ isName }) => isName);
    expect(named).toHaveLength(1);
    expect(named[0]?.parts.length).toBeGreaterThan(0);
    expect(terms.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
  });

  it('takes no capital for a name that begins a sentence, a line or what stands in brackets', () => {
    const names = (asked: string): string[] =>
      readFrame(asked).terms.flatMap(({ term, isName }) => (isName ? [term] : []));
    expect(names('My build fails. Explain the cache error. (Describe the schedule)')).toEqual([]);
    expect(names('Does my build run on Windows, or on Linux?')).toHaveLength(2);
  });

  it('weighs the question before it less', () => {
    const { terms } = readFrame('And the maximum? (How many pumps run)');
    const weightOf = (name: string): number => terms.find(({ term }) => term.startsWith(name))?.weight ?? 0;
    expect(weightOf('maximum')).toBeCloseTo(2 * weightOf('pump'));
  });
});

describe('rankByWords', () => {
  it('prefers the entry that the question names, the same each time', () => {
    const ranked = rankByWords(readFrame(question), chunks);
    expect(ranked[0]?.passage.text).toContain('max_pumps (integer)');
    expect(rankByWords(readFrame(question), chunks)).toEqual(ranked);
    for (const { features } of ranked)
      for (const value of Object.values(features)) expect(value >= 0 && value <= 1).toBe(true);
  });

  it('orders the first anew by how their tokens match, reads the parts of those in front, and leaves the others behind them', async () => {
    const ranked = rankByWords(readFrame(question), chunks);
    const asked: { readonly texts: readonly string[]; readonly byTokens?: boolean }[] = [];
    const score = async (one: (typeof asked)[number]) => {
      asked.push(one);
      return { scores: one.texts.map((text) => (text.includes('max_pumps') ? 0.9 : 0.1)) };
    };
    const whole = await rankByMeaning(question, ranked, score, { byParts: false });
    expect(whole.ranked[0]?.features).toMatchObject({ tokens: 0.9, partCosine: 0.9 });
    expect(asked.map(({ byTokens }) => byTokens)).toEqual([true]);
    const { ranked: ordered } = await rankByMeaning(question, ranked, score);
    expect(asked.map(({ byTokens = false }) => byTokens)).toEqual([true, true, false]);
    expect(asked[2]?.texts.every((part) => part.length <= Math.max(...chunks.map(({ text }) => text.length)))).toBe(
      true,
    );
    expect(ordered.map(({ passage }) => passage)).toEqual(whole.ranked.map(({ passage }) => passage));
    expect(ordered[0]?.partCosines).toContain(0.9);
    expect(new Set(ordered.map(({ passage }) => passage))).toEqual(new Set(ranked.map(({ passage }) => passage)));
  });

  it('goes by vectors where the weights do, as over turns', async () => {
    const ranked = rankByWords(readFrame(question), chunks);
    const asked: (boolean | undefined)[] = [];
    const score = async ({ texts, byTokens }: { readonly texts: readonly string[]; readonly byTokens?: boolean }) => {
      asked.push(byTokens);
      return { scores: texts.map(() => 0.5) };
    };
    const { ranked: ordered } = await rankByMeaning(question, ranked, score, { weights: { cosine: 1 } });
    expect(asked.some(Boolean)).toBe(false);
    expect(ordered[0]?.features).toMatchObject({ cosine: 0.5, tokens: 0 });
  });

  it('shows the encoder what words and the search put first, or what is given where somebody chose it', async () => {
    const listing = 'Which pumps of the harbour station are listed?';
    const own = 'Pumps of the harbour station run at night.';
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...evidenceOf('Pumps', at === 0 ? own : `Pumps of the harbour station are listed under ${at}.`),
      score: at === 0 ? 1 : 0.1,
    }));
    const ranked = rankByWords(readFrame(listing), many);
    const shown: string[] = [];
    const score = async ({ texts }: { readonly texts: readonly string[] }) => {
      shown.push(...texts);
      return { scores: texts.map((text) => (text.includes('night') ? 0.9 : 0.1)) };
    };
    expect(ranked.findIndex(({ chunk }) => chunk.score === 1)).toBeGreaterThan(20);
    const { ranked: ordered } = await rankByMeaning(listing, ranked, score, { byParts: false });
    expect(shown).toHaveLength(20);
    expect(ordered[0]?.passage.text).toBe(own);
    expect(ordered).toHaveLength(ranked.length);
    shown.length = 0;
    await rankByMeaning(listing, ranked, score, { byParts: false, isChosen: true });
    expect(shown.join()).not.toContain('night');
  });

  it('keeps the order of passages where their parts get no scores', async () => {
    const ranked = rankByWords(readFrame(question), chunks);
    let calls = 0;
    const { ranked: ordered, said } = await rankByMeaning(question, ranked, async ({ texts }) =>
      calls++ === 0 ? { scores: texts.map(() => 0.5) } : { failed: true },
    );
    expect(said).toEqual({ failed: true });
    expect(ordered.every(({ features }, at) => at > 11 || features.tokens === 0.5)).toBe(true);
  });
});

describe('choosePassages', () => {
  it('takes nothing that overlaps or says the same', () => {
    const same = rankByWords(readFrame(question), [...chunks, ...chunks]);
    expect(choosePassages(same, 9).length).toBeLessThan(same.length);
    expect(choosePassages(same, 1)).toEqual([same[0]]);
  });

  it('tells passages apart by their numbers', () => {
    const leases = [910, 655].map((rent) => evidenceOf(`Lease ${rent}`, `Monthly rent: ${rent} EUR`));
    expect(choosePassages(rankByWords(readFrame('monthly rent'), leases), 3)).toHaveLength(2);
  });
});

describe('pinpointOf', () => {
  it('marks the sentence that holds what is asked', () => {
    expect(marked('When was the dam completed?', 'The dam is tall. The dam was completed in 1974. It leaks.')).toBe(
      'The dam was completed in 1974.',
    );
  });

  it('marks rows by what tells them apart, and never the names of columns', () => {
    const csv = 'Room: Green; Rent: 120\nRoom: Red; Deposit: 250\n';
    expect(marked('What is the rent of the Red room?', csv, ['Room | Deposit | Rent'])).toBe('Room: Red; Deposit: 250');
    const table = '| | Leith | Oban |\n|---|---|---|\n| Rent | 11 | 12 |\n| Space | 18 | 24 |\n';
    expect(marked('What is the rent of Leith?', table)).toBe('| Rent | 11 | 12 |');
  });

  it('takes parts that the encoder did not read for as near as the others', () => {
    const items = Array.from({ length: 14 }, (_, at) =>
      at === 13 ? '- The gate opens by hand.' : `- Item ${at} is red.`,
    );
    const [passage] = cutPassages({ text: items.join('\n'), title: '', headingPath: [] });
    const read = Array.from({ length: 12 }, () => 0.4);
    const pinpoint = passage && pinpointOf(readFrame('How does the gate open?'), passage, read);
    expect(passage?.text.slice(pinpoint?.span.start, pinpoint?.span.end)).toBe('The gate opens by hand.');
  });
});

describe('surenessOf', () => {
  it('grows with the distance to the next passage, within 0..1', () => {
    const [first] = rankByWords(readFrame(question), chunks);
    const near = surenessOf({ first: first!, next: { score: first!.score } });
    const far = surenessOf({ first: first!, next: { score: first!.score - 1 } });
    expect(far).toBeGreaterThan(near);
    expect(near >= 0 && far <= 1).toBe(true);
  });
});
