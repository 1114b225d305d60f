// A structured answer that comes item by item: each item of its list as soon as it is whole and meets its schema, then the checked
// whole. Invariant: the items that were given are the list of the final value, in order; where they are not, the end is a failure.

import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { FootnoteError } from '../../../core/errors.ts';
import { joinedAbort } from '../../../core/signals/joined-abort.ts';
import type { CallOptions } from '../call-options.ts';
import type { GenerateResult } from '../generation.ts';
import type { LanguageModel } from '../language-model.ts';
import { createItemReader } from './items.ts';
import { generateStructured, type Structured, type StructuredRequest } from './structured.ts';

export type StructuredPart<Item, Value> =
  | { readonly type: 'item'; readonly item: Item }
  | { readonly type: 'end'; readonly outcome: Structured<Value> };

export interface StructuredListRequest<Item, Value> extends StructuredRequest<Value> {
  /** The list's key in the outermost object. */
  readonly list: string;
  readonly itemSchema: z.ZodType<Item>;
}

/**
 * Gives every item of the list, then exactly one `end`. A wrong answer is repaired, or another model asked, as `generateStructured` does,
 * but only if no item was given before: what was shown cannot be taken back. Throws like `generateStructured`.
 */
export async function* streamStructured<Item, Value>(
  model: LanguageModel,
  { list, itemSchema, ...request }: StructuredListRequest<Item, Value>,
  options: CallOptions,
): AsyncGenerator<StructuredPart<Item, Value>, void, void> {
  const given: Item[] = [];
  const waiting: Item[] = [];
  let isDone = false;
  let wake: (() => void) | undefined;

  // The first try of each model is streamed, the repair is not: to `generateStructured` both are calls.
  const streaming = (one: LanguageModel): LanguageModel => {
    const reader = createItemReader(list);
    let isFirst = true;
    return {
      id: one.id,
      provider: one.provider,
      stream: (asked, call) => one.stream(asked, call),
      after(name) {
        const next = one.after?.(name);
        return next && streaming(next);
      },
      async generate(asked, call): Promise<GenerateResult> {
        if (!isFirst) return one.generate(asked, call);
        isFirst = false;
        let isValid = true;
        for await (const part of one.stream(asked, call)) {
          if (part.type === 'end') return part.result;
          for (const found of reader.push(part.text)) {
            const checked = itemSchema.safeParse(found);
            // Items behind a wrong one would stand in its place.
            isValid &&= checked.success;
            if (isValid && checked.success) waiting.push(checked.data);
          }
          wake?.();
        }
        throw new FootnoteError('upstream-invalid', 'The stream of a model ended without its end.');
      },
    };
  };
  const leaving = joinedAbort(options.signal ? [options.signal] : []);
  const { signal } = leaving;
  const canRepair = (): boolean => given.length + waiting.length === 0 && (request.canRepair?.() ?? true);
  const asking = generateStructured(streaming(model), { ...request, canRepair }, { ...options, signal }).finally(() => {
    isDone = true;
    wake?.();
  });
  // It is awaited below; if the reader leaves before, nobody else may see it fail.
  asking.catch(() => undefined);
  try {
    for (;;) {
      const item = waiting.shift();
      if (item !== undefined) {
        given.push(item);
        yield { type: 'item', item };
      } else if (isDone) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    const outcome = await asking;
    if (!outcome.ok) {
      yield { type: 'end', outcome };
      return;
    }
    const items = itemsOf((outcome.value as Readonly<Record<string, unknown>>)[list], itemSchema);
    if (!items || !isDeepStrictEqual(items.slice(0, given.length), given)) {
      const { usage, attempts, texts, costUsd } = outcome;
      const failure = {
        reason: 'wrong-shape',
        detail: 'The model wrote two answers that differ.',
        model: outcome.model,
      } as const;
      yield {
        type: 'end',
        outcome: { ok: false, failure, usage, attempts, texts, ...(costUsd === undefined ? {} : { costUsd }) },
      };
      return;
    }
    for (const item of items.slice(given.length)) yield { type: 'item', item };
    yield { type: 'end', outcome };
  } finally {
    if (isDone) leaving.release();
    else leaving.abort(leftList);
  }
}

/** One object: an error with its stack costs more than the rest of leaving. */
const leftList = new FootnoteError('cancelled', 'The list of a model was left.');

/** Undefined where one does not meet the schema. A schema of the whole list would be made anew for each call. */
function itemsOf<Item>(list: unknown, itemSchema: z.ZodType<Item>): readonly Item[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const items: Item[] = [];
  for (const one of list as readonly unknown[]) {
    const checked = itemSchema.safeParse(one);
    if (!checked.success) return undefined;
    items.push(checked.data);
  }
  return items;
}
