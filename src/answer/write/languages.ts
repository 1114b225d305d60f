// In which language a model can be asked for an answer.
import { guessLanguage } from '../../text/language/language.ts';
import type { ComposeRequest } from '../composer.ts';

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/**
 * The language of the evidence; and its name where the question is in it too, and so can be asked of the model: a claim in another language
 * than its quote cannot be checked.
 */
export function languagesOf({ question, evidence }: ComposeRequest): {
  readonly evidence: string;
  readonly name: string | undefined;
} {
  const sample = evidence.slice(0, 3).map(({ text }) => text);
  const spoken = guessLanguage(sample.join('\n'));
  const isShared = guessLanguage(question, [spoken]) === spoken;
  return { evidence: spoken, name: isShared ? languageNames.of(spoken) : undefined };
}
