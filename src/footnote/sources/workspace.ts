// The files that a request brings along (`workspace`): cut like documents, searched and cited for this request alone, never stored. Their ids
// hold the id of the trace, by which a saved answer is found that cited them: its quotes are all that is left to be shown.

import { namedFiles } from '../../agent/tracing/without-texts.ts';
import type { WorkspaceFile } from '../../core/answer.ts';
import type { RequestContext } from '../../core/context.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { sha256, workspacePrefix } from '../../core/ids.ts';
import type { Degradation } from '../../core/search.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { Chunking, CuttingPool } from '../../ingest/read/parse.ts';
import { toWrite } from '../../ingest/write/prepare.ts';
import type { RankedRow } from '../../retrieval/rank.ts';
import { createRowSearch, type RowSearch } from '../../retrieval/row-search.ts';
import { workspaceName } from '../../retrieval/workspace-search.ts';
import { toRecordedError } from '../../trace/record-stream.ts';
import { recordCall, withRecorder } from '../../trace/recorder.ts';
import type { DocumentView, ViewRange } from '../record/document-view.ts';
import { overlaid } from '../record/overlaid.ts';

export interface Workspace {
  readonly search: RowSearch;
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

/** The trace in which files of this id were searched; undefined for other ids. */
export const traceOfWorkspace = (documentId: string): string | undefined =>
  documentId.startsWith(workspacePrefix)
    ? documentId.slice(workspacePrefix.length, documentId.lastIndexOf('_'))
    : undefined;

export const isOfWorkspace = ({ document }: RankedRow): boolean => traceOfWorkspace(document.id) !== undefined;

/** Opens the files of a request: by reading them, or as a trace has them. */
export type OpenWorkspace = (
  files: readonly WorkspaceFile[],
  request: Pick<RequestContext, 'traceId' | 'deadline'> & { readonly at: string },
) => Promise<Workspace>;

/**
 * The files of a request, each call of them in its trace: which files there were and could not be searched, and for each search the passages
 * that it found. What was not found stands nowhere.
 */
export async function openWorkspace(
  files: readonly WorkspaceFile[],
  open: OpenWorkspace,
  context: RequestContext,
): Promise<Workspace> {
  const { traceId, deadline, clock } = context;
  const request = { traceId, deadline, at: clock.now() };
  const end = recordCall({ port: workspaceName, method: 'open', request: namedFiles(files) }, context);
  const opened = await open(files, request).catch((thrown: unknown) => {
    end({ error: toRecordedError(thrown) });
    throw thrown;
  });
  end({ response: { degraded: opened.degraded } });
  return { ...opened, search: withRecorder(workspaceName, opened.search, context) };
}

const nameOf = (path: string): string => path.split(/[/\\]/u).findLast((part) => part !== '') ?? path;

/** Reads files of requests in this process. */
export const workspaceReader =
  (ports: WorkspacePorts): OpenWorkspace =>
  (files, request) =>
    readWorkspace(files, ports, request);

async function readWorkspace(
  files: readonly WorkspaceFile[],
  { parsers, chunking }: WorkspacePorts,
  { traceId, deadline, at }: Parameters<OpenWorkspace>[1],
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
      const id = `${workspacePrefix}${traceId}_${place}`;
      const name = nameOf(path);
      try {
        const bytes = new TextEncoder().encode(text);
        const cut = await parsers.cut({ bytes, name }, { documentId: id, chunking, name }, deadline.signal);
        const source = { name: workspaceName, type: 'workspace' } as const;
        const incoming = { source, uri: path, name, contentHash: sha256(bytes), title: path };
        return toWrite(incoming, cut, { id, revision: 1, at });
      } catch (thrown) {
        if (deadline.signal.aborted) throw thrown;
        const { code, message } = toFootnoteError(thrown);
        return leaveOut(path, code, message);
      }
    }),
  );
  const known = new Map(written.flatMap((one) => (one ? [[one.document.id, one] as const] : [])));
  const rows = [...known.values()].flatMap(({ document, chunks }) => chunks.map((chunk) => ({ chunk, document })));
  const byId = new Map(rows.map((row) => [row.chunk.id, row]));
  return {
    search: createRowSearch(rows),
    degraded,
    over: (documents) => overlaid(documents, { document: (id) => known.get(id), chunk: (id) => byId.get(id) }),
  };
}

/** Passages of files searched as such: all that is left of them in a trace. */
export function workspaceOf(some: readonly RankedRow[]): Workspace {
  const rows = new Map(some.map((row) => [row.chunk.id, row]));
  const files = new Map(some.map(({ document }) => [document.id, { document }]));
  return {
    search: createRowSearch(some),
    degraded: [],
    over: (documents) => overlaid(documents, { document: (id) => files.get(id), chunk: (id) => rows.get(id) }),
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
