// OpenAI's own search of files at the seam of the AI SDK: how it is offered to its model, and what of it comes back. Invariant: what comes back
// is read with care, and only where this program offered it.
import type { LanguageModelV4CallOptions, LanguageModelV4ToolResult } from '@ai-sdk/provider';
import type { FilePiece, FileSearch, FileSearchCall } from '../file-search.ts';

const toolName = 'file_search';
/** Without it the pieces that were found are kept back. */
export const includedResults = 'file_search_call.results';
/** More of one search, or longer ones, are no pieces that anybody asked for. */
const mostPieces = 1000;
const mostPieceCharacters = 100_000;

export function fileSearchTools({ storeIds, filter, most }: FileSearch): Pick<LanguageModelV4CallOptions, 'tools'> {
  const args = { vectorStoreIds: [...storeIds], maxNumResults: most, filters: filter };
  return { tools: [{ type: 'provider', id: 'openai.file_search', name: toolName, args }] };
}

/** Undefined for the result of another tool. */
export function readFileSearch({
  toolName: name,
  result,
}: Pick<LanguageModelV4ToolResult, 'toolName' | 'result'>): FileSearchCall | undefined {
  if (name !== toolName) return undefined;
  const { queries, results } = (result ?? {}) as { readonly queries?: unknown; readonly results?: unknown };
  return {
    queries: Array.isArray(queries) ? queries.filter((query) => typeof query === 'string') : [],
    ...(Array.isArray(results) && { pieces: results.slice(0, mostPieces).flatMap(readPiece) }),
  };
}

function readPiece(value: unknown): FilePiece[] {
  const { fileId, score, text, attributes } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof fileId !== 'string' || typeof text !== 'string') return [];
  return [
    {
      fileId,
      score: typeof score === 'number' && Number.isFinite(score) ? score : 0,
      text: text.slice(0, mostPieceCharacters).toWellFormed(),
      attributes: typeof attributes === 'object' && attributes !== null ? { ...attributes } : {},
    },
  ];
}
