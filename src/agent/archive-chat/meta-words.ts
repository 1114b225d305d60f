// Words that speak of the archive and not of what is sought in it: "when did I first talk about". They neither find nor weigh.
import { analyzeText } from '../../text/analyze.ts';

const silent: ReadonlySet<string> = new Set(
  analyzeText(
    'talk talked talking speak spoke spoken mention mentioned discuss discussed discussing say said tell told ask asked chat chatted conversation ' +
      'conversations remember recall first last latest earliest time times ever originally recently lately begin began begun start started',
    { language: 'en' },
  ),
);

/** The question without words that only speak of speaking, unless nothing else is in it. */
export function withoutSpeaking(question: string): string {
  const words = question.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? [];
  const rest = words
    .filter((word) => {
      const [term] = analyzeText(word, { language: 'en' });
      return term === undefined || !silent.has(term);
    })
    .join(' ');
  return analyzeText(rest, { language: 'en' }).length > 0 ? rest : question;
}

/** Whether nothing is sought in it: it has only words that speak of speaking. */
export const speaksOfSpeaking = (text: string): boolean =>
  analyzeText(text, { language: 'en' }).every((term) => silent.has(term));
