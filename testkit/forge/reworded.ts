// What a model that writes plainly makes of a sentence, by script: other words, another order, only the part that counts. It shares no code
// and no word list with the verifier. Every form keeps what is said; a sentence that a form does not fit is left out.

export type Style = 'other words' | 'another order' | 'the part that counts' | 'all at once';

export interface Reworded {
  readonly style: Style;
  readonly claim: string;
  readonly quote: string;
}

/** Everyday words for written ones; both mean the same wherever the first stands. */
const everyday: readonly (readonly [RegExp, string])[] = (
  [
    ['began', 'started'],
    ['begins', 'starts'],
    ['constructed', 'built'],
    ['approximately', 'about'],
    ['roughly', 'about'],
    ['purchased', 'bought'],
    ['assisted', 'helped'],
    ['nearly', 'almost'],
    ['primarily', 'mainly'],
    ['frequently', 'often'],
    ['often', 'frequently'],
    ['rapidly', 'quickly'],
    ['important', 'significant'],
    ['famous', 'well-known'],
    ['various', 'different'],
    ['automobile', 'car'],
    ['automobiles', 'cars'],
    ['entire', 'whole'],
    ['initially', 'at first'],
    ['currently', 'now'],
    ['inhabitants', 'residents'],
    ['established', 'founded'],
    ['founded', 'established'],
    ['resulted in', 'led to'],
    ['led to', 'resulted in'],
    ['due to', 'because of'],
    ['in order to', 'to'],
    ['as well as', 'and'],
    ['located', 'situated'],
    ['situated', 'located'],
    ['large', 'big'],
    ['required', 'needed'],
    ['requires', 'needs'],
    ['selected', 'chosen'],
    ['film', 'movie'],
    ['wealthy', 'rich'],
    ['near', 'close to'],
    ['(?<=, )including', 'among them'],
    ['throughout', 'all over'],
    ['died', 'passed away'],
    ['prior to', 'before'],
    ['known as', 'called'],
    ['occurred', 'happened'],
    ['occurs', 'happens'],
    ['ill', 'sick'],
    ['children', 'kids'],
    ['main', 'chief'],
    ['difficult', 'hard'],
    ['error', 'mistake'],
    ['attempted', 'tried'],
    ['permitted', 'allowed'],
    ['commonly', 'usually'],
    ['generally', 'usually'],
    ['ended', 'finished'],
    ['defeated', 'beat'],
    ['area', 'region'],
    ['task', 'job'],
    ['whilst', 'while'],
    ['amongst', 'among'],
  ] as const
).map(([written, plain]) => [new RegExp(String.raw`(?<![\p{L}-])${written}(?![\p{L}-])`, 'u'), plain]);
const mostReplaced = 3;

function inOtherWords(sentence: string): string | undefined {
  let [claim, replaced] = [sentence, 0];
  for (const [written, plain] of everyday) {
    // What was put in is not replaced again.
    if (replaced === mostReplaced || !written.test(sentence)) continue;
    const next = claim.replace(written, plain);
    if (next !== claim) [claim, replaced] = [next, replaced + 1];
  }
  return replaced === 0 ? undefined : claim;
}

const lower = (text: string): string =>
  text.replace(/^(?:The|A|An|It|He|She|They|This|These|Its|His|Her|Their)\b/u, (word) => word.toLowerCase());
const upper = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

function inAnotherOrder(sentence: string): string | undefined {
  const fronted = /^(In (?:the )?(?:\p{Lu}\p{L}+ )?(?:early |late )?\d{4}s?|By \d{4}|Since \d{4}), ([^,;:]+)\.$/u.exec(
    sentence,
  );
  if (fronted) {
    const [, when = '', rest = ''] = fronted;
    if (!/\b(?:and|but|that|which|when|not)\b|\d{4}/u.test(rest))
      return upper(`${rest} ${when.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())}.`);
  }
  const behind = /^([^,;:]+?) (in \d{4})\.$/u.exec(sentence);
  if (behind) {
    const [, rest = '', when = ''] = behind;
    if (!/\b(?:and|but|that|which|who|when|not|to|until|before|after)\b|\d/u.test(rest))
      return `${upper(when)}, ${lower(rest)}.`;
  }
  const passive =
    /^((?:The|A|An) [\p{Ll} ]+?|\p{Lu}[\p{L} ]+?) (was|were) (\p{L}+ed|written|built|given|won|taken|made|led|held) by ((?:the )?\p{Lu}[\p{L}. ]+?|the [\p{Ll} ]+?)( in \d{4})?\.$/u.exec(
      sentence,
    );
  if (passive) {
    const [, done = '', , deed = '', doer = '', when = ''] = passive;
    const past: Readonly<Record<string, string>> = { written: 'wrote', given: 'gave', taken: 'took' };
    if (!/ (?:in|on|at|and|of) /u.test(` ${doer} `))
      return upper(`${doer} ${past[deed] ?? deed} ${lower(done)}${when}.`);
  }
  return undefined;
}

function thePartThatCounts(sentence: string): string | undefined {
  const whole = sentence
    .replace(/\s\([^()]{1,60}\)/gu, '')
    .replace(
      /^(?:However|Moreover|Furthermore|Additionally|Meanwhile|In addition|For example|For instance|Thus|Therefore), (\p{L})/u,
      (_, letter: string) => letter.toUpperCase(),
    );
  // ", which was long the largest," says something more.
  const plain = whole
    .replace(
      /, (?:which|who|whose) (?:was|is|were|are|had|has) [^,;]{5,80},(?= (?:was|is|were|are|had|has|\p{L}+ed)\b)/u,
      '',
    )
    .replace(/, which (?:was|is|were|are|had|has) [^,;]{5,90}\.$/u, '.');
  return plain === sentence || plain.length < 30 ? undefined : plain;
}

const styles: readonly (readonly [Style, (sentence: string) => string | undefined])[] = [
  ['other words', inOtherWords],
  ['another order', inAnotherOrder],
  ['the part that counts', thePartThatCounts],
  ['all at once', inAllWays],
];

/** The forms that fit, one after the other; at least two. */
function inAllWays(sentence: string): string | undefined {
  let [claim, fitting] = [sentence, 0];
  for (const form of [thePartThatCounts, inAnotherOrder, inOtherWords]) {
    const next = form(claim);
    if (next !== undefined) [claim, fitting] = [next, fitting + 1];
  }
  return fitting > 1 ? claim : undefined;
}

/** Each style that fits the sentence. */
export const rewordingsOf = (sentence: string): Reworded[] =>
  styles.flatMap(([style, form]) => {
    const claim = form(sentence);
    return claim === undefined || claim === sentence ? [] : [{ style, claim, quote: sentence }];
  });
