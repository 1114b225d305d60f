// What a question to the archive comes to, and what whoever answers it takes.
import type { ArchiveCitation, TimeRange } from '../../core/archive.ts';
import type { MarkedText } from '../../core/marked-text.ts';
import type { ExplorePorts } from './explore.ts';
import type { ReadableArchive } from './reading.ts';

/** What a question came to, whoever answered it. */
export interface ChatOutcome {
  readonly citations: readonly ArchiveCitation[];
  readonly abstained: boolean;
  readonly weak: boolean;
  readonly coverage: number;
  readonly timeRange?: TimeRange | undefined;
  readonly degraded: readonly string[];
  readonly model?: string;
}

export interface AnswerPorts extends ExplorePorts {
  readonly archive: ReadableArchive;
  /** Says a piece of the answer; the citations that it rests on first. */
  say(text: MarkedText, citations?: readonly ArchiveCitation[]): void;
}
