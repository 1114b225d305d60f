// Whether the word of a model that writes counts, where its sentences are neither quoted nor confirmed: it is asked for its "Yes" to nineteen statements of which a
// person said whether the documents of the exam carry them, and which rules neither confirm nor forbid, as all that it would be asked about. Invariant: what is measured here only ever raises the chance from which its word counts.
import { chanceRequest, chancesOf } from '../../answer/judge/chance-judge.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { CallOptions } from '../../models/language/call-options.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { modelName } from '../../models/language/model-name.ts';
import { changeLock } from '../../models/local/lock.ts';
import statements from './statements.json' with { type: 'json' };

export interface OwnWord {
  /** Absent: its word does not count. */
  readonly leastYes?: number;
  /** Statements that the documents carry, and how many of them it then affirms. */
  readonly carried: number;
  readonly affirmed: number;
}

/** Of 46 sentences that Qwen2.5-Coder 1.5B wrote (data/realwriter), no wrong one that might be shown has more. */
export const leastYesOfAny = 0.87;
/** Chances of one model lie so near each other. */
const apart = 0.02;
const leastShare = 0.3;

/** Throws what the model throws, and `upstream-unavailable` where another one of its list answered. */
export async function measureOwnWord(
  model: LanguageModel,
  documents: readonly { readonly id: string; readonly title: string; readonly text: string }[],
  toCall: () => CallOptions,
): Promise<OwnWord> {
  const said: { readonly yes: number; readonly isCarried: boolean }[] = [];
  for (const { document, statement, isCarried } of statements) {
    const shown = documents.filter(({ id }) => id === document).map((one) => ({ ...one, headingPath: [] }));
    const request = chanceRequest(model, { text: statement, quotes: [] }, shown);
    const { text, model: served } = await model.generate(request, toCall());
    if (served !== modelName(model))
      throw new FootnoteError('upstream-unavailable', `${served} answered in the place of ${modelName(model)}.`);
    const { Yes: yes = 0 } = chancesOf(text);
    said.push({ yes, isCarried });
  }
  const wrong = said.filter(({ isCarried }) => !isCarried).map(({ yes }) => yes + apart);
  const least = Math.round(1000 * Math.max(leastYesOfAny, ...wrong)) / 1000;
  const carried = said.filter(({ isCarried }) => isCarried);
  const affirmed = carried.filter(({ yes }) => yes >= least).length;
  const counts = affirmed >= leastShare * carried.length;
  return { carried: carried.length, affirmed: counts ? affirmed : 0, ...(counts && { leastYes: least }) };
}

/** Remembers with the model in the folder of models what was measured of it. False: it is not of that list. Throws what changing the list throws. */
export async function keepMeasured(
  folder: string,
  model: Pick<LanguageModel, 'id'>,
  { leastYes, answerMs }: Pick<OwnWord, 'leastYes'> & { readonly answerMs: number },
): Promise<boolean> {
  let isKept = false;
  await changeLock(folder, (lock) => {
    const { [model.id]: known, ...others } = lock;
    if (!known) return lock;
    isKept = true;
    const { leastYes: _, ...entry } = known;
    return { ...others, [model.id]: { ...entry, answerMs, ...(leastYes !== undefined && { leastYes }) } };
  });
  return isKept;
}
