// Documents as resources: a paged list, a template for spans, and their texts. Long ones come in parts, each of which names the next.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { isFootnoteError } from '../core/errors.ts';
import type { McpCaller } from './caller.ts';
import { placeOf, readPart, resourceOf, resourceTemplate } from './places.ts';

const pageSize = 50;

export function serveResources(server: Server, { footnote, inTurn, tellFailure }: McpCaller): void {
  /** Requests for resources fail by the protocol; only tools tell it in a result. */
  async function attempt<T>(signal: AbortSignal, work: () => Promise<T>, uri?: string): Promise<T> {
    try {
      return await inTurn({ lane: 'reads', signal }, work);
    } catch (error) {
      const code = isFootnoteError(error) ? error.code : 'internal';
      if (code === 'not-found' && uri !== undefined) throw new ResourceNotFoundError(uri);
      const isOurs = code === 'internal' || code === 'data-corrupt';
      throw new ProtocolError(
        isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
        tellFailure(error),
      );
    }
  }

  server.setRequestHandler('resources/list', ({ params }, { mcpReq }) =>
    attempt(mcpReq.signal, async () => {
      const page = { limit: pageSize, ...(params?.cursor !== undefined && { cursor: params.cursor }) };
      const { data, nextCursor } = await footnote.documents.list(page);
      return {
        resources: data.map(({ id, title, source, uri, updatedAt }) => ({
          uri: resourceOf({ documentId: id }),
          name: uri,
          title,
          description: `Of the source ${source}`,
          mimeType: 'text/plain',
          annotations: { lastModified: updatedAt },
        })),
        ...(nextCursor !== undefined && { nextCursor }),
      };
    }),
  );

  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        name: 'document',
        title: 'A document, or a span of it',
        uriTemplate: resourceTemplate,
        description: 'The text of a document; with `start-end` (UTF-16 offsets) a span of it, as citations name them',
        mimeType: 'text/plain',
      },
    ],
  }));

  server.setRequestHandler('resources/read', ({ params: { uri } }, { mcpReq }) =>
    attempt(
      mcpReq.signal,
      async () => {
        const { text, next } = await readPart(footnote, placeOf(uri));
        const rest = next && {
          uri: resourceOf(next),
          mimeType: 'text/plain',
          text: `The text goes on: read ${resourceOf(next)} for what follows.`,
        };
        return { contents: [{ uri, mimeType: 'text/plain', text }, ...(rest ? [rest] : [])] };
      },
      uri,
    ),
  );
}
