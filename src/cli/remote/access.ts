// How a command reaches the data: through the server that owns the folder while one runs, else by opening the folder
// itself. Which of the two makes no difference to the command.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { localScope } from '../../core/scope.ts';
import type { OpenedFootnote } from '../../footnote/compose.ts';
import type { Footnote } from '../../footnote/facade.ts';
import { type Owner, readOwner, type ServerAddress } from '../../footnote/lock.ts';
import { createOwnerPass } from '../../footnote/owner-pass.ts';
import { addressOnThisMachine } from './own-machine.ts';
import { createRemoteHttp, type RemoteHttp } from './remote-http.ts';

export interface Access {
  readonly footnote: Footnote;
  /** Present when the command opened the folder itself. */
  readonly opened?: OpenedFootnote;
  /** Present when a server owns the folder. */
  readonly remote?: { readonly http: RemoteHttp; readonly owner: Owner };
  close(): Promise<void>;
}

export interface AccessOptions {
  readonly needsData?: boolean;
  readonly leavesNoTrace?: boolean;
  readonly command?: string;
  /** Told what a person should know before it happens. */
  readonly tell?: (message: string) => void;
}

/** A short command that holds the folder is waited for this long. */
const patienceMs = 5000;

/**
 * Calls to the server that owns the folder, in the name of the owner. Throws what leaving a pass in the folder throws, and `forbidden` where
 * the folder names a server on another machine.
 */
export async function connect(
  folder: string,
  server: ServerAddress,
): Promise<{ readonly http: RemoteHttp; close(): Promise<void> }> {
  const host = await addressOnThisMachine(server.host);
  if (host === undefined)
    throw new FootnoteError(
      'forbidden',
      `A lock file in ${folder} says that its server is at ${server.host}:${server.port}, which is not this machine. Nothing was sent there. If the folder came from somebody else, do not use it as a data folder; if no server of yours runs on it, remove the files lock-1, lock-2, … in it and try again.`,
    );
  const { secret, remove } = await createOwnerPass(folder);
  return { http: createRemoteHttp({ host, port: server.port, token: secret }), close: remove };
}

/**
 * `needsData`: refuse with advice where nothing was ever put in, instead of making an empty folder. `leavesNoTrace`: look at an empty
 * folder elsewhere instead, which is gone afterwards.
 */
export async function openAccess(config: Config, options: AccessOptions = {}, signal?: AbortSignal): Promise<Access> {
  const until = performance.now() + patienceMs;
  while (true) {
    signal?.throwIfAborted();
    const owner = await readOwner(config.data);
    if (owner?.server) {
      const { http, close } = await connect(config.data, owner.server);
      // Loaded only when it is needed, as the other way is below.
      const { createRemote } = await import('./remote.ts');
      return { footnote: createRemote(http), remote: { http, owner }, close };
    }
    if (options.needsData && !existsSync(config.data))
      throw new FootnoteError(
        'not-found',
        `There is no data folder at ${config.data} yet. Put documents in with "footnote ingest PATH", or name another folder with --data.`,
      );
    const isScratch = options.leavesNoTrace === true && !existsSync(config.data);
    const data = isScratch ? await mkdtemp(join(tmpdir(), 'footnote-look-')) : config.data;
    const clear = async (): Promise<void> => (isScratch ? rm(data, { recursive: true, force: true }) : undefined);
    try {
      // Loaded only when it is needed: a command that goes through a server starts faster without it.
      const { openFootnote } = await import('../../footnote/compose.ts');
      const opened = await openFootnote(
        { ...config, data },
        { command: `footnote ${options.command ?? ''}`.trim(), ...(options.tell && { tell: options.tell }) },
      );
      const close = async (): Promise<void> => {
        try {
          await opened.close();
        } finally {
          await clear();
        }
      };
      return { footnote: opened.forScope(localScope()), opened, close };
    } catch (error) {
      await clear();
      const isHeld = error instanceof FootnoteError && error.code === 'already-running';
      if (!isHeld || performance.now() > until) throw error;
      await pause(100, undefined, signal ? { signal } : {});
    }
  }
}
