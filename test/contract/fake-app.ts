// The HTTP application over the in-memory system, with a key per role and a second tenant.
import type { Role, Scope } from '../../src/core/scope.ts';
import { createHttpApp, type HttpAppOptions } from '../../src/http/app.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createFakeSystem, type FakeSystem } from './fake-footnote.ts';

const scopes: Readonly<Record<string, Scope>> = {
  'reader-key': scopeOf('default', 'reader'),
  'writer-key': scopeOf('default', 'writer'),
  'admin-key': scopeOf('default', 'admin'),
  'other-tenant-key': scopeOf('other', 'admin'),
};

function scopeOf(tenant: string, role: Role): Scope {
  return { tenant, principal: { id: `key:${tenant}-${role}`, role, groups: [] } };
}

export interface FakeAppOptions extends Partial<Omit<HttpAppOptions, 'hasKeys'>> {
  /** Whether keys are asked for. */
  readonly keys?: boolean;
}

/** Options for `createHttpApp` and `startHttpServer` over a fresh fake system. */
export function fakeAppOptions({ keys = false, ...overrides }: FakeAppOptions = {}): {
  system: FakeSystem;
  options: HttpAppOptions;
} {
  const system = createFakeSystem();
  return {
    system,
    options: {
      system,
      authenticate: async (secret) => scopes[secret],
      hasKeys: async () => keys,
      idempotency: (scope) => system.idempotency(scope),
      version: '1.2.3',
      ownerToken: 'owner-secret',
      ...overrides,
    },
  };
}

export function createFakeApp(fake: FakeAppOptions = {}): { app: HttpApp; system: FakeSystem } {
  const { system, options } = fakeAppOptions(fake);
  return { app: createHttpApp(options), system };
}

/** The fields of a multipart body, encoded. */
export function multipart(
  parts: readonly ({ field: string; value: string } | { file: string; mime?: string; bytes: Uint8Array | string })[],
): { payload: Buffer; headers: { 'content-type': string } } {
  const boundary = 'footnote-test-boundary';
  const pieces: Buffer[] = [];
  for (const part of parts) {
    const head =
      'field' in part
        ? `content-disposition: form-data; name="${part.field}"`
        : `content-disposition: form-data; name="file"; filename="${part.file}"\r\ncontent-type: ${part.mime ?? 'application/octet-stream'}`;
    pieces.push(
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      Buffer.from('field' in part ? part.value : part.bytes),
      Buffer.from('\r\n'),
    );
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { payload: Buffer.concat(pieces), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

export interface ParsedFrame {
  readonly id: string;
  readonly event: string;
  readonly data: { type: string; [key: string]: unknown };
}

/** The frames of an SSE body, comments left out. */
export function parseFrames(body: string): ParsedFrame[] {
  return body
    .split('\n\n')
    .filter((frame) => frame.startsWith('id: '))
    .map((frame) => {
      const lines = new Map(
        frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      return {
        id: lines.get('id') ?? '',
        event: lines.get('event') ?? '',
        data: JSON.parse(lines.get('data') ?? 'null') as ParsedFrame['data'],
      };
    });
}
