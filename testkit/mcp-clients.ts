// The official client of MCP in both revisions, each speaking its own alone: without a pin it would take the older one, and the newer never be tried.
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export async function connectMcp(revision: Revision, transport: Transport): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {},
  );
  await client.connect(transport);
  return client;
}

export const overHttp = (url: string, key?: string): Transport =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
  });

/** The structured part of a result. Throws what the tool said where it failed. */
export function structured<T>({ isError, structuredContent, content }: CallToolResult): T {
  if (isError) throw new Error(textOf({ content }));
  return structuredContent as T;
}

export const textOf = ({ content }: Pick<CallToolResult, 'content'>): string =>
  content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
