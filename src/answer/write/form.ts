// How a model is asked for an answer: claims with quotes as JSON, or plain sentences, whose passages the program finds.
import type { LanguageModel } from '../../models/language/language-model.ts';

export type AnswerForm = 'auto' | 'claims' | 'prose';

/** Files of this machine are small models, which fail to write claims. */
export const isAskedForProse = (form: AnswerForm, { provider }: Pick<LanguageModel, 'provider'>): boolean =>
  form === 'prose' || (form === 'auto' && provider === 'gguf');
