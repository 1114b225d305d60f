// What can be asked of a store and what comes back. Filters are ASTs: each store prints them with one tested printer
// and nothing from a request is ever concatenated into a query.
import { z } from 'zod';
import { chunkHeadingsSchema, sourceTypes } from './document.ts';

export const modes = ['embedded', 'vector', 'hybrid'] as const;
export const modeSchema = z.enum(modes);
export type Mode = (typeof modes)[number];

/** Fields of a document that can be filtered on; `metadata.<key>` reaches one top-level metadata value. */
export const filterFields = [
  'id',
  'source',
  'sourceType',
  'uri',
  'path',
  'title',
  'mime',
  'language',
  'category',
  'version',
  'publishedAt',
  'updatedAt',
] as const;
export type FilterField = (typeof filterFields)[number] | `metadata.${string}`;

const fieldSchema = z.custom<FilterField>(
  (value) =>
    typeof value === 'string' &&
    value.length <= 128 &&
    ((filterFields as readonly string[]).includes(value) || /^metadata\.[\p{L}\p{N}_.-]{1,100}$/u.test(value)),
  { message: `must be one of ${filterFields.join(', ')} or metadata.<key>` },
);
const scalarSchema = z.union([z.string().max(4096), z.number(), z.boolean()]);
export type FilterScalar = z.infer<typeof scalarSchema>;

/**
 * A filter over documents. `glob` is for `path` and `uri` (`*` within a folder, `**` across folders); dates compare as
 * instants; comparing a missing value is false (also for `ne` and `nin`: use `exists: false` for absence); a list value
 * matches if any element does.
 */
export type Filter =
  | { readonly op: 'eq' | 'ne'; readonly field: FilterField; readonly value: FilterScalar }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly field: FilterField; readonly value: string | number }
  | { readonly op: 'in' | 'nin'; readonly field: FilterField; readonly values: readonly FilterScalar[] }
  | { readonly op: 'prefix' | 'glob'; readonly field: FilterField; readonly value: string }
  | { readonly op: 'exists'; readonly field: FilterField; readonly value: boolean }
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter };

/** What passes all of them, in their order; undefined where there is none. */
export function allOf(filters: readonly (Filter | undefined)[]): Filter | undefined {
  const given = filters.filter((one) => one !== undefined);
  return given.length > 1 ? { op: 'and', filters: given } : given[0];
}

export const filterSchema: z.ZodType<Filter> = z
  .lazy(() =>
    z.union([
      z.strictObject({ op: z.enum(['eq', 'ne']), field: fieldSchema, value: scalarSchema }),
      z.strictObject({
        op: z.enum(['lt', 'lte', 'gt', 'gte']),
        field: fieldSchema,
        value: z.union([z.string().max(4096), z.number()]),
      }),
      z.strictObject({
        op: z.enum(['in', 'nin']),
        field: fieldSchema,
        values: z.array(scalarSchema).min(1).max(10_000),
      }),
      z.strictObject({ op: z.enum(['prefix', 'glob']), field: fieldSchema, value: z.string().min(1).max(4096) }),
      z.strictObject({ op: z.literal('exists'), field: fieldSchema, value: z.boolean() }),
      z.strictObject({ op: z.enum(['and', 'or']), filters: z.array(filterSchema).min(1).max(100) }),
      z.strictObject({ op: z.literal('not'), filter: filterSchema }),
    ]),
  )
  .meta({ id: 'Filter' });

export const degradationSchema = z
  .strictObject({ component: z.string(), code: z.string(), detail: z.string(), effect: z.string() })
  .meta({ id: 'Degradation' });
/** A leg that could not do its part: who, a stable code, what happened, and what that means for the result. */
export type Degradation = z.infer<typeof degradationSchema>;

export const servedModelSchema = z
  .strictObject({
    /** `answer`, `judge`, `router`, `rerank`, `embed`. */
    role: z.string(),
    /** `provider:model`. */
    model: z.string(),
  })
  .meta({ id: 'ServedModel' });
/** A model that served a step of a request. */
export type ServedModel = z.infer<typeof servedModelSchema>;

/** What is known of a page that a search of the web found. */
export const foundOnWebFields = {
  /** Nobody chose it: a search of the web found it. Absent: it is of a source that somebody declared. */
  trust: z.literal('unvetted').optional(),
  /** When the page was read. */
  retrievedAt: z.string().optional(),
};

const scoresSchema = z.strictObject({
  bm25: z.number().optional(),
  vector: z.number().optional(),
  rerank: z.number().optional(),
  /** Of the best passage, which placed the hit; its measure is that of one search. */
  passage: z.number().optional(),
  fused: z.number(),
});

/** What one leg of a hybrid search said of a hit. */
const legStandingSchema = z.strictObject({
  /** Its rank if this leg were asked alone, from 1. */
  rank: z.int(),
  score: z.number(),
  /** 0..1 between the leg's floor and its best hit; for `rrf` the reciprocal rank. */
  normalised: z.number(),
  weight: z.number(),
  /** weight * normalised. */
  contribution: z.number(),
});

/** Why a hit stands where it stands. The terms' weights sum to `scores.bm25`; with those of proximity to the lexical score. */
const explanationSchema = z.strictObject({
  terms: z.array(
    z.strictObject({
      term: z.string(),
      weight: z.number(),
      /** Occurrences in the chunk, as they count: the title's twice. */
      tf: z.number(),
      /** Chunks that hold the term. */
      df: z.number(),
      idf: z.number().optional(),
      /** Occurrences by field, each once. */
      fields: z.strictObject({ title: z.int(), heading: z.int(), body: z.int() }).optional(),
    }),
  ),
  /** Words of the evidence's text that are such terms, as offsets into it. */
  matches: z.array(z.strictObject({ term: z.string(), start: z.int(), end: z.int() })).optional(),
  /** What it is worth that neighbouring terms of the query stand near each other; `adjacent`: times side by side. */
  proximity: z
    .array(z.strictObject({ terms: z.tuple([z.string(), z.string()]), weight: z.number(), adjacent: z.int() }))
    .optional(),
  /** Where two legs were joined: their contributions sum to `scores.fused`. A leg that did not find the hit is absent. */
  fusion: z
    .strictObject({
      method: z.enum(['min-max', 'rrf']),
      /** Share of the vector leg after the guard. */
      semanticWeight: z.number(),
      lexical: legStandingSchema.optional(),
      vector: legStandingSchema.optional(),
    })
    .optional(),
  /**
   * Where lists of several stores were joined by their ranks: their contributions sum to `scores.fused`, and those of `fusion` to the
   * score in the list of its store.
   */
  lists: z.array(legStandingSchema.extend({ name: z.string() })).optional(),
  /**
   * Where kinds of source were searched each by itself: the place and score in the list of its kind, and what that list counts by how much of
   * the query its best hit answers. The contribution is `scores.fused`; those of `lists` or `fusion` sum to its `score`.
   */
  kind: legStandingSchema.extend({ name: z.string() }).optional(),
  /** What else the order rests on, by name: with `scores.fused` the weights sum to `score`. */
  ranking: z.array(z.strictObject({ name: z.string(), weight: z.number() })).optional(),
  notes: z.array(z.string()),
});
export type Explanation = z.infer<typeof explanationSchema>;

export const evidenceSchema = z
  .strictObject({
    chunkId: z.string(),
    documentId: z.string(),
    title: z.string(),
    uri: z.string(),
    url: z.string(),
    lines: z.tuple([z.int(), z.int()]).optional(),
    /** In formats without pages and lines: `Sheet1!A2:D40`, `slide 3`, else the heading. */
    place: z.string().optional(),
    source: z.string(),
    sourceType: z.enum(sourceTypes),
    stores: z.array(z.string()),
    text: z.string(),
    start: z.int(),
    end: z.int(),
    page: z.int().optional(),
    headingPath: z.array(z.string()),
    headings: chunkHeadingsSchema.optional(),
    publishedAt: z.string().optional(),
    ...foundOnWebFields,
    score: z.number(),
    scores: scoresSchema,
    ranks: z.record(z.string(), z.int()),
    alsoIn: z.array(z.strictObject({ source: z.string(), documentId: z.string() })),
    related: z.array(z.string()),
    explanation: explanationSchema.optional(),
  })
  .meta({ id: 'Evidence' });
/** A retrieved chunk with its scores, ranks and every source and store that returned it. */
export type Evidence = z.infer<typeof evidenceSchema>;

const askedKindSchema = z.strictObject({
  type: z.enum(sourceTypes),
  hits: z.int(),
  /** Share of the query that its best hit answers, where that is known. */
  reach: z.number().optional(),
  latencyMs: z.number(),
  /** It was asked since the kinds asked first said too little. */
  isLater: z.literal(true).optional(),
  /** Somebody outside was asked for it, such as a search of the web. */
  isOutside: z.literal(true).optional(),
  /** The error code, where it gave no answer. */
  failed: z.string().optional(),
});

export const routingSchema = z.strictObject({
  /** What the question needs, most needed first: kinds of source, or the sources that the request named. */
  sources: z.array(z.string()),
  reason: z.string(),
  /** The kinds of source that were asked, where several were searched each by itself. */
  asked: z.array(z.enum(sourceTypes)).optional(),
  /** Where something was kept from an earlier search: how old it is at most. */
  kept: z
    .array(
      z.strictObject({
        type: z.enum(sourceTypes),
        ageSeconds: z.int(),
        /** It is older than results of its kind should be; a new one is being asked for. */
        isStale: z.literal(true).optional(),
      }),
    )
    .optional(),
  /** With `explain`: what each of them gave. */
  kinds: z.array(askedKindSchema).optional(),
});
export type Routing = z.infer<typeof routingSchema>;

/** What a request may say of its search, whether it asks for hits or for an answer. */
export const searchOptionFields = {
  mode: modeSchema.optional(),
  sources: z.array(z.string().min(1)).optional(),
  topK: z.int().min(0).max(1000).optional(),
  minScore: z.number().min(0).max(1).optional(),
  filter: filterSchema.optional(),
};
const searchOptionsSchema = z.object(searchOptionFields);
/** Handed on whole from the door to the legs (`searchOptionsOf`): nobody on the way names one that it does not read. */
export interface SearchOptions extends Readonly<z.infer<typeof searchOptionsSchema>> {}

const searchOptionNames = Object.keys(searchOptionFields) as (keyof SearchOptions)[];

/** The options of a request, without what else it says. */
export function searchOptionsOf(request: SearchOptions): SearchOptions {
  const given = searchOptionNames.filter((name) => request[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, request[name]]));
}

export const searchRequestSchema = z
  .strictObject({
    query: z.string().max(20_000).regex(/\S/u, 'must not be empty'),
    ...searchOptionFields,
    explain: z.boolean().optional(),
  })
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.infer<typeof searchRequestSchema>;

export const searchResponseSchema = z
  .strictObject({
    query: z.string(),
    mode: modeSchema,
    results: z.array(evidenceSchema),
    routing: routingSchema,
    degraded: z.array(degradationSchema),
    /** Another store served than the one that the mode names, for the reason in `degraded`; absent where none had to. */
    usedFallback: z.boolean().optional(),
    /** The models that served, by role; absent where none did. */
    models: z.array(servedModelSchema).optional(),
    /** With `explain`, where search by meaning took part: the chunks that each leg asked would have returned alone, best first. */
    legs: z
      .strictObject({
        lexical: z.array(z.string()).optional(),
        vector: z.array(z.string()).optional(),
        /** By name, where lists of several stores were joined. */
        lists: z.record(z.string(), z.array(z.string())).optional(),
      })
      .optional(),
    latencyMs: z.number(),
    traceId: z.string(),
  })
  .meta({ id: 'SearchResponse' });
export type SearchResponse = z.infer<typeof searchResponseSchema>;
