// The product: an answer whose every claim cites spans that were checked against the record before it left.
// `answerSchema` is the one schema that every Answer is validated against at every door.
import { z } from 'zod';
import { markSchema } from './marked-text.ts';
import {
  degradationSchema,
  foundOnWebFields,
  modeSchema,
  routingSchema,
  searchOptionFields,
  servedModelSchema,
} from './search.ts';

export const intents = ['faq', 'research', 'factual_lookup', 'conversational'] as const;
export type Intent = (typeof intents)[number];

export const citationSchema = z
  .strictObject({
    index: z.int().min(1),
    documentId: z.string(),
    chunkId: z.string(),
    title: z.string(),
    uri: z.string(),
    url: z.string(),
    source: z.string(),
    page: z.int().optional(),
    lines: z.tuple([z.int(), z.int()]).optional(),
    /** Where the quote stands in formats without pages and lines: `Sheet1!A2:D2`, `slide 3`, `cell 5`, else under which heading. */
    place: z.string().optional(),
    /** Exactly the document's text at `start..end`. */
    quote: z.string().min(1),
    start: z.int().min(0),
    end: z.int().min(0),
    score: z.number(),
    alsoIn: z.array(z.strictObject({ source: z.string(), documentId: z.string() })),
    turnId: z.string().optional(),
    timestamp: z.string().optional(),
    /** Present: what is cited is no document but what the user said, kept as this memory. */
    memoryId: z.string().optional(),
    /** Present: what is cited is no document but what was said in `turnId` of this conversation of the archive. */
    conversationId: z.string().optional(),
    ...foundOnWebFields,
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof citationSchema>;

export const claimKinds = ['quoted', 'derived', 'judged', 'reworded'] as const;
export type ClaimKind = (typeof claimKinds)[number];

export const claimForms = ['paragraph', 'list', 'row', 'entry', 'code', 'turn', 'sentence'] as const;
export type ClaimForm = (typeof claimForms)[number];

export const claimSchema = z
  .strictObject({
    text: z.string().min(1),
    /** 1-based indexes into the answer's citations; they stand as `[n]` in `answer`. */
    citations: z.array(z.int().min(1)).min(1),
    /** How far the quotes support the claim, 0..1, as the verifier measured it. */
    support: z.number().min(0).max(1),
    /**
     * `quoted`: the quotes say it. `derived`: it was computed from them. `judged`: a judge that saw only the claim and its quotes, or the fitted
     * support, says that they carry it, and nothing forbids it. `reworded`: nothing forbids it and nothing confirms it, so it stands in no text.
     * Absent: an answer from before there were kinds.
     */
    kind: z.enum(claimKinds).optional(),
    /** The computation that a derived claim rests on. */
    derivation: z.string().min(1).optional(),
    /** Of a judged claim, `provider:model` that judged it, or `footnote:support`. */
    judgedBy: z.string().min(1).optional(),
    /** Names and figures that a judged or reworded claim takes from the question alone. */
    fromQuestion: z.array(z.string().min(1)).min(1).optional(),
    /** The title and the headings over a passage, outermost first. */
    headingPath: z.array(z.string()).optional(),
    /** A passage has the form that its author gave it; the sentence or row that an older answer leads with is one of its parts. Absent: a model wrote the claim. */
    form: z.enum(claimForms).optional(),
    /** The part of a passage that answers: UTF-16 offsets into `text`. */
    pinpoint: z.strictObject({ start: z.int().min(0), end: z.int().min(1) }).optional(),
    /** False: nothing contradicts the claim and nothing confirms it; it stands behind the others and in no text. */
    confirmed: z.boolean().optional(),
  })
  .meta({ id: 'Claim' });
export type Claim = z.infer<typeof claimSchema>;

/** The claims that an answer asserts. */
export const assertedOf = <Stated extends Pick<Claim, 'confirmed'>>(claims: readonly Stated[]): readonly Stated[] =>
  claims.filter(({ confirmed }) => confirmed !== false);

/** The answer without what nothing confirms, which stands behind the other claims. */
export const asserting = (answer: Answer): Answer => ({ ...answer, claims: [...assertedOf(answer.claims)] });

/** By which rule sources contradict each other; `judged`: no rule decides, and a model says that they do. */
export const conflictKinds = ['number', 'date', 'version', 'negation', 'opposite', 'name', 'judged'] as const;
export type ConflictKind = (typeof conflictKinds)[number];

const conflictSchema = z
  .strictObject({
    about: z.string(),
    /** Absent: an answer from before there were kinds. */
    kind: z.enum(conflictKinds).optional(),
    /** Of a judged conflict, `provider:model` that judged it. */
    judgedBy: z.string().min(1).optional(),
    /** What the answer says first. */
    positions: z.array(z.strictObject({ statement: z.string(), citations: z.array(z.int().min(1)) })),
    /** The position that is followed, from 1, and why; absent where the sources do not tell. */
    follows: z
      .strictObject({ position: z.int().min(1), because: z.enum(['authority', 'freshness', 'agreement']) })
      .optional(),
  })
  .meta({ id: 'Conflict' });
export type Conflict = z.infer<typeof conflictSchema>;

const agreementSchema = z
  .strictObject({
    /** The place of the claim, from 1. */
    claim: z.int().min(1),
    /** What says the same in other sources than those that the claim cites. */
    citations: z.array(z.int().min(1)).min(1),
  })
  .meta({ id: 'Agreement' });
export type Agreement = z.infer<typeof agreementSchema>;

const answerPartSchema = z
  .strictObject({
    /** In the words of the question. */
    question: z.string().min(1),
    /** 1-based places of the claims that answer it; empty: nothing does. */
    claims: z.array(z.int().min(1)),
    /** Why nothing answers it; beside claims: why they only come closest. */
    missing: z.string().optional(),
  })
  .meta({ id: 'AnswerPart' });
/** One part of a question that was taken apart, and what answers it. */
export type AnswerPart = z.infer<typeof answerPartSchema>;

const critiqueSchema = z
  .strictObject({
    /** What was said last: the answer stands, or the critic would have wanted more. */
    verdict: z.enum(['release', 'revise']),
    /** Share of what is asked that the answer says, 0..1. */
    coverage: z.number().min(0).max(1),
    /** How far the quotes carry what the answer says, 0..1. */
    groundedness: z.number().min(0).max(1),
    rounds: z.int().min(1),
    /** `provider:model` that said so; absent: rules did. */
    model: z.string().optional(),
    /** Claims that were taken away, and worded anew. */
    removed: z.int().min(0),
    revised: z.int().min(0),
    /** Further searches for it. */
    searches: z.int().min(0),
  })
  .meta({ id: 'Critique' });
/** What the critic came to before the answer was released. */
export type AnswerCritique = z.infer<typeof critiqueSchema>;

const answerSectionSchema = z
  .strictObject({
    /** What kind of section: `strengths`, `competition`, `profile`. */
    name: z.string().min(1),
    /** The heading over it. */
    title: z.string().min(1),
    /** 1-based places of its claims, in a row; empty: nothing was found for it. */
    claims: z.array(z.int().min(1)),
    /** Why it has no claim. */
    missing: z.string().optional(),
    /** Focus areas that none of its claims speaks of, where it has claims. */
    gaps: z.array(z.string().min(1)).optional(),
  })
  .meta({ id: 'AnswerSection' });
/** One section of an analysis, and the claims that it is made of. */
export type AnswerSection = z.infer<typeof answerSectionSchema>;

const answerSourceSchema = z.strictObject({
  documentId: z.string(),
  chunkId: z.string(),
  title: z.string(),
  uri: z.string(),
  score: z.number(),
  contextTokens: z.int(),
  cited: z.boolean(),
});

const claimCountsSchema = z
  .strictObject({
    /** By the model, each sentence for itself. */
    proposed: z.int().min(0),
    /** Of those, as the model wrote them or after a repair: the sum of the three kinds. */
    shown: z.int().min(0),
    quoted: z.int().min(0),
    derived: z.int().min(0),
    judged: z.int().min(0),
    /** Neither forbidden nor confirmed: not among those shown in the text. */
    reworded: z.int().min(0).optional(),
    /** Gave way to the sentence that it cites. */
    replaced: z.int().min(0),
    dropped: z.int().min(0),
  })
  .meta({ id: 'ClaimCounts' });
export type ClaimCounts = z.infer<typeof claimCountsSchema>;

const usageSchema = z.strictObject({
  inputTokens: z.int(),
  outputTokens: z.int(),
  embeddingTokens: z.int(),
  toolCalls: z.int(),
  costUsd: z.number(),
  /** Calls of models without a price: their cost is in no sum. Absent: none. */
  unpricedCalls: z.int().optional(),
  /** What became of the claims that a model proposed. Absent: it proposed none. */
  claims: claimCountsSchema.optional(),
  /** What a model read that was shown a sentence of each passage first. Absent: it was shown passages at once. */
  hydration: z
    .strictObject({
      /** Passages of which a sentence was shown, and those that were then shown as they stand. */
      summaries: z.int().min(0),
      hydrated: z.int().min(0),
      tokensRead: z.int().min(0),
      /** Of what showing all at once takes; below zero where that is less. */
      tokensSaved: z.int(),
    })
    .optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** What was taken out of a saved answer because the documents that it rested on were deleted. */
const erasedSchema = z
  .strictObject({
    at: z.string(),
    /** Ids of deleted documents that the answer cited or was composed from. */
    documents: z.array(z.string()),
    /** How many of each are gone. */
    claims: z.int().min(0),
    citations: z.int().min(0),
  })
  .meta({ id: 'Erased' });

const reusedSchema = z
  .strictObject({
    answerId: z.string(),
    /** As it was asked then. */
    question: z.string(),
    at: z.string(),
  })
  .meta({ id: 'Reused' });
/** The answer to a question that says the same, which was given again. */
export type Reused = z.infer<typeof reusedSchema>;

/** Of the shape of an answer. Fields are only ever added, optional, each with the next version; an answer without one is from before there were any. */
export const answerVersion = 6;

export const answerSchema = z
  .strictObject({
    id: z.string(),
    /** `answerVersion` when it was made. */
    version: z.int().optional(),
    sessionId: z.string().optional(),
    turnId: z.string().optional(),
    traceId: z.string(),
    mode: modeSchema,
    intent: z.enum(intents),
    answer: z.string(),
    /** Every `[n]` of the text that is a mark, in its order: words of documents hold others, which are none. Absent: an answer from before there were any. */
    marks: z.array(markSchema).optional(),
    claims: z.array(claimSchema),
    /** The passages that were chosen for the question, best first: without a model the claims themselves, or those that the first claim leads to; of an abstention those that come closest. */
    passages: z.array(claimSchema).min(1).optional(),
    citations: z.array(citationSchema),
    conflicts: z.array(conflictSchema),
    /** Which claims other sources say too; absent where none was found to. */
    agreements: z.array(agreementSchema).min(1).optional(),
    /** The parts of a question that asks several things, in its order; absent where it asks one. */
    parts: z.array(answerPartSchema).optional(),
    /** Of an analysis: its sections in their order, which are the whole of its text; absent in answers to questions. */
    sections: z.array(answerSectionSchema).optional(),
    sources: z.array(answerSourceSchema),
    abstained: z.boolean(),
    abstainReason: z.string().optional(),
    ragEnabled: z.boolean(),
    confidence: z.number().min(0).max(1),
    /** The claims are what comes closest, and are not asserted to answer the question: the text opens with a sentence that says so. */
    closestPassages: z.boolean().optional(),
    coverage: z.number().min(0).max(1),
    disclaimer: z.string().optional(),
    routing: routingSchema,
    degraded: z.array(degradationSchema),
    /** Another store was searched than the one that the mode names, for the reason in `degraded`; absent where none had to be. */
    usedFallback: z.boolean().optional(),
    /** The models that served, by role, in the order in which they did; absent where none did. */
    models: z.array(servedModelSchema).optional(),
    usage: usageSchema,
    timings: z.object({ totalMs: z.number() }).catchall(z.number()),
    /** Present: nothing was searched; it was given before, and nothing that it rests on has changed since. */
    reused: reusedSchema.optional(),
    /** Absent: nothing of the answer was erased. */
    erased: erasedSchema.optional(),
    /** Absent: nobody looked at the draft once more. */
    critique: critiqueSchema.optional(),
  })
  .meta({ id: 'Answer' });
export type Answer = z.infer<typeof answerSchema>;

/**
 * Reads an answer that was saved, by this version or another one. What a newer version added is left out; of an answer of this version or an
 * older one nothing is: a field that it cannot have is damage.
 */
export function readSavedAnswer(saved: unknown): z.ZodSafeParseResult<Answer> {
  const parsed = answerSchema.safeParse(saved);
  const { version } = savedVersionSchema.safeParse(saved).data ?? {};
  if (parsed.success || version === undefined || version <= answerVersion) return parsed;
  const known = structuredClone(saved);
  for (const issue of parsed.error.issues)
    if (issue.code === 'unrecognized_keys') {
      const place = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], known);
      for (const key of issue.keys) delete (place as Record<string, unknown>)[key];
    }
  return answerSchema.safeParse(known);
}

const savedVersionSchema = z.object({ version: z.int() });

/** A file or state that the user has open: searched and cited for this request only, never stored. */
const workspaceFileSchema = z.strictObject({
  path: z.string().min(1).max(1024),
  text: z.string().max(1_000_000),
});
export type WorkspaceFile = z.infer<typeof workspaceFileSchema>;

/** What a person says: not empty, and not white space alone. */
const saidSchema = z.string().max(20_000).regex(/\S/u, 'must not be empty');

const askFields = {
  ...searchOptionFields,
  workspace: z.array(workspaceFileSchema).max(100).optional(),
  stream: z.boolean().optional(),
  /** Of what a model writes, only what rules find in its quotes; as CLAIM_POLICY=strict, for this request. */
  strict: z.boolean().optional(),
  /** How whoever asks wants answers to sound: for a model that writes, beneath its rules. It is no evidence and loosens no check. */
  wishes: z.string().max(8_000).optional(),
  /** Whose long-term memory is recalled and written, where one caller serves several people. Absent: the caller's own. */
  user: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[^\p{Cc}]+$/u, 'must not hold control characters')
    .optional(),
};

/** What was said before, where whoever asks keeps the conversation: data that tells what the question refers to. Nothing of it is stored but in the trace. */
const historySchema = z
  .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().max(20_000) }))
  .max(50);
export type History = z.infer<typeof historySchema>;

export const askRequestSchema = z
  .strictObject({
    question: saidSchema,
    /** Oldest first; follow-ups are resolved against it as against the turns of a session. */
    history: historySchema.optional(),
    ...askFields,
  })
  .meta({ id: 'AskRequest' });
export type AskRequest = z.infer<typeof askRequestSchema>;

export const messageRequestSchema = z
  .strictObject({ content: saidSchema, ...askFields })
  .meta({ id: 'MessageRequest' });
export type MessageRequest = z.infer<typeof messageRequestSchema>;
