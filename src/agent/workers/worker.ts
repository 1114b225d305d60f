// The workers of a team, as records: what each is for, how much it may read, how freely its model writes. Invariant: nothing but these numbers tells
// one worker from another; what it reads is its task and its own context.

export const workerKinds = ['retrieve', 'web', 'synthesize', 'check'] as const;
export type WorkerKind = (typeof workerKinds)[number];

export interface Worker {
  readonly agent: string;
  readonly kind: WorkerKind;
  /** Longest context, in tokens. */
  readonly contextTokens: number;
  /** Of its model, where it has one. */
  readonly temperature: number;
  readonly timeoutMs: number;
}

const timeoutMs = 60_000;

/** SPEC section 10. */
export const workers: Readonly<Record<WorkerKind, Worker>> = {
  retrieve: { agent: 'retrieval-specialist', kind: 'retrieve', contextTokens: 2_000, temperature: 0.1, timeoutMs },
  web: { agent: 'web-researcher', kind: 'web', contextTokens: 3_000, temperature: 0.3, timeoutMs },
  synthesize: { agent: 'synthesizer', kind: 'synthesize', contextTokens: 4_000, temperature: 0.4, timeoutMs },
  check: { agent: 'fact-checker', kind: 'check', contextTokens: 3_000, temperature: 0.1, timeoutMs },
};
