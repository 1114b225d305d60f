// Repositories that are fetched: a bare copy of one commit in the data folder, which is renewed by what changed. Invariants: git connects to
// the address that the guard looked at, follows no redirect and speaks no other protocol; what a newer commit no longer holds is not kept.
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitConnector } from '../../../core/connector.ts';
import { FootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import type { Foreign } from '../../../net/foreign.ts';
import { runGit } from './git.ts';

export interface Mirrors {
  /** Renews the copy and says where it is. */
  open(connector: GitConnector, signal?: AbortSignal): Promise<string>;
  forget(connector: GitConnector): Promise<void>;
}

export interface MirrorPorts {
  /** Where copies are kept; made when it is needed. */
  readonly folder: string;
  readonly foreign: Pick<Foreign, 'locate'>;
}

const fetchMs = 600_000;
/** What the copy is called inside. */
export const fetched = 'refs/footnote/fetched';

export function createMirrors({ folder, foreign }: MirrorPorts): Mirrors {
  const placeOf = ({ url = '', ref = '' }: GitConnector): string =>
    join(folder, `${sha256(`${url}\n${ref}`).slice(0, 32)}.git`);
  return {
    async open(connector, signal) {
      const { url = '', ref = 'HEAD' } = connector;
      if (ref.startsWith('-') || /[\s:^~?*[\\]|\.\./u.test(ref))
        throw new FootnoteError('invalid-request', `"${ref}" is no name of a branch, a tag or a commit.`);
      const { host, port, address } = await foreign.locate(url);
      const gitDir = placeOf(connector);
      const shown = url;
      await mkdir(folder, { recursive: true });
      if (!existsSync(gitDir)) await runGit(['init', '--quiet', '--bare', gitDir], { shown, signal });
      const pinned = address.includes(':') ? `[${address}]` : address;
      const settings = [
        'http.followRedirects=false',
        `http.curloptResolve=${host}:${port}:${pinned}`,
        'http.lowSpeedLimit=1000',
        'http.lowSpeedTime=30',
        'transfer.fsckObjects=true',
      ];
      const over = { shown, signal, settings, protocols: 'http:https', timeoutMs: fetchMs };
      const before = await runGit(['--git-dir', gitDir, 'rev-parse', '--quiet', '--verify', fetched], { shown }).then(
        (said) => said.toString(),
        () => '',
      );
      await runGit(
        [
          '--git-dir',
          gitDir,
          'fetch',
          '--quiet',
          '--force',
          '--no-tags',
          '--depth=1',
          '--end-of-options',
          url,
          `+${ref}:${fetched}`,
        ],
        over,
      );
      const now = await runGit(['--git-dir', gitDir, 'rev-parse', '--verify', fetched], { shown, signal });
      if (before !== '' && before !== now.toString())
        await runGit(['--git-dir', gitDir, 'gc', '--quiet', '--prune=now'], { shown, signal, timeoutMs: fetchMs });
      return gitDir;
    },
    forget: (connector) => rm(placeOf(connector), { recursive: true, force: true }),
  };
}
