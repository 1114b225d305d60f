// The connectors as one value, which the composition hands in: a declared source in, its reader out.

import type { Connector } from '../../core/connector.ts';
import type { SkipReason } from '../../core/documents/preview.ts';
import type { SourceReader } from './connector.ts';

export interface OpenOptions {
  /** Told of what is left out. */
  readonly onSkipped?: (uri: string, reason: SkipReason) => void;
  /** Nothing is kept to read the source again. */
  readonly isLook?: boolean;
}

/** What the composition hands in: the adapters, by the kind of the declaration. */
export interface Connectors {
  open(connector: Connector, options?: OpenOptions): SourceReader;
  /** Throws `forbidden` where the source may not be read for this caller. */
  check(connector: Connector): Promise<void>;
  /** Takes away what is kept to read it again, when a source is removed; `others`: those of the sources that are left. */
  forget(connector: Connector, others: readonly Connector[]): Promise<void>;
}
