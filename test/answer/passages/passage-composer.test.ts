// An answer in the documents' own passages, from the question to the checked answer: what leads, what only comes closest, and what is said by whom.
import { describe, expect, it } from 'vitest';
import { passageComposer } from '../../../src/answer/passages/passage-composer.ts';
import { verifyAnswer } from '../../../src/answer/verify.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { PassageScorer } from '../../../src/models/encoder/passage-scorer.ts';
import { askLibrary, openLibrary } from '../../../testkit/turn-library.ts';

const dam =
  'The Harlow dam is built of stone. The Harlow dam was completed in 1974 by the county. It is painted green.';
const texts = {
  Dam: dam,
  Invoice: 'Invoice 332305 was sent to Orla Finch. The amount due of invoice 332305 is 1,240 EUR in total.',
  Damm: 'Der Damm wurde 1974 fertig. Er ist aus Stein und steht in der Schweiz.',
};
const finding = (...titles: readonly string[]) => openLibrary(texts, { finds: (title) => titles.includes(title) });

function scorerOf(score: PassageScorer['score']) {
  const asked: string[] = [];
  const note: PassageScorer['score'] = (query, given, signal) => {
    asked.push(query);
    return score(query, given, signal);
  };
  const passageScorer: PassageScorer = {
    id: 'test',
    score: note,
    match: note,
    leastMatch: note,
  };
  return { asked, passageScorer };
}
const evenly = scorerOf(async (_, given) => given.map(() => 0.5));

describe('passageComposer', () => {
  it('shows the passage, with the sentence marked that answers', async () => {
    const { answer } = await askLibrary('When was the Harlow dam completed?', finding('Dam'));
    expect(answer.claims).toMatchObject([{ text: dam, form: 'paragraph' }]);
    const { start = 0, end = 0 } = answer.claims[0]?.pinpoint ?? {};
    expect(dam.slice(start, end)).toBe('The Harlow dam was completed in 1974 by the county.');
    expect(answer.passages).toEqual(answer.claims);
  });

  it('asserts nothing of another number than the one asked for', async () => {
    const { answer } = await askLibrary('What is the amount due of invoice 332315?', finding('Invoice'));
    expect(answer.abstained || answer.closestPassages).toBe(true);
    const right = await askLibrary('What is the amount due of invoice 332305?', finding('Invoice'));
    expect(right.answer).toMatchObject({ abstained: false });
    expect(right.answer.closestPassages).toBeUndefined();
    // The number that the question before names is not asked for any more.
    const after = 'And of invoice 332315? (What is the amount due of invoice 332305)';
    const next = await askLibrary(after, finding('Invoice'));
    expect(next.answer.abstained || next.answer.closestPassages).toBe(true);
  });

  it('abstains where nothing was found, and where nothing found says anything of it', async () => {
    const nothing = await askLibrary('When was the Harlow dam completed?', finding());
    expect(nothing.answer).toMatchObject({ abstained: true, claims: [] });
    const beside = await askLibrary('Which orchestra performs quartets?', finding('Dam'));
    expect(beside.answer.abstained || beside.answer.closestPassages).toBe(true);
  });

  it('goes on without an encoder that fails, and says so', async () => {
    const { passageScorer } = scorerOf(() => Promise.reject(new FootnoteError('upstream-unavailable', 'It died.')));
    const ports = { passageScorer, composerFor: () => passageComposer };
    const { answer } = await askLibrary('When was the Harlow dam completed?', finding('Dam'), { ports });
    expect(answer.answer).toContain('1974');
    expect(answer.degraded).toMatchObject([{ component: 'encoder', code: 'upstream-unavailable' }]);
  });

  it('asks the encoder, but of no question in another language', async () => {
    const { asked, passageScorer } = evenly;
    await askLibrary('When was the Harlow dam completed?', finding('Dam'), { ports: { passageScorer } });
    expect(asked).toHaveLength(2);
    await askLibrary('Wann wurde der Damm in der Schweiz fertig und woraus ist er?', finding('Damm'), {
      ports: { passageScorer },
    });
    expect(asked).toHaveLength(2);
  });
});

describe('a saved answer of passages', () => {
  it('holds as it was given, and not with another passage, a part of one or a mark beside it', async () => {
    const library = finding('Dam');
    const { answer } = await askLibrary('When was the Harlow dam completed?', library);
    const [passage] = answer.passages ?? [];
    expect(passage).toBeDefined();
    const holds = async (change: object): Promise<boolean> =>
      (await verifyAnswer({ ...answer, passages: [{ ...passage!, ...change }] }, library.readSpan)).ok;
    expect(await holds({})).toBe(true);
    expect(await holds({ text: dam.replace('1974', '1984') })).toBe(false);
    expect(await holds({ text: 'is built of stone' })).toBe(false);
    expect(await holds({ pinpoint: { start: 5, end: 5_000 } })).toBe(false);
    expect(await holds({ pinpoint: { start: 9, end: 9 } })).toBe(false);
    const [claim] = answer.claims;
    const cut = { ...answer, claims: [{ ...claim!, text: 'The Harlow dam was completed' }] };
    expect((await verifyAnswer(cut, library.readSpan)).ok).toBe(false);
  });
});
