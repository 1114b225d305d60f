// A trace as somebody may see it to whom the memories in it do not belong. Invariant: no text that was recalled from memory stands in any event,
// neither in what was recalled nor in prompts and answers that were made of it.
import type { LoggedEvent } from '../../core/events.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import { recalledIn } from '../../db/repositories/asked.ts';

const withheld = '[withheld: a memory of somebody else]';

export function withoutMemories(saved: SavedTrace): SavedTrace {
  const texts = recalledIn(saved.events);
  if (texts.length === 0) return saved;
  // Longest first: one may stand in another. Text in JSON in a text is escaped once more.
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const forms = [...new Set(texts.flatMap((text) => [text, escaped(text), escaped(escaped(text))]))];
  const sorted = forms.toSorted((one, other) => other.length - one.length);
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return sorted.reduce((text, form) => text.replaceAll(form, withheld), value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clean(one)]));
  };
  return { ...saved, events: clean(saved.events) as readonly LoggedEvent[] };
}
