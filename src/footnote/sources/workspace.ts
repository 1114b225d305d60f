// The files that a request brings along (`workspace`): cut like documents, searched and cited for this request alone, never stored. Their ids
// hold the id of the trace, by which a saved answer is found that cited them: its quotes are all that is left to be shown.
import type { WorkspaceFile } from '../../core/answer.ts';
import type { RequestContext } from '../../core/context.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import type { Degradation } from '../../core/search.ts';
import type { TenantRecord } from '../../db/record.ts';
import type { Chunking, CuttingPool } from '../../ingest/read/parse.ts';
import { toWrite } from '../../ingest/write/prepare.ts';
import type { RankedRow } from '../../retrieval/rank.ts';
import { createWorkspaceSearch, type WorkspaceSearch, workspaceName } from '../../retrieval/workspace-search.ts';
import type { DocumentView, ViewRange } from '../record/document-view.ts';

export interface Workspace {
  readonly search: WorkspaceSearch;
  /** The record with the files of the request in it, for whoever reads by id. */
  over(documents: TenantRecord['documents']): TenantRecord['documents'];
  readonly degraded: readonly Degradation[];
}

export interface WorkspacePorts {
  readonly parsers: Pick<CuttingPool, 'cut'>;
  readonly chunking: Chunking;
}

/** All files of a request together, in characters. */
const mostCharacters = 10_000_000;
const prefix = 'wsp_';

/** The trace in which files of this id were searched; undefined for other ids. */
export const traceOfWorkspace = (documentId: string): string | undefined =>
  documentId.startsWith(prefix) ? documentId.slice(prefix.length, documentId.lastIndexOf('_')) : undefined;

const nameOf = (path: string): string => path.split(/[/\\]/u).findLast((part) => part !== '') ?? path;

export async function openWorkspace(
  files: readonly WorkspaceFile[],
  { parsers, chunking }: WorkspacePorts,
  { traceId, clock, deadline }: RequestContext,
): Promise<Workspace> {
  const degraded: Degradation[] = [];
  const leaveOut = (path: string, code: string, detail: string): void =>
    void degraded.push({ component: workspaceName, code, detail, effect: `${path} was not searched.` });
  let left = mostCharacters;
  const written = await Promise.all(
    files.map(async ({ path, text }, place) => {
      left -= text.length;
      if (left < 0)
        return leaveOut(path, 'too-large', `The files have more than ${mostCharacters} characters together.`);
      if (text.trim() === '') return leaveOut(path, 'invalid-media', 'The file is empty.');
      const id = `${prefix}${traceId}_${place}`;
      const name = nameOf(path);
      try {
        const bytes = new TextEncoder().encode(text);
        const cut = await parsers.cut({ bytes, name }, { documentId: id, chunking, name }, deadline.signal);
        const source = { name: workspaceName, type: 'workspace' } as const;
        const incoming = { source, uri: path, name, contentHash: sha256(bytes), title: path };
        return toWrite(incoming, cut, { id, revision: 1, at: clock.now() });
      } catch (thrown) {
        if (deadline.signal.aborted) throw thrown;
        const { code, message } = toFootnoteError(thrown);
        return leaveOut(path, code, message);
      }
    }),
  );
  const known = new Map(written.flatMap((one) => (one ? [[one.document.id, one] as const] : [])));
  const rows = new Map<string, RankedRow>();
  for (const { document, chunks } of known.values())
    for (const chunk of chunks) rows.set(chunk.id, { chunk, document });
  return {
    search: createWorkspaceSearch([...rows.values()]),
    degraded,
    over: (documents) => ({
      ...documents,
      get: async (id) => known.get(id)?.document ?? documents.get(id),
      text: async (id) => known.get(id)?.text ?? documents.text(id),
      chunks: async (id) => known.get(id)?.chunks ?? documents.chunks(id),
      async places(id) {
        const own = known.get(id)?.structure;
        return own ? { pages: own.pages, places: own.places ?? [] } : documents.places(id);
      },
      async chunksById(ids) {
        const others = ids.filter((id) => !rows.has(id));
        if (others.length === ids.length) return documents.chunksById(ids);
        const found = new Map(
          (others.length > 0 ? await documents.chunksById(others) : []).map((row) => [row.chunk.id, row]),
        );
        return ids.flatMap((id) => rows.get(id) ?? found.get(id) ?? []);
      },
    }),
  };
}

/** A span of a file that a saved answer cited, as the answer quotes it; undefined where none did that the caller may read. */
export async function viewOfCited(
  answers: Pick<TenantRecord['answers'], 'using' | 'get'>,
  documentId: string,
  { start = 0, end = start }: ViewRange,
): Promise<DocumentView | undefined> {
  const { data } = await answers.using({ documentId }, { limit: 10 });
  for (const { answerId } of data) {
    const cited = (await answers.get(answerId))?.citations.find(
      (one) => one.documentId === documentId && one.start <= start && one.end >= end,
    );
    if (!cited) continue;
    const { title, uri, source, quote, lines, place } = cited;
    return {
      excerpt: {
        documentId,
        title,
        uri,
        source,
        start: cited.start,
        end: cited.end,
        quote,
        before: '',
        after: '',
        ...(lines && { lines }),
        ...(place !== undefined && { place }),
        textLength: cited.end,
      },
      citeByLine: lines !== undefined,
      from: cited.start,
      to: cited.end,
      shown: quote,
      firstLine: lines?.[0] ?? 1,
      pages: [],
    };
  }
  return undefined;
}
