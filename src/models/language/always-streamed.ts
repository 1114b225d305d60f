// A model whose whole answers are asked for as streams, too: its provider promises nothing else.
import { FootnoteError } from '../../core/errors.ts';
import type { LanguageModel } from './language-model.ts';

export function alwaysStreamed(model: LanguageModel): LanguageModel {
  return {
    ...model,
    async generate(request, options) {
      for await (const part of model.stream(request, options)) if (part.type === 'end') return part.result;
      throw new FootnoteError('upstream-invalid', 'The stream of the model had no end.');
    },
  };
}
