// In which language a model can be asked for an answer.
import { guessLanguage } from '../../text/language/language.ts';
import type { ComposeRequest } from '../composer.ts';

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The name of the language of the evidence where the question is in it too: a claim in another language than its quote cannot be checked. */
export function sharedLanguageOf({ question, evidence }: ComposeRequest): string | undefined {
  const sample = evidence.slice(0, 3).map(({ text }) => text);
  const spoken = guessLanguage(sample.join('\n'));
  return guessLanguage(question, [spoken]) === spoken ? languageNames.of(spoken) : undefined;
}
