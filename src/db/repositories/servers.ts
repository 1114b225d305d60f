// Which servers work on a record, as whoever runs them sees it.
export interface ServerState {
  readonly id: string;
  /** Of its program. */
  readonly version: string;
  /** Where it is reached, once it serves. */
  readonly address?: string;
  readonly startedAt: string;
  /** When it last said that it is there, by the clock of the record. */
  readonly seenAt: string;
  /** It is the one that was asked. */
  readonly isThis: boolean;
}

export interface Servers {
  /** The one that started first comes first. */
  list(): Promise<readonly ServerState[]>;
  /** Tells where this one is reached. Never rejects. */
  announce(address: string): Promise<void>;
}

/** Where one process has the record. */
export function openLocalServers(version: string, now: () => string): Servers {
  const own = { id: 'this', version, startedAt: now(), isThis: true };
  let reached: string | undefined;
  return {
    list: async () => [{ ...own, ...(reached !== undefined && { address: reached }), seenAt: now() }],
    async announce(address) {
      reached = address;
    },
  };
}
