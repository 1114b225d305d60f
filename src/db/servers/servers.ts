// Which servers work on a record, as whoever runs them sees it, and what others do that a server does not read anyhow.
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

/** Logins of browsers, under names that tell nothing and seals that whoever keeps them cannot open. */
export interface BrowserLogins {
  /** Undefined for one that is over. */
  find(id: string): Promise<Uint8Array | undefined>;
  /** Of one owner the newest are kept. */
  keep(login: {
    readonly id: string;
    readonly owner: string;
    readonly sealed: Uint8Array;
    readonly lastsSeconds: number;
    readonly mostOfOwner: number;
  }): Promise<void>;
  drop(id: string): Promise<void>;
}

/** Asked for where a server keeps something in its memory alone. */
export interface OtherServers {
  /** Browsers that are logged in. */
  readonly logins: BrowserLogins;
  /** Of these keys, those that were revoked. */
  revoked(keyIds: readonly string[]): Promise<readonly string[]>;
  /** Whether anything was deleted in a tenant that a reply of the last minutes may hold. */
  deletedLately(tenant: string): Promise<boolean>;
  /** Asks whichever server has them to cancel a run, or all that read a source; how many have not ended yet. */
  cancelRuns(tenant: string, which: { readonly id: string } | { readonly source: string }): Promise<number>;
  /** Of these runs, those that are to be cancelled. */
  cancelled(runIds: readonly string[]): Promise<readonly string[]>;
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
