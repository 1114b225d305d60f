// Repositories that are fetched: a bare copy of one commit in the data folder, which is renewed by what changed. Invariants: git connects to
// the address that the guard looked at, follows no redirect and speaks no other protocol; what a newer commit no longer holds is not kept; a
// look leaves nothing behind, and asks for what it reads alone where the other side can send a part.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, GitConnector } from '../../../core/connector.ts';
import { FootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import { limitByKey } from '../../../core/waiting/limit-concurrency.ts';
import type { Foreign } from '../../../net/foreign.ts';
import { runGit } from './git.ts';

export interface Mirror {
  readonly gitDir: string;
  /** Brings blobs that the copy may lack. */
  bring?(ids: readonly string[]): Promise<void>;
  close?(): Promise<void>;
}

export interface MirrorOptions {
  /** The copy is only looked at: it is made anew and goes when it is closed. */
  readonly isLook?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Mirrors {
  /** Renews the copy and says where it is. */
  open(connector: GitConnector, options?: MirrorOptions): Promise<Mirror>;
  /** Unless one of the others is of the same place. */
  forget(connector: GitConnector, others: readonly Connector[]): Promise<void>;
}

export interface MirrorPorts {
  /** Where copies are kept; made when it is needed. */
  readonly folder: string;
  readonly foreign: Pick<Foreign, 'locate'>;
}

const fetchMs = 600_000;
/** From the renewal of a copy to its last reading: sources may share a repository. */
const inTurn = limitByKey();
/** What the copy is called inside. */
export const fetched = 'refs/footnote/fetched';

export function createMirrors({ folder, foreign }: MirrorPorts): Mirrors {
  const placeOf = ({ url = '', ref = '' }: GitConnector): string =>
    join(folder, `${sha256(`${url}\n${ref}`).slice(0, 32)}.git`);

  /** What is said to git to ask for something at an address, once that was looked at. */
  async function asking(gitDir: string, { url = '' }: GitConnector, signal?: AbortSignal) {
    const { host, port, address } = await foreign.locate(url);
    const pinned = address.includes(':') ? `[${address}]` : address;
    const settings = [
      'http.followRedirects=false',
      `http.curloptResolve=${host}:${port}:${pinned}`,
      'http.lowSpeedLimit=1000',
      'http.lowSpeedTime=30',
      'transfer.fsckObjects=true',
    ];
    const over = { shown: url, signal, settings, protocols: 'http:https', timeoutMs: fetchMs };
    const words = ['--git-dir', gitDir, 'fetch', '--quiet', '--no-tags', '--no-recurse-submodules'];
    return (more: readonly string[], blobs?: string): Promise<Buffer> =>
      runGit([...words, ...more], {
        ...over,
        // git tells the other side nothing of what is there: blobs are asked for by themselves.
        ...(blobs !== undefined && { input: blobs, settings: [...settings, 'fetch.negotiationAlgorithm=noop'] }),
      });
  }

  async function look(connector: GitConnector, fetchRef: readonly string[], signal?: AbortSignal): Promise<Mirror> {
    const gitDir = await mkdtemp(join(tmpdir(), 'footnote-look-'));
    const close = (): Promise<void> => rm(gitDir, { recursive: true, force: true });
    try {
      await runGit(['init', '--quiet', '--bare', gitDir], { shown: connector.url ?? '', signal });
      const ask = await asking(gitDir, connector, signal);
      await ask(['--depth=1', '--filter=blob:none', ...fetchRef]);
      return {
        gitDir,
        close,
        async bring(ids) {
          const words = ['--no-write-fetch-head', '--filter=blob:none', '--stdin', '--end-of-options'];
          if (ids.length > 0) await ask([...words, connector.url ?? ''], `${ids.join('\n')}\n`);
        },
      };
    } catch (thrown) {
      await close();
      throw thrown;
    }
  }

  /** Resolves in the turn of a copy, with what ends it. */
  function turnOf(gitDir: string, signal?: AbortSignal): Promise<() => Promise<void>> {
    const entered = Promise.withResolvers<() => Promise<void>>();
    const work = (): Promise<void> =>
      new Promise((leave) => {
        entered.resolve(async () => leave());
      });
    inTurn(gitDir, work, signal).catch(entered.reject);
    return entered.promise;
  }

  async function renew(
    gitDir: string,
    connector: GitConnector,
    { fetchRef, signal }: { readonly fetchRef: readonly string[]; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const { url: shown = '' } = connector;
    const ask = await asking(gitDir, connector, signal);
    await mkdir(folder, { recursive: true });
    if (!existsSync(gitDir)) await runGit(['init', '--quiet', '--bare', gitDir], { shown, signal });
    const before = await runGit(['--git-dir', gitDir, 'rev-parse', '--quiet', '--verify', fetched], { shown }).then(
      (said) => said.toString(),
      () => '',
    );
    await ask(['--depth=1', ...fetchRef]);
    const now = await runGit(['--git-dir', gitDir, 'rev-parse', '--verify', fetched], { shown, signal });
    if (before !== '' && before !== now.toString())
      await runGit(['--git-dir', gitDir, 'gc', '--quiet', '--prune=now'], { shown, signal, timeoutMs: fetchMs });
  }

  return {
    async open(connector, { isLook, signal } = {}) {
      const { url = '', ref = 'HEAD' } = connector;
      if (ref.startsWith('-') || /[\s:^~?*[\\]|\.\./u.test(ref))
        throw new FootnoteError('invalid-request', `"${ref}" is no name of a branch, a tag or a commit.`);
      const fetchRef = ['--force', '--end-of-options', url, `+${ref}:${fetched}`];
      if (isLook) return look(connector, fetchRef, signal);
      const gitDir = placeOf(connector);
      const close = await turnOf(gitDir, signal);
      try {
        await renew(gitDir, connector, { fetchRef, signal });
        return { gitDir, close };
      } catch (thrown) {
        await close();
        throw thrown;
      }
    },
    async forget(connector, others) {
      const gitDir = placeOf(connector);
      if (others.some((one) => one.kind === 'git' && one.url !== undefined && placeOf(one) === gitDir)) return;
      await inTurn(gitDir, () => rm(gitDir, { recursive: true, force: true }));
    },
  };
}
