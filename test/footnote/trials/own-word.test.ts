import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gradeOf } from '../../../src/answer/support/grade.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';
import { createDeadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { keepMeasured, leastYesOfAny, measureOwnWord } from '../../../src/footnote/trials/own-word.ts';
import statements from '../../../src/footnote/trials/statements.json' with { type: 'json' };
import { documents as examDocuments, examineOwnWord } from '../../../src/footnote/trials/writer-exam.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';
import { lockModel, readLock } from '../../../src/models/local/lock.ts';

const documents = [...new Set(statements.map(({ document }) => document))].map((id) => ({
  id,
  title: id,
  text: `About ${id}.`,
}));
const carried = statements.filter(({ isCarried }) => isCarried).length;

/** A model that says Yes with this chance to each statement. */
function modelOf(chanceOf: (isCarried: boolean, at: number) => number) {
  return createScriptedModel(
    statements.map(({ isCarried, statement }, at) => ({
      expect: statement,
      reply: JSON.stringify({ Yes: chanceOf(isCarried, at), No: 0 }),
    })),
    { id: 'small', provider: 'gguf' },
  );
}
const measured = (chanceOf: Parameters<typeof modelOf>[0]) =>
  measureOwnWord(modelOf(chanceOf), documents, () => ({ deadline: createDeadline(60_000) }));

describe('the own word of a writer', () => {
  it('is measured on what it would be asked about: rules neither confirm it nor forbid it', () => {
    for (const { document, statement } of statements) {
      const quotes = examDocuments
        .filter(({ id }) => id === document)
        .map(({ title, text }) => ({ quote: text, title }));
      const { verdict, reasons } = supportOf(statement, quotes[0]?.quote ?? '', { context: quotes[0]?.title ?? '' });
      const { vetoes, comparison, askedCodes } = vetoesOf({ claim: statement, quotes, reasons });
      const degree = vetoes.length > 0 ? 'forbidden' : gradeOf(comparison, { reasons, askedCodes }).degree;
      // With the encoder it is `reworded`, which it is asked about.
      expect({ reworded: [], unlike: [] }, statement).toHaveProperty(verdict === 'supported' ? 'quoted' : degree);
    }
  });

  it.each([
    ['tells all apart', (is: boolean) => (is ? 0.95 : 0.4), { leastYes: leastYesOfAny, affirmed: carried }],
    [
      'believes a wrong one much',
      (is: boolean, at: number) => (is ? 0.99 : at === 0 ? 0.93 : 0.1),
      { leastYes: 0.95, affirmed: carried },
    ],
    ['says yes to everything', () => 0.97, { leastYes: undefined, affirmed: 0 }],
    ['says no to everything', () => 0.1, { leastYes: undefined, affirmed: 0 }],
  ])(
    'counts from above all that is wrong, and not at all where that leaves too little: it %s',
    async (_, chanceOf, wanted) => {
      const { leastYes, affirmed, carried: all } = await measured(chanceOf);
      expect({ leastYes, affirmed }).toEqual(wanted);
      expect(all).toBe(carried);
    },
  );

  it('is not measured of another model that stands behind it in a list', async () => {
    const model = { ...modelOf(() => 1), id: 'first' };
    const measuring = measureOwnWord(model, documents, () => ({ deadline: createDeadline(60_000) }));
    await expect(measuring).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });

  describe('in the folder of models', () => {
    let folder = '';
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'own-word-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('is kept with the model, taken back, and not kept of a model that is none of the list', async () => {
      const model = modelOf(() => 1);
      const word = { answerMs: 8_000, leastYes: 0.9 };
      expect(await keepMeasured(folder, model, word)).toBe(false);
      await lockModel(folder, 'small', { kind: 'writer', files: [] });
      await lockModel(folder, 'other', { kind: 'writer', files: [] });
      expect(await keepMeasured(folder, model, word)).toBe(true);
      expect((await readLock(folder))['small']).toMatchObject({ kind: 'writer', leastYes: 0.9, answerMs: 8_000 });
      expect(await keepMeasured(folder, model, { answerMs: 7_000 })).toBe(true);
      expect(await readFile(join(folder, 'lock.json'), 'utf8')).not.toContain('leastYes');
      expect(Object.keys(await readLock(folder)).sort()).toEqual(['other', 'small']);
    });

    const examined = (error: FootnoteError, path = folder) => {
      const model = createScriptedModel([{ reply: { error } }], { id: 'small', provider: 'gguf' });
      const toCall = () => ({ deadline: createDeadline(60_000) });
      return examineOwnWord(model, { folder: path, answerMs: 8_000, toCall });
    };

    it('is none where the model fails at it, and what else was measured is kept', async () => {
      await lockModel(folder, 'small', { kind: 'writer', files: [], leastYes: 0.9 });
      const told = await examined(new FootnoteError('upstream-unavailable', 'The process died.'));
      expect(told).toEqual([
        'It is no judge of its own sentences: only rules confirm them.',
        'Asked about statements it failed: The process died.',
      ]);
      expect((await readLock(folder))['small']).toMatchObject({ answerMs: 8_000 });
      expect((await readLock(folder))['small']).not.toHaveProperty('leastYes');
    });

    it('tells what cannot be kept, and stops where it is told to', async () => {
      const down = new FootnoteError('upstream-unavailable', 'The process died.');
      expect(await examined(down, join(folder, 'gone'))).toContainEqual(
        expect.stringMatching(/^What was measured could not be kept: ./u),
      );
      const cancelled = new FootnoteError('cancelled', 'It was left.');
      await expect(examined(cancelled)).rejects.toMatchObject({ code: 'cancelled' });
    });
  });
});
