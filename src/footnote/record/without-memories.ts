// Traces and answers as somebody may see them to whom the memories in them do not belong. Invariant: no text that was recalled from memory stands in what
// comes back, neither where it was recalled nor in prompts and answers that were made of it. Whoever runs the machine may read all of it.
import type { Answer } from '../../core/answer.ts';
import { recalledIn } from '../../core/answers/asked.ts';
import { isOwner } from '../../core/scope.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';

const withheld = '[withheld: a memory of somebody else]';

/** The value without these texts, wherever they stand in it. */
function withoutTexts<Value>(value: Value, texts: readonly string[]): Value {
  if (texts.length === 0) return value;
  // Longest first: one may stand in another. Text in JSON in a text is escaped once more.
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const forms = [...new Set(texts.flatMap((text) => [text, escaped(text), escaped(escaped(text))]))];
  const sorted = forms.toSorted((one, other) => other.length - one.length);
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string') return sorted.reduce((text, form) => text.replaceAll(form, withheld), one);
    if (Array.isArray(one)) return one.map(clean);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, clean(part)]));
  };
  return clean(value) as Value;
}

/** What is told of a trace: its events, or what became of them in a replay. */
export const toldOfTrace = <Value>(
  value: Value,
  { events }: Pick<SavedTrace, 'events'>,
  { scope }: Pick<TenantRecord, 'scope'>,
): Value => (isOwner(scope.principal) ? value : withoutTexts(value, recalledIn(events)));

/** An answer of the principal's own is as it was given; that of another tells none of the other's memories, neither quoted nor in a model's words. */
export async function toldOfAnswer(
  answer: Answer,
  { scope, memoryById }: Pick<TenantRecord, 'scope' | 'memoryById'>,
): Promise<Answer> {
  if (scope.principal.role !== 'admin' || isOwner(scope.principal)) return answer;
  const others = answer.citations.map(async (citation) =>
    citation.memoryId === undefined || (await memoryById(citation.memoryId)) ? [] : [citation],
  );
  const cited = (await Promise.all(others)).flat();
  const indexes = new Set(cited.map(({ index }) => index));
  const claims = [...answer.claims, ...(answer.passages ?? [])].filter(({ citations }) =>
    citations.some((index) => indexes.has(index)),
  );
  return withoutTexts(answer, [...cited.map(({ quote }) => quote), ...claims.map(({ text }) => text)]);
}
