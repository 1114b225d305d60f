// The hub that models are fetched from, by the documented API of Hugging Face's: what a repository holds at a revision, and its files. Invariants:
// only the configured address is asked, and what it redirects to under the guard of src/net; the token goes to no other origin; a file that cannot be
// checked, or whose path leaves its folder, is not offered; and nothing is fetched but data: no code, no pickles.
import { z } from 'zod';
import { FootnoteError } from '../../core/errors.ts';
import { isLoopbackHost } from '../../core/hosts/loopback.ts';
import {
  type Foreign,
  type ForeignOptions,
  type ForeignReply,
  type ForeignStream,
  openForeign,
} from '../../net/foreign.ts';

export interface HubFile {
  /** Inside the repository, `/` between. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal; small files have the id of their git object alone. */
  readonly sha256?: string;
  readonly gitId?: string;
}

export interface HubListing {
  readonly repository: string;
  /** The commit that the revision meant when it was asked for. */
  readonly revision: string;
  readonly license?: string;
  /** Those alone that may be taken. */
  readonly files: readonly HubFile[];
}

export interface HubOptions extends Pick<ForeignOptions, 'allowedHosts' | 'proxies'> {
  /** https, or http on this machine. */
  readonly endpoint: string;
  readonly token?: string | undefined;
}

export interface Hub {
  /** Throws `not-found`, `forbidden`, `rate-limited`, `upstream-unavailable`, `upstream-invalid`, `cancelled`. */
  list(repository: string, signal?: AbortSignal): Promise<HubListing>;
  /** Bytes of a file from `from` on, or from its start where the hub knows no ranges; `from` is where they begin. Throws the same. */
  open(listing: HubListing, file: HubFile, from: number, signal?: AbortSignal): Promise<HubStream>;
  close(): void;
}

export type HubStream = Pick<ForeignStream, 'body' | 'discard'> & { readonly from: number };

/** Data alone: no code, no pickles. */
export const takeable = /\.(onnx|onnx_data|json|txt|model|gguf)$/u;

/** Whether a path of a listing stays where it is put, on every system. */
export const isInside = (path: string): boolean =>
  path.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\\:\p{Cc}]/u.test(part));

const count = z.int().min(0);
const listingSchema = z.object({
  sha: z.string().regex(/^[\da-f]{40}$/u),
  cardData: z.object({ license: z.string().optional().catch(undefined) }).nullish(),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: count.nullish(),
      blobId: z.string().nullish(),
      lfs: z.object({ sha256: z.string().regex(/^[\da-f]{64}$/u), size: count }).nullish(),
    }),
  ),
});

const repositoryName = /^[\w][\w.-]*\/[\w][\w.-]*$/u;

/** Throws `config-invalid` for an endpoint that is not https. */
export function openHub({ endpoint, token, allowedHosts = [], ...options }: HubOptions): Hub {
  const base = URL.parse(endpoint);
  if (!base || (base.protocol !== 'https:' && !(base.protocol === 'http:' && isLoopbackHost(base.hostname))))
    throw new FootnoteError('config-invalid', `HF_ENDPOINT must be an https address, or http on this machine.`);
  const root = `${base.origin}${base.pathname.replace(/(?<!\/)\/+$/u, '')}`;
  // Whoever names a hub of the own network means it.
  const guarded: ForeignOptions = {
    ...options,
    secure: true,
    connectTimeoutMs: 10_000,
    allowedHosts: [...allowedHosts, base.host],
  };
  const foreign: Foreign = openForeign(guarded);
  // How much of a file comes is counted by its reader.
  const streams: Foreign = openForeign({ ...guarded, maxResponseBytes: 2 ** 42 });
  const headers = { 'user-agent': 'footnote-server', ...(token !== undefined && { authorization: `Bearer ${token}` }) };

  const refuse = (repository: string, { status, headers: told }: Pick<ForeignReply, 'status' | 'headers'>) => {
    const shown = `${base.origin} shows no ${repository}`;
    if (told.get('x-error-code') === 'GatedRepo')
      return new FootnoteError(
        'forbidden',
        `${repository} is gated: its owner wants terms agreed to first. Open ${base.origin}/${repository}, agree there, make a token that may read it, and set HF_TOKEN.`,
        { details: { gated: true } },
      );
    if ([401, 403, 404].includes(status))
      return new FootnoteError(
        'not-found',
        token === undefined
          ? `${shown}: there is none, or it is private and HF_TOKEN is not set.`
          : `${shown} to the token of HF_TOKEN: there is none, or that token may not read it.`,
      );
    const [code, why] =
      status === 429
        ? (['rate-limited', 'has had too many requests'] as const)
        : ([
            status >= 500 ? 'upstream-unavailable' : 'upstream-invalid',
            `answered with HTTP status ${status}`,
          ] as const);
    return new FootnoteError(code, `${base.origin} ${why}. Run the command again later: what has come is kept.`);
  };

  return {
    async list(repository, signal) {
      if (!repositoryName.test(repository))
        throw new FootnoteError('invalid-request', `"${repository}" is no repository. Name it as OWNER/NAME.`);
      const address = `${root}/api/models/${repository}/revision/main?blobs=true`;
      const reply = await foreign.fetch(address, { headers: { accept: 'application/json', ...headers }, signal });
      if (reply.status !== 200) throw refuse(repository, reply);
      const parsed = listingSchema.safeParse(readJson(reply.bytes));
      if (!parsed.success)
        throw new FootnoteError('upstream-invalid', `${base.origin} lists ${repository} in a form that is not known.`);
      const { sha, cardData, siblings } = parsed.data;
      const outside = siblings.find(({ rfilename: path }) => takeable.test(path) && !isInside(path));
      if (outside)
        throw new FootnoteError(
          'upstream-invalid',
          `${repository} lists ${JSON.stringify(outside.rfilename)}, a path that leaves its folder. Nothing of it is taken.`,
        );
      const files = siblings.flatMap(({ rfilename: path, size, blobId, lfs }): HubFile[] => {
        const bytes = lfs?.size ?? size ?? undefined;
        if (!takeable.test(path) || bytes === undefined) return [];
        if (lfs) return [{ path, bytes, sha256: lfs.sha256 }];
        return /^[\da-f]{40}$/u.test(blobId ?? '') ? [{ path, bytes, gitId: blobId as string }] : [];
      });
      const license = cardData?.license;
      return { repository, revision: sha, ...(license !== undefined && { license }), files };
    },
    async open({ repository, revision }, { path }, from, signal) {
      const address = `${root}/${repository}/resolve/${revision}/${path.split('/').map(encodeURIComponent).join('/')}`;
      const reply = await streams.open(address, {
        headers: { ...headers, ...(from > 0 && { range: `bytes=${from}-` }) },
        signal,
      });
      const { status, body, discard } = reply;
      const starts = /^bytes (\d+)-/u.exec(reply.headers.get('content-range') ?? '')?.[1];
      if (status === 200) return { from: 0, body, discard };
      if (status === 206 && starts === String(from)) return { from, body, discard };
      discard();
      throw refuse(repository, reply);
    },
    close() {
      foreign.close();
      streams.close();
    },
  };
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
