// What is usual of a source by its type, where its declaration says nothing else: whose word weighs more, how its content ages, and how long
// its results may be kept.
import { type Source, type SourceType, typeAuthority } from '../document.ts';

export type Freshness = 'real-time' | 'versioned' | 'static';

export interface SourceTypeFacts {
  readonly authority: number;
  readonly freshness: Freshness;
  readonly ttlSeconds: number;
}

const [halfHour, sixHours, day] = [1800, 21_600, 86_400];

export const sourceTypeFacts: Readonly<Record<SourceType, SourceTypeFacts>> = {
  code: { authority: typeAuthority.code, freshness: 'real-time', ttlSeconds: halfHour },
  textbook: { authority: typeAuthority.textbook, freshness: 'static', ttlSeconds: day },
  docs: { authority: typeAuthority.docs, freshness: 'versioned', ttlSeconds: sixHours },
  guide: { authority: typeAuthority.guide, freshness: 'versioned', ttlSeconds: sixHours },
  qa: { authority: typeAuthority.qa, freshness: 'versioned', ttlSeconds: day },
  web: { authority: typeAuthority.web, freshness: 'real-time', ttlSeconds: day },
  conversation: { authority: typeAuthority.conversation, freshness: 'static', ttlSeconds: day },
  // The present state of one person, for one request.
  workspace: { authority: typeAuthority.workspace, freshness: 'real-time', ttlSeconds: 0 },
};

/** The source with what is usual of its type where it says nothing else. */
export const withTypeFacts = <Given extends Source>(source: Given): Given & SourceTypeFacts => ({
  ...sourceTypeFacts[source.type],
  ...source,
});
