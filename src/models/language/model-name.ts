// Models by name, and with a temperature of their own.
import type { LanguageModel } from './language-model.ts';

/** How models are named in settings, results and prices. */
export const modelName = ({ provider, id }: Pick<LanguageModel, 'provider' | 'id'>): string => `${provider}:${id}`;

/** The same model, and those behind it, at this temperature where a call names none. */
export function withTemperature(model: LanguageModel, temperature: number): LanguageModel {
  return {
    ...model,
    temperature,
    ...(model.after && {
      after(name: string) {
        const next = model.after?.(name);
        return next && withTemperature(next, temperature);
      },
    }),
  };
}
