// Who asks through MCP, and what the door that it came through does for it: over HTTP one request of a key, on stdin and stdout the owner of the
// data folder. Tools know nothing else of the way by which they were called.
import type { CallOptions, Footnote } from '../footnote/facade.ts';
import type { Lane } from '../operations/operation.ts';

export interface McpCaller {
  readonly footnote: Footnote;
  /** What links begin with, without a slash at its end. */
  readonly address: string;
  /** Does `work` when it is its turn. Throws what `work` throws, and `rate-limited` where there is no place. */
  inTurn<T>(
    asked: { readonly lane: Lane; readonly signal: AbortSignal },
    work: (call: CallOptions) => Promise<T>,
  ): Promise<T>;
  /** What a failure tells the caller: what is wrong and what to do. */
  tellFailure(error: unknown): string;
}

/** What is the same for all who ask. */
export interface McpFacts {
  readonly version: string;
  /** Whether answers may rest on pages that a search of the web finds. */
  readonly searchesWeb: boolean;
}
