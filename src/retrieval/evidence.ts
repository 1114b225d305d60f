// Builds evidence from a hit and what the record says of its chunk. Pure.
import { type Chunk, type DocumentRecord, webSearchSource } from '../core/document.ts';
import type { Evidence, Explanation } from '../core/search.ts';
import { analyzeWords } from '../text/analyze.ts';
import type { OrderedHit } from './rank.ts';

export interface EvidenceParts {
  readonly chunk: Chunk;
  readonly document: DocumentRecord;
  readonly hit: OrderedHit;
  readonly stores: readonly string[];
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
  readonly explain: boolean;
}

export function toEvidence(parts: EvidenceParts): Evidence {
  const { chunk, document, hit } = parts;
  return {
    chunkId: chunk.id,
    documentId: document.id,
    title: document.title,
    uri: document.uri,
    url: parts.spanUrl(document.id, chunk),
    ...(chunk.lines && { lines: [chunk.lines[0], chunk.lines[1]] }),
    ...(chunk.place !== undefined && { place: chunk.place }),
    source: document.source,
    sourceType: document.sourceType,
    stores: [...parts.stores],
    text: chunk.text,
    start: chunk.start,
    end: chunk.end,
    ...(chunk.pages && { page: chunk.pages[0] }),
    headingPath: [...chunk.headingPath],
    ...(chunk.headings && { headings: chunk.headings.map((heading) => ({ ...heading })) }),
    ...(document.publishedAt !== undefined && { publishedAt: document.publishedAt }),
    ...foundOnWeb(document),
    score: hit.score,
    scores: { ...hit.scores, fused: hit.fused ?? hit.score },
    ranks: { ...hit.ranks },
    alsoIn: [],
    related: [],
    ...(parts.explain && hit.explanation && { explanation: explanationOf(parts, hit.explanation) }),
  };
}

function explanationOf({ chunk, document, hit: { ranking } }: EvidenceParts, explanation: Explanation): Explanation {
  const sought = new Set(explanation.terms.map(({ term }) => term));
  // As the index read it: in the language of its document, else in the one that it seems to be in.
  const language = document.language?.toLowerCase().split(/[-_]/u)[0];
  const words = sought.size > 0 ? analyzeWords(chunk.text, language ? { language } : {}) : [];
  return {
    ...explanation,
    matches: words.filter(({ term }) => sought.has(term)),
    ...(ranking && { ranking: ranking.map((term) => ({ ...term })) }),
  };
}

/** When a page was read is known of those that a connector read, too; that nobody chose it, of those that a search found alone. */
function foundOnWeb({ source, uri, metadata }: DocumentRecord): Pick<Evidence, 'trust' | 'retrievedAt'> {
  const isPage = source === webSearchSource || /^https?:/iu.test(uri);
  const at = isPage ? metadata['retrievedAt'] : undefined;
  return {
    ...(source === webSearchSource && { trust: 'unvetted' as const }),
    ...(typeof at === 'string' && { retrievedAt: at }),
  };
}
