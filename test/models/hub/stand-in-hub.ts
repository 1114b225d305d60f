// A hub on 127.0.0.1 that answers as the documented API of Hugging Face's: repositories with files, at one commit, whole or in ranges, and what a test
// wants otherwise.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeServer, openFakeServer, type SeenRequest, type Wire } from '../../../src/testing/fake-http.ts';

export const commit = 'a'.repeat(40);

export type Files = Readonly<Record<string, Uint8Array>>;

export interface StandIn {
  readonly files: Files;
  readonly license?: string;
  /** Asked first; what it gives is the answer. */
  readonly instead?: (request: SeenRequest) => Wire | undefined;
  /** Entries of the list beside the files. */
  readonly listed?: readonly Readonly<Record<string, unknown>>[];
}

const hex = (algorithm: string, ...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Small texts are in git, all else in LFS, as the hub has it. */
const entryOf = ([path, bytes]: [string, Uint8Array]) => ({
  rfilename: path,
  size: bytes.length,
  blobId: hex('sha1', `blob ${bytes.length}\0`, bytes),
  ...(!/\.(json|txt)$/u.test(path) && {
    lfs: { sha256: hex('sha256', bytes), size: bytes.length, pointerSize: 134 },
  }),
});

export function answerOf(standIn: StandIn, request: SeenRequest): Wire {
  const { files, license = 'apache-2.0', instead, listed = [] } = standIn;
  const own = instead?.(request);
  if (own) return own;
  const { pathname } = new URL(request.path, 'http://hub');
  if (/^\/api\/models\/[^/]+\/[^/]+\/revision\/main$/u.test(pathname)) {
    const siblings = [...Object.entries(files).map(entryOf), ...listed];
    const body = JSON.stringify({ sha: commit, gated: false, cardData: { license }, siblings });
    return { chunks: [body], headers: { 'content-type': 'application/json; charset=utf-8' } };
  }
  const path = pathname.split(`/resolve/${commit}/`)[1];
  const bytes = path === undefined ? undefined : files[decodeURIComponent(path)];
  if (!bytes) return { status: 404, headers: { 'x-error-code': 'EntryNotFound' }, chunks: [''] };
  return inRange(bytes, request);
}

export function inRange(bytes: Uint8Array, { headers }: Pick<SeenRequest, 'headers'>): Wire {
  const from = Number(/^bytes=(\d+)-$/u.exec(headers.range ?? '')?.[1] ?? 0);
  const type = { 'content-type': 'application/octet-stream' };
  if (from === 0) return { headers: type, chunks: [bytes] };
  const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...type, 'content-range': range }, chunks: [bytes.subarray(from)] };
}

export async function openStandIn(standIn: StandIn): Promise<FakeServer> {
  return openFakeServer((request) => answerOf(standIn, request));
}

/** The head of a GGUF file with one entry, and so many bytes behind it. */
export function ggufBytes(size = 4000, architecture = 'qwen3'): Uint8Array {
  const text = (value: string): Buffer => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(Buffer.byteLength(value)));
    return Buffer.concat([length, Buffer.from(value)]);
  };
  const numbers = Buffer.alloc(24);
  numbers.write('GGUF');
  numbers.writeUInt32LE(3, 4);
  numbers.writeBigUInt64LE(1n, 8);
  numbers.writeBigUInt64LE(1n, 16);
  const kind = Buffer.alloc(4);
  kind.writeUInt32LE(8);
  const weights = Buffer.from(Array.from({ length: size }, (_, at) => (at * 31) % 251));
  return Buffer.concat([numbers, text('general.architecture'), kind, text(architecture), weights]);
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** What a folder of a local model needs, its weights random bytes. */
export const localFiles = (classes = 'BertModel', labels = 0): Files => ({
  'config.json': json({
    model_type: 'bert',
    architectures: [classes],
    hidden_size: 8,
    max_position_embeddings: 32,
    ...(labels > 0 && { id2label: Object.fromEntries(Array.from({ length: labels }, (_, at) => [at, `l${at}`])) }),
  }),
  'tokenizer.json': json({ version: '1.0' }),
  'tokenizer_config.json': json({ model_max_length: 32 }),
  'onnx/model.onnx': Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7) % 253)),
});

export function openFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'footnote-hub-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
