// What a model may look things up with, for one request. Invariants: a tool takes words and numbers of passages that were shown, never an address, a
// document, a source or a right; all else is the request's own; what a tool found is numbered and shown as data.
import { z } from 'zod';
import { fence, renderPassage } from '../../answer/context/evidence.ts';
import type { RequestContext } from '../../core/context.ts';
import { allOf, type Degradation, type Evidence, type Filter, type Mode, searchOptionsOf } from '../../core/search.ts';
import type { ToolForm } from '../../models/language/tools/read-call.ts';
import type { Retriever } from '../../retrieval/retrieve.ts';
import { budgetedSearch } from '../turn/budgeted-search.ts';
import { inTurn } from '../turn/in-turn.ts';
import type { Gathering, TurnRequest } from '../turn/turn-state.ts';

export interface ToolOutcome {
  /** What the model is told: passages between fences, or a sentence of ours. */
  readonly text: string;
  /** What was searched, for whoever follows the request; absent where nothing was. */
  readonly query?: string;
}

export interface AgentTool<Arguments = unknown> {
  readonly form: ToolForm<Arguments>;
  run(given: Arguments, context: RequestContext): Promise<ToolOutcome>;
}

/** Who else can be searched, such as the web: under the same budget, its hits evidence like any other. */
export interface FurtherSearch {
  readonly name: string;
  readonly description: string;
  search(query: string, limit: number, context: RequestContext): Promise<Gathering>;
}

/** Tools of somebody else's, beside those of the palette; none where there is nothing to look into. */
export interface FurtherTools {
  tools(question: string, shown: Shown): Promise<readonly AgentTool[]>;
}

export interface PaletteOptions {
  readonly retriever: Retriever;
  readonly request: TurnRequest;
  readonly further?: readonly FurtherSearch[];
  /** Longest text of a passage in a list; the whole of one is shown on demand. */
  readonly summaryCharacters: number;
}

/** Passages that were found so far, by the numbers under which they are shown. */
export interface Shown {
  /** Those that were read whole, then the best of each look in turn. */
  evidence(): readonly Evidence[];
  degraded(): readonly Degradation[];
  toolCalls(): number;
  usedFallback(): boolean;
  /** Numbers passages that were not known, and says them all. */
  show(found: Gathering): string;
}

const mostHits = 8;
export const longestQuery = 400;
const longestChunkCharacters = 8_000;

const query = z.string().min(1).max(longestQuery).describe('What to look for, in plain words');
const limit = z.int().min(1).max(mostHits).describe('Passages wanted');
const passage = z.int().min(1).describe('The number of a passage that was shown');

export function createPalette(options: PaletteOptions): {
  readonly tools: readonly AgentTool[];
  readonly shown: Shown;
} {
  const { retriever, request, further = [], summaryCharacters } = options;
  const known: Evidence[] = [];
  /** What each look found, by number. */
  const looks: number[][] = [];
  const read = new Set<number>();
  const degraded: Degradation[] = [];
  let [toolCalls, usedFallback] = [0, false];

  const numberOf = (one: Evidence): number => {
    const at = known.findIndex(({ chunkId }) => chunkId === one.chunkId);
    return at >= 0 ? at + 1 : known.push(one);
  };
  const shown: Shown = {
    evidence() {
      return [...new Set([...read, ...inTurn(looks)])].flatMap((number) => known[number - 1] ?? []);
    },
    degraded: () => degraded,
    toolCalls: () => toolCalls,
    usedFallback: () => usedFallback,
    show(found) {
      toolCalls += found.toolCalls;
      usedFallback ||= found.usedFallback === true;
      for (const one of found.degraded)
        if (!degraded.some(({ component, code }) => component === one.component && code === one.code))
          degraded.push(one);
      if (found.evidence.length === 0)
        return found.degraded[0] ? `Nothing was found: ${found.degraded[0].detail}` : 'Nothing was found.';
      looks.push(found.evidence.map(numberOf));
      return found.evidence
        .map((one) => {
          const text =
            one.text.length <= summaryCharacters ? one.text : `${one.text.slice(0, summaryCharacters).toWellFormed()}…`;
          return renderPassage({ id: numberOf(one), block: { evidence: { ...one, text }, tokens: 0 } });
        })
        .join('\n\n');
    },
  };
  const lookUp = async (
    asked: { query: string; limit: number; mode: Mode; filter?: Filter },
    context: RequestContext,
  ): Promise<ToolOutcome> => {
    const { legs: _, ...found } = await budgetedSearch(
      retriever,
      {
        ...searchOptionsOf(request),
        mode: asked.mode,
        query: asked.query,
        topK: asked.limit,
        ...(asked.filter && { filter: asked.filter }),
      },
      context,
    );
    return { text: shown.show(found), query: asked.query };
  };
  const search = (name: string, mode: Mode, how: string): AgentTool<{ query: string; limit: number }> => ({
    form: {
      name,
      description: `Searches the documents ${how}. Hands back numbered passages.`,
      schema: z.strictObject({ query, limit }),
    },
    run: (given, context) => lookUp({ ...given, mode }, context),
  });
  const byWords = search('search_embedded', 'embedded', 'by their words');
  const byMeaning = search('search_vector', 'vector', 'by meaning');
  const openDocument: AgentTool<{ passage: number; query: string }> = {
    form: {
      name: 'open_document',
      description: 'Searches the document that a passage is from. Hands back numbered passages of it.',
      schema: z.strictObject({ passage, query }),
    },
    async run(given, context) {
      const one = known[given.passage - 1];
      if (!one) return { text: 'There is no passage of this number.' };
      const own: Filter = { op: 'eq', field: 'id', value: one.documentId };
      const filter = allOf([request.filter, own]);
      return lookUp({ query: given.query, limit: mostHits, mode: request.mode, ...(filter && { filter }) }, context);
    },
  };
  const readChunk: AgentTool<{ passage: number }> = {
    form: {
      name: 'read_chunk',
      description: 'Shows the whole text of a passage.',
      schema: z.strictObject({ passage }),
    },
    async run(given) {
      const one = known[given.passage - 1];
      if (!one) return { text: 'There is no passage of this number.' };
      read.add(given.passage);
      return { text: fence(one.text.slice(0, longestChunkCharacters).toWellFormed()) };
    },
  };
  const others = further.map(
    (one): AgentTool<{ query: string; limit: number }> => ({
      form: { name: one.name, description: one.description, schema: z.strictObject({ query, limit }) },
      run: async (given, context) => ({
        text: shown.show(await one.search(given.query, given.limit, context)),
        query: given.query,
      }),
    }),
  );
  const byMode = { embedded: [byWords], vector: [byMeaning], hybrid: [byWords, byMeaning] }[request.mode];
  return { tools: [...byMode, openDocument, readChunk, ...others] as readonly AgentTool[], shown };
}
