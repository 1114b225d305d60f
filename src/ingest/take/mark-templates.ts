// At the end of a run over a folder: documents whose beginning or end is the template of their site are cut anew without it, and those
// for which that is no longer so are cut with it. Invariant: what is marked depends on the documents that are there and not on the order
// in which they came; a document says in its metadata (`siteContent`) which range of its text is its own, and (`siteKept`) which lines of
// the template are found in it.

import { isDeepStrictEqual } from 'node:util';
import type { DocumentRecord, Metadata, MetadataValue, SourceSpan } from '../../core/document.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { defined } from '../../core/values/defined.ts';
import {
  edgesOf,
  type Framed,
  framedBy,
  leastTexts,
  type Sampled,
  type Template,
  templateOf,
} from '../chunk/site-template.ts';
import { type PreparePorts, toWrite } from '../write/prepare.ts';
import { placeErrors, type Writer } from '../write/writer.ts';
import type { Intake } from './intake.ts';

/** Pages of sites; kinds are compared among themselves. Contracts and letters that begin alike are no site. */
const formats: ReadonlyMap<string, string> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'markdown'],
  ['text/mdx', 'markdown'],
]);
/** Texts that are compared to find the template of a folder: those whose names have the smallest hashes. */
const sampleSize = 256;
/** Of those, so many are looked at first: where hardly any two of them begin or end alike, there is no template. */
const pilotSize = 16;
const pilotShare = 0.25;
/** Texts of samples that are remembered until their folder's turn comes: some 20 MB. Others are read again. */
const rememberedTexts = 1000;
/** Errors that would meet every other document too. */
const endsAll: ReadonlySet<string> = new Set([...placeErrors, 'conflict', 'internal']);

export interface TemplateWork extends PreparePorts {
  readonly source: { readonly name: string };
  readonly intake: Intake;
  readonly writer: Writer;
}

interface Page {
  readonly id: string;
  readonly uri: string;
  readonly format: string;
  readonly length: number;
  readonly textHash: string;
  /** How it is cut now. */
  readonly framed: Framed | undefined;
}

/** Undefined for documents without a template that could be marked: other kinds, restricted ones, recognised scans (their text is dear). */
function toPage({ id, uri, mime, textLength, textHash, metadata, access }: DocumentRecord): Page | undefined {
  const format = formats.get(mime);
  if (format === undefined || access !== undefined || metadata['ocrPages'] !== undefined) return undefined;
  return { id, uri, format, length: textLength, textHash, framed: toFramed(metadata) };
}

const toSpan = (value: MetadataValue | undefined): SourceSpan | undefined => {
  const [start, end] = Array.isArray(value) ? value : [];
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined;
};

export function toFramed({ siteContent, siteKept }: Metadata): Framed | undefined {
  const content = toSpan(siteContent);
  const kept = Array.isArray(siteKept) ? siteKept.map(toSpan).filter((span) => span !== undefined) : [];
  return content && { content, kept };
}

const toFacts = ({ content, kept }: Framed): Metadata => ({
  siteContent: [content.start, content.end],
  ...(kept.length > 0 && { siteKept: kept.map(({ start, end }) => [start, end]) }),
});

/** The facts of a document without its mark; the same object where it has none. */
export function withoutTemplate(metadata: Metadata): Metadata {
  if (!('siteContent' in metadata || 'siteKept' in metadata)) return metadata;
  const { siteContent: _, siteKept: __, ...facts } = metadata;
  return facts;
}

export const ownOf = ({ content, kept }: Framed): readonly SourceSpan[] =>
  [content, ...kept].toSorted((a, b) => a.start - b.start);

/** The folders that a path lies in, the root as the empty path. */
function foldersOf(uri: string): string[] {
  const folders = [''];
  for (let slash = uri.indexOf('/'); slash >= 0; slash = uri.indexOf('/', slash + 1)) folders.push(uri.slice(0, slash));
  return folders;
}

const keyOf = (format: string, folder: string): string => `${format} ${folder}`;
const folderOf = (key: string): string => key.slice(key.indexOf(' ') + 1);

/** Keys of the folders that hold a folder, the root first. */
function foldersAround(key: string): readonly string[] {
  const format = key.slice(0, key.indexOf(' '));
  const folder = folderOf(key);
  return folder === '' ? [] : foldersOf(folder).map((outer) => keyOf(format, outer));
}

async function pagesByFolder({ record, source }: TemplateWork): Promise<ReadonlyMap<string, readonly Page[]>> {
  const pages = new Map<string, Page[]>();
  let cursor: string | undefined;
  const ofSource = { op: 'eq', field: 'source', value: source.name } as const;
  const ofFormats = { op: 'in', field: 'mime', values: [...formats.keys()] } as const;
  do {
    const request = { limit: 1000, filter: { op: 'and', filters: [ofSource, ofFormats] } } as const;
    const found = await record.documents.list({ ...request, ...(cursor !== undefined && { cursor }) });
    for (const page of found.data.map(toPage)) {
      if (page === undefined) continue;
      for (const folder of foldersOf(page.uri)) {
        const key = keyOf(page.format, folder);
        const list = pages.get(key);
        if (list === undefined) pages.set(key, [page]);
        else list.push(page);
      }
    }
    cursor = found.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

function sampleOf(pages: readonly Page[]): readonly Page[] {
  const ranked = pages.map((page) => ({ page, rank: sha256(page.uri) }));
  return ranked
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, sampleSize)
    .map(({ page }) => page);
}

/** Whether some line stands at the same edge of more than a few of the first texts. */
async function mayHaveTemplate({ record }: TemplateWork, pages: readonly Page[]): Promise<boolean> {
  const counts = { head: new Map<string, number>(), tail: new Map<string, number>() };
  const pilot = pages.slice(0, pilotSize);
  for (const { id } of pilot) {
    const edges = edgesOf((await record.documents.text(id)) ?? '');
    for (const edge of ['head', 'tail'] as const)
      for (const key of new Set(edges[edge].map((line) => line.key)))
        counts[edge].set(key, (counts[edge].get(key) ?? 0) + 1);
  }
  const least = Math.max(2, pilot.length * pilotShare);
  return [...counts.head.values(), ...counts.tail.values()].some((count) => count >= least);
}

/** The sample's texts with what is known of them; copies and versions of one another are one family. */
async function readSample({ record }: TemplateWork, pages: readonly Page[]): Promise<readonly Sampled[]> {
  const family = new Map(pages.map(({ id }) => [id, id]));
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = family.get(root); next !== undefined && next !== root; next = family.get(root)) root = next;
    return root;
  };
  for (const { id } of pages)
    for (const { documentId, kind } of await record.documents.duplicates(id))
      if (kind !== 'near' && family.has(documentId)) family.set(rootOf(documentId), rootOf(id));
  const sample: Sampled[] = [];
  for (const { id, uri, framed } of pages) {
    const text = await record.documents.text(id);
    if (text === undefined) continue;
    // Their texts are let go: only where they stand is needed.
    const chunks = (await record.documents.chunks(id)).map(({ start, end }) => ({ start, end }));
    const own = framed && ownOf(framed);
    sample.push({
      id,
      uri,
      edges: edgesOf(text),
      family: rootOf(id),
      isFound: ({ start, end }) => chunks.some((chunk) => chunk.start <= start && chunk.end >= end),
      isFramed: ({ start, end }) => own !== undefined && !own.some((span) => span.start <= start && span.end >= end),
    });
  }
  return sample;
}

const isEmpty = ({ head, tail }: Template): boolean => head.lines.size + tail.lines.size === 0;

/**
 * Brings the marks of the folders in which something changed in line with what they hold now; `changed` are the uris of documents that
 * were written or deleted. Returns how many documents were cut anew. Throws `cancelled` and what would end the run.
 */
export async function markTemplates(
  work: TemplateWork,
  changed: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<number> {
  if (changed.size === 0) return 0;
  const folders = await pagesByFolder(work);
  const affected = new Set([...changed].flatMap(foldersOf));
  const templates = new Map<string, Template>();
  const remembered = new Map<string, readonly Sampled[]>();
  let room = rememberedTexts;
  const sampleFor = async (key: string): Promise<readonly Sampled[]> => {
    const known = remembered.get(key);
    if (known !== undefined) {
      remembered.delete(key);
      room += known.length;
      return known;
    }
    const pages = sampleOf(folders.get(key) ?? []);
    const isPossible = pages.length >= leastTexts && (await mayHaveTemplate(work, pages));
    const sample = isPossible ? await readSample(work, pages) : [];
    if (!templates.has(key)) templates.set(key, templateOf(sample, await templatesOf(foldersAround(key))));
    return sample;
  };
  const templatesOf = async (keys: readonly string[]): Promise<readonly Template[]> => {
    const found: Template[] = [];
    for (const key of keys) {
      if (!templates.has(key)) {
        const sample = await sampleFor(key);
        // Folders inside others are asked about before their own turn.
        if (affected.has(folderOf(key)) && sample.length <= room) {
          remembered.set(key, sample);
          room -= sample.length;
        }
      }
      const template = templates.get(key);
      if (template && !isEmpty(template)) found.push(template);
    }
    return found;
  };
  const templatesFor = ({ format, uri }: Page): Promise<readonly Template[]> =>
    templatesOf(foldersOf(uri).map((folder) => keyOf(format, folder)));

  const toCheck = new Map<string, Page>();
  for (const [key, pages] of folders) {
    if (!affected.has(folderOf(key))) continue;
    signal?.throwIfAborted();
    const sample = await sampleFor(key);
    const byId = new Map(pages.map((page) => [page.id, page]));
    const template = templates.get(key);
    const hasTemplate = template !== undefined && !isEmpty(template);
    let isStable = sample.length > 0 || pages.every(({ framed }) => framed === undefined);
    for (const { id, edges } of sample) {
      const page = byId.get(id);
      if (page === undefined || changed.has(page.uri) || (!hasTemplate && page.framed === undefined)) continue;
      const wanted = framedBy({ id, edges, length: page.length }, await templatesFor(page));
      if (!isDeepStrictEqual(page.framed, wanted)) isStable = false;
    }
    const sampled = new Set(sample.map(({ id }) => id));
    // The sample last: where a run is cut off before, the next one sees that it is not done.
    const inOrder = isStable
      ? pages.filter(({ uri }) => changed.has(uri))
      : [...pages.filter(({ id }) => !sampled.has(id)), ...pages.filter(({ id }) => sampled.has(id))];
    for (const page of inOrder) {
      toCheck.delete(page.id);
      toCheck.set(page.id, page);
    }
  }

  let marked = 0;
  for (const page of toCheck.values()) {
    signal?.throwIfAborted();
    const own = await templatesFor(page);
    if (own.length === 0 && page.framed === undefined) continue;
    const text = await work.record.documents.text(page.id);
    if (text === undefined) continue;
    const framed = framedBy({ id: page.id, edges: edgesOf(text), length: page.length }, own);
    if (!isDeepStrictEqual(framed, page.framed) && (await recut(work, { page, framed, text }, signal))) marked += 1;
  }
  await work.writer.flush();
  return marked;
}

/** False where it cannot be read any more as it was (another reader, a password that is not kept): then it stays as it is. */
async function recut(
  { record, parsers, clock, chunking, intake, writer, source }: TemplateWork,
  {
    page: { uri, textHash },
    framed,
    text,
  }: { readonly page: Page; readonly framed: Framed | undefined; readonly text: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  const incoming = { source: { name: source.name, type: 'docs' as const }, uri, name, contentHash: textHash };
  const { done } = intake.begin([incoming], async (present) => {
    const document = present.get(uri);
    if (document === undefined || document.textHash !== textHash) return false;
    const { id, mime, title, language } = document;
    const bytes = (await record.documents.file(id)) ?? new TextEncoder().encode(text);
    const cut = await parsers.cut(
      { bytes, name, mime },
      defined({ documentId: id, chunking, name, title, language, ...(framed && { own: ownOf(framed) }) }),
      signal,
    );
    if (cut.textHash !== textHash) return false;
    const revision = document.revision + 1;
    const write = toWrite(incoming, cut, { id, revision, at: clock.now() });
    const writing = writer.put([
      {
        write: {
          ...write,
          document: {
            ...document,
            revision,
            chunkCount: write.chunks.length,
            metadata: { ...withoutTemplate(document.metadata), ...(framed && toFacts(framed)) },
          },
          ...(!cut.isOriginal && { file: bytes }),
        },
      },
    ]);
    // The next page is cut when this one is written: nothing comes that could share its commit.
    await writer.flush();
    const [written] = await writing;
    if (written instanceof Error) throw written;
    return true;
  });
  return done.catch((thrown: unknown) => {
    const error = toFootnoteError(thrown);
    if (endsAll.has(error.code)) throw error;
    return false;
  });
}
