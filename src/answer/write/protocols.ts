// In which form a model is asked for an answer: claims as JSON, or plain sentences for those that do not manage that. A model that was seen to fail is
// remembered for as long as the program runs.
import type { LanguageModel } from '../../models/language/language-model.ts';
import { modelName } from '../../models/language/model-name.ts';

export type AnswerForm = 'auto' | 'claims' | 'prose';

export interface Protocols {
  isProse(model: Pick<LanguageModel, 'id' | 'provider'>): boolean;
  /** It was asked for claims and gave no JSON of the form, or an empty list without saying that nothing answers. False: it is not asked in another form. */
  failed(model: Pick<LanguageModel, 'id' | 'provider'>): boolean;
}

/** `auto`: models of this machine's files write sentences, all others claims until one fails. */
export function createProtocols(form: AnswerForm): Protocols {
  const sentences = new Set<string>();
  return {
    isProse: (model) =>
      form === 'prose' || (form === 'auto' && (model.provider === 'gguf' || sentences.has(modelName(model)))),
    failed(model) {
      if (form === 'auto') sentences.add(modelName(model));
      return form === 'auto';
    },
  };
}
