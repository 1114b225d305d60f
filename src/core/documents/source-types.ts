// What is usual of a source by its type, where its declaration says nothing else: whose word weighs more, how its content ages, and how long
// its results may be kept.
import type { Source, SourceType } from '../document.ts';

export type Freshness = 'real-time' | 'versioned' | 'static';

export interface SourceTypeFacts {
  readonly authority: number;
  readonly freshness: Freshness;
  readonly ttlSeconds: number;
}

const [halfHour, sixHours, day] = [1800, 21_600, 86_400];

export const sourceTypeFacts: Readonly<Record<SourceType, SourceTypeFacts>> = {
  code: { authority: 3, freshness: 'real-time', ttlSeconds: halfHour },
  textbook: { authority: 3, freshness: 'static', ttlSeconds: day },
  docs: { authority: 2, freshness: 'versioned', ttlSeconds: sixHours },
  guide: { authority: 2, freshness: 'versioned', ttlSeconds: sixHours },
  qa: { authority: 1, freshness: 'versioned', ttlSeconds: day },
  web: { authority: 1, freshness: 'real-time', ttlSeconds: day },
  conversation: { authority: 1, freshness: 'static', ttlSeconds: day },
  // The present state of one person, for one request.
  workspace: { authority: 3, freshness: 'real-time', ttlSeconds: 0 },
};

/** The source with what is usual of its type where it says nothing else. */
export const withTypeFacts = <Given extends Source>(source: Given): Given & SourceTypeFacts => ({
  ...sourceTypeFacts[source.type],
  ...source,
});
