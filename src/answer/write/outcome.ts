// What becomes of a question to a model once everything that it proposed is checked: claims that hold, the passages in their place, or an abstention that
// the model is believed for. Invariant: nothing is asserted but what was released.
import type { ClaimCounts, ClaimKind } from '../../core/answer.ts';
import type { EventSink } from '../../core/events.ts';
import { namedModel } from '../../core/named-model.ts';
import type { Degradation } from '../../core/search.ts';
import type { Context, VerifiedClaim } from '../claims/draft.ts';
import type { Composition } from '../composition.ts';
import type { Hydration } from '../context/hydrate.ts';
import { type AskedModel, answerModelComponent } from './ask.ts';
import type { Releaser } from './release.ts';
import type { Relevance } from './relevance.ts';

/** What a model was shown and said, checked. */
export interface Proposed {
  readonly value: AskedModel['value'];
  readonly failure: AskedModel['failure'];
  readonly context: Context;
  readonly relevance: Relevance;
  readonly releaser: Releaser;
  /** `provider:model`. */
  readonly writer: string;
  /** It is a small one: what it wrote and does not hold says nothing of the passages. */
  readonly isSmall?: boolean;
}

export const asPassagesStand = 'Passages of the documents are shown as they stand.';

export interface OutcomePorts {
  /** What was degraded before anything was checked. */
  readonly before: readonly Degradation[];
  /** What became of judges that could not be asked. */
  readonly unjudged: () => readonly Degradation[];
  /** The passages answer as they stand. */
  readonly servePassages: (
    degraded: readonly Degradation[],
    counts?: ClaimCounts,
    reworded?: readonly VerifiedClaim[],
  ) => Promise<Composition>;
  readonly closest: () => Promise<readonly VerifiedClaim[]>;
  readonly hydration?: Hydration | undefined;
  readonly sink: EventSink;
  readonly release: (claim: VerifiedClaim) => void;
}

export async function outcomeOf(proposed: Proposed, ports: OutcomePorts): Promise<Composition> {
  const { context, releaser, value, failure, writer, isSmall = false } = proposed;
  const { before, unjudged, servePassages, closest, hydration, sink } = ports;
  const { released, reworded } = releaser;
  const dropped = releaser.dropped();
  const look = releaser.ofLook();
  if (released.length > 0) return answered(proposed, ports);
  const spoken = releaser.proposed() > 0 ? countsOf(releaser, 0) : undefined;
  if (failure) return servePassages([...before, ...releaser.degraded, { ...failure, effect: asPassagesStand }], spoken);
  const unsupported: Degradation = {
    component: answerModelComponent,
    code: 'claims-unsupported',
    detail: namedModel(
      writer,
      `The cited text carries none of the ${dropped + releaser.rewordedAlone()} claims that the model proposed.`,
    ),
    effect: 'Nothing is asserted; the closest passages are shown.',
  };
  // It found an answer, and worded it so that the check does not find it.
  if (look.reworded > 0 || (look.dropped > 0 && (isSmall ? !value?.insufficient : look.contradicted === 0)))
    return servePassages(
      [...before, ...releaser.degraded, { ...unsupported, effect: asPassagesStand }],
      spoken,
      reworded,
    );
  const empty = 'The model proposed no claim, and did not say that the passages are insufficient.';
  const nothing: Degradation = {
    component: answerModelComponent,
    code: 'model-empty',
    detail: namedModel(writer, empty),
    effect: asPassagesStand,
  };
  if (look.dropped === 0 && !value?.insufficient)
    return servePassages([...before, ...releaser.degraded, nothing], spoken);
  // A model that finds no answer, or none but what its quotes contradict, is believed: no sentence beside it answers in its place.
  const degraded = [...before, ...releaser.degraded, ...(dropped > 0 ? [unsupported] : []), ...unjudged()];
  for (const degradation of degraded) sink({ type: 'degraded', degradation });
  return {
    context,
    dropped,
    ...(spoken && { claims: spoken }),
    coverage: 0,
    confidence: 0,
    abstainReason:
      look.dropped > 0
        ? 'The passages found carry nothing that the model wrote about them.'
        : 'The passages found touch on this but, as the model read them, do not answer it.',
    closest: await closest(),
    isByModel: true,
    ...(hydration && { hydration }),
    degraded,
  };
}

/** Claims hold, or the quotes that a model gave stand in the place of all of them. */
function answered(
  { context, relevance, releaser, failure, writer }: Proposed,
  { before, unjudged, hydration, sink, release }: OutcomePorts,
): Composition {
  const { released, reworded } = releaser;
  const dropped = releaser.dropped();
  // Nothing holds as the model wrote it: the quotes that it gave stand in the place of its claims.
  const { waiting } = releaser;
  const isDoubtful = waiting.length > 0 && dropped > 0;
  for (const claim of waiting) release(claim);
  const counts = countsOf(releaser, released.length - releaser.asWritten.length);
  const doubt: Degradation = {
    component: answerModelComponent,
    code: 'claims-unsupported',
    detail: namedModel(
      writer,
      `The cited text carries none of the claims as the model wrote them: ${waiting.length} gave way to their quotes, ${dropped} were left out.`,
    ),
    effect: 'The cited sentences are shown in their place.',
  };
  const cut = failure && { ...failure, effect: 'What the model had still to say is missing from the answer.' };
  const degraded = [
    ...before,
    ...releaser.degraded,
    ...(isDoubtful ? [doubt] : counts.replaced > 0 ? [replacedBy(counts.replaced, writer)] : []),
    ...(cut ? [cut] : []),
    ...unjudged(),
  ];
  for (const degradation of degraded) sink({ type: 'degraded', degradation });
  const known = new Set(context.blocks.map(({ evidence }) => evidence.chunkId));
  const more = releaser.blocks.filter(({ evidence }) => !known.has(evidence.chunkId));
  const titled = released.map(({ text, spans }) => ({
    text,
    title: spans[0]?.title ?? '',
  }));
  return {
    context: {
      ...context,
      blocks: [...context.blocks, ...more],
      tokens: more.reduce((total, { tokens }) => total + tokens, context.tokens),
    },
    dropped,
    claims: counts,
    ...(reworded.length > 0 && { reworded }),
    coverage: relevance.together(titled),
    confidence: confidenceOfClaim(released[0] as VerifiedClaim, releaser.asWritten),
    isByModel: true,
    ...(hydration && { hydration }),
    degraded,
  };
}

/**
 * How sure the first claim of a model is to answer, by itself: its support, and how much of the question stands in it (.56 at the median of right
 * claims of a script that quotes well, .28 of one that wanders). What the model wrote in other words than its quotes counts less.
 */
function confidenceOfClaim(claim: VerifiedClaim, asWritten: readonly VerifiedClaim[]): number {
  const share = claim.support * Math.min(0.95, 0.3 + 0.8 * claim.relevance);
  return Math.round(1000 * share * (asWritten.includes(claim) ? 1 : 0.7)) / 1000;
}

/** A claim that was said twice counts as dropped: the reader does not see it again. */
function countsOf({ asWritten, proposed, reworded, rewordedAlone }: Releaser, replaced: number): ClaimCounts {
  const of = (kind: ClaimKind): number => asWritten.filter((claim) => (claim.kind ?? 'quoted') === kind).length;
  const shown = asWritten.length;
  const kinds = { quoted: of('quoted'), derived: of('derived'), judged: of('judged') };
  const dropped = proposed() - shown - replaced - rewordedAlone();
  const left = reworded.length > 0 && { reworded: reworded.length };
  return { proposed: proposed(), shown, ...kinds, ...left, replaced, dropped };
}

const replacedBy = (count: number, writer: string): Degradation => ({
  component: answerModelComponent,
  code: 'claims-replaced',
  detail: namedModel(
    writer,
    `${count === 1 ? 'One claim was' : `${count} claims were`} worded so that the check did not find ${count === 1 ? 'it' : 'them'} in the cited text.`,
  ),
  effect: 'The cited sentences are shown in their place.',
});
