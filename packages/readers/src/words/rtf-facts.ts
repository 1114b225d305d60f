// What an RTF says of itself (specification 1.9.1, "Information Group"): title, author, dates.

import { canonicalText } from '../canonical/canonical-text.ts';
import type { Metadata } from '../document.ts';

export interface RtfFacts {
  /** A piece of the text of a fact. */
  text(fact: string, text: string): void;
  /** Begins a fact anew. */
  begin(fact: string): void;
  /** `yr`, `mo` or `dy` of a date. */
  date(fact: string, word: string, value: number): void;
  metadata(): Metadata;
}

export function rtfFacts(): RtfFacts {
  const facts: Record<string, string> = {};
  const dates: Record<string, Record<string, number>> = {};
  return {
    text(fact, text) {
      facts[fact] = (facts[fact] ?? '') + text;
    },
    begin(fact) {
      delete facts[fact];
    },
    date(fact, word, value) {
      const date = dates[fact] ?? {};
      date[word] = value;
      dates[fact] = date;
    },
    metadata() {
      for (const [fact, { yr, mo, dy }] of Object.entries(dates)) {
        if (yr !== undefined && yr > 1900) {
          const pad = (part: number | undefined): string => String(Math.max(1, part ?? 1)).padStart(2, '0');
          facts[fact] = `${yr}-${pad(mo)}-${pad(dy)}`;
        }
      }
      const metadata: Metadata = {};
      for (const [fact, value] of Object.entries(facts)) {
        const text = canonicalText(value).trim();
        if (fact !== 'other' && text !== '') metadata[fact] = text;
      }
      return metadata;
    },
  };
}
