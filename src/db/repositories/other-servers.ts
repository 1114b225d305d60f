// What other servers of a record do that shows in nothing a server reads anyhow: asked for where it keeps something in its memory alone.

export interface OtherServers {
  /** Of these keys, those that were revoked. */
  revoked(keyIds: readonly string[]): Promise<readonly string[]>;
  /** Whether anything was deleted in a tenant that a reply of the last minutes may hold. */
  deletedLately(tenant: string): Promise<boolean>;
  /** Asks whichever server has them to cancel a run, or all that read a source; how many have not ended yet. */
  cancelRuns(tenant: string, which: { readonly id: string } | { readonly source: string }): Promise<number>;
  /** Of these runs, those that are to be cancelled. */
  cancelled(runIds: readonly string[]): Promise<readonly string[]>;
}
