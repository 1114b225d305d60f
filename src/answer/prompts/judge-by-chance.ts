// Prompts `judge-yes@1` and `judge-pair@1`: what a model is asked that answers with chances, about one claim and what carries it. A change of a word is a new version.
import type { Message } from '../../models/language/messages.ts';
import { fence } from '../context/evidence.ts';
import { behindPassages } from './answer-in-prose.ts';
import type { JudgedClaim } from './judge-claim.ts';

export const judgeYesName = 'judge-yes@1';
export const judgePairName = 'judge-pair@1';

/** For a model that writes: its first word is looked at. It sees the passages that it wrote from, and not its answer, which it agrees with. */
export const yesMessages = (text: string, shown: Parameters<typeof behindPassages>[0]): Message[] =>
  behindPassages(
    shown,
    `Statement:\n${fence(text)}\n\nIs the statement fully supported by the passages above? Answer only Yes or No.`,
  );

/** For a model of natural language inference: the passage, then the statement. */
export const pairMessages = ({ text, quotes }: JudgedClaim): Message[] => [
  {
    role: 'user',
    content: quotes
      .map(({ title, before, quote, after }) => [title, `${before}${quote}${after}`].filter(Boolean).join('. '))
      .join('\n'),
  },
  { role: 'assistant', content: text },
];
