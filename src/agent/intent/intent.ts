// Says what kind of request a question is, by patterns alone: the deterministic twin of a model's judgment.
// The first rule that matches decides and names itself as the reason; whether that is a guess is said with it.
import type { Intent } from '../../core/answer.ts';

interface Rule {
  readonly intent: Intent;
  readonly reason: string;
  readonly pattern: RegExp;
  /** The pattern says little: most of what it matches is of the intent, and some is not. */
  readonly isGuess?: true;
}

const politeness = `(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?(?: you)?(?: (?:very much|so much|a lot))?|bye|goodbye|see you|ok(?:ay)?|great|cool|nice|hallo|danke|bonjour|merci|hola|gracias|你好|谢谢|こんにちは|ありがとう|مرحبا|شكرا)`;

const rules: readonly Rule[] = [
  {
    intent: 'conversational',
    reason: 'a greeting or thanks without a question',
    pattern: new RegExp(
      String.raw`^\s*${politeness}(?:[\s,]+(?:there|all|everyone|footnote|again|${politeness}))*[\s!.,]*$`,
      'iu',
    ),
  },
  {
    intent: 'conversational',
    reason: 'a question about the assistant itself',
    pattern:
      /^\s*(?:(?:who|what|how) are you|what can you do)(?:\s+(?:doing|feeling|really|today|now|here|exactly|then|for (?:me|us)))*[\s?!.]*$/iu,
  },
  {
    intent: 'research',
    reason: 'asks for a comparison, causes or an overview',
    pattern:
      /\b(?:compare|comparison|versus|vs\.?|differences? between|trade-?offs?|pros and cons|advantages|disadvantages|overview|summari[sz]e|analy[sz]e|explain|discuss|why|relationship between|impact of|effects? of)\b/iu,
  },
  {
    intent: 'factual_lookup',
    reason: 'asks for one fact',
    pattern:
      /\b(?:who|whom|whose|when|where|which|how (?:many|much|old|long|far|tall|large|big|high|deep|fast|often)|what (?:year|date|day|time|number|percentage|name|city|country|is the (?:name|number|date|capital|population)))\b/iu,
  },
  {
    intent: 'faq',
    reason: 'asks how something is done or what it is',
    pattern: /\b(?:how (?:do|does|can|should|to)|can (?:i|we|you)|may i|is it possible|define|meaning of)\b/iu,
  },
  {
    intent: 'faq',
    reason: 'asks how something is done or what it is',
    // "What is the boiling point of nitrogen?" asks for one fact.
    pattern: /\bwhat (?:is|are|does|do)\b/iu,
    isGuess: true,
  },
];

/** Longer questions are research: several things are asked at once. */
const researchWords = 30;

export interface ClassifiedIntent {
  readonly intent: Intent;
  readonly reason: string;
  /** False where it is a guess: nothing matched, length alone decided, a weak pattern matched, or rules of different intents did. */
  readonly isCertain: boolean;
}

export function classifyIntent(question: string): ClassifiedIntent {
  const conversational = rules.find((rule) => rule.intent === 'conversational' && rule.pattern.test(question));
  if (conversational) return { intent: conversational.intent, reason: conversational.reason, isCertain: true };
  const words = question.trim().split(/\s+/u).length;
  const matched = rules.filter((rule) => rule.pattern.test(question));
  const [rule] = matched;
  if (words > researchWords)
    return {
      intent: 'research',
      reason: `${words} words: several things are asked at once`,
      isCertain: rule?.intent === 'research',
    };
  if (!rule) return { intent: 'factual_lookup', reason: 'no pattern matched', isCertain: false };
  const isContested = matched.some(({ intent, isGuess }) => intent !== rule.intent && !isGuess);
  return { intent: rule.intent, reason: rule.reason, isCertain: !isContested && rule.isGuess !== true };
}

/** Words of politeness, wherever they stand. */
export const politeWords: RegExp = new RegExp(String.raw`(?<![\p{L}\p{M}])${politeness}(?![\p{L}\p{M}])`, 'giu');
