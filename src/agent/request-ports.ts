// What a request is served with: made for it alone by whoever composes the program (footnote/requests).
import type { SpanReader } from '../answer/claims/draft.ts';
import type { WorkspaceFile } from '../core/answer.ts';
import type { Degradation, SearchOptions } from '../core/search.ts';
import type { PassageScorer } from '../models/encoder/passage-scorer.ts';
import type { Retriever } from '../retrieval/retrieve.ts';
import type { ArchivePort } from './archive-chat/in-answers.ts';
import type { FurtherSearch } from './tools/palette.ts';

/** What one request searches and reads, every call of it recorded. */
export interface RequestPorts {
  readonly retriever: Retriever;
  /** Searches what this server holds itself: neither a store beside the record nor anybody outside is asked. */
  readonly here: Retriever;
  readonly readSpan: SpanReader;
  /** How near passages are to a question in meaning; absent: nobody can say. */
  readonly passageScorer?: PassageScorer | undefined;
  /** What is read is no business of a model that somebody else runs. */
  readonly staysHere: boolean;
  /** What else can be searched, such as the web. */
  readonly further?: readonly FurtherSearch[];
  /** Past conversations of whoever asks. */
  readonly past?: ArchivePort;
  /** Files of the request that could not be searched. */
  readonly degraded?: readonly Degradation[];
  /** Keeps those of these documents that were read for the request alone, so that what is shown of them can be opened and checked. */
  readonly keepPages?: (documentIds: readonly string[]) => Promise<void>;
}

/** What of a request its ports depend on. */
export interface AskedOfPorts extends Pick<SearchOptions, 'sources' | 'filter'> {
  /** What its person wrote in this session, the message that is asked now first. */
  readonly said: readonly string[];
  readonly workspace?: readonly WorkspaceFile[] | undefined;
}
