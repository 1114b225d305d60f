// Composes an answer without a model that writes: at most three passages of the documents as their authors wrote them (five for lists and research), best
// first, each with the part that likely answers marked in it. Invariant: a claim is an exact piece of the span that it cites; the chance that the first
// one answers decides whether it is asserted.
import type { Degradation, Evidence } from '../../core/search.ts';
import { scorePassages } from '../../models/encoder/passage-scorer.ts';
import { choosePassages, mostCompared, rivalOf } from '../../passages/choose.ts';
import { type Frame, holds, mostClaimsFor, readFrame } from '../../passages/frame.ts';
import { holdsFigure, markedFrom, pinpointOf } from '../../passages/pinpoint.ts';
import { type RankedPassage, rankByMeaning } from '../../passages/rank.ts';
import { abstainBelow, closestBelow, surenessOf } from '../../passages/sureness.ts';
import { aroundPassage, lackedCode } from '../../text/codes.ts';
import { termSet } from '../../text/terms.ts';
import type { Context, DraftClaim, VerifiedClaim } from '../claims/draft.ts';
import { statementOf } from '../claims/statement.ts';
import type { ComposePorts, ComposeRequest, Composer } from '../composer.ts';
import type { Composition } from '../composition.ts';
import { followedFirst } from '../conflicts/find-conflicts.ts';
import { verifyDraft } from '../verify.ts';
import { onOnePage } from './one-page.ts';
import { coded, type Read, readPassages, toEvidence, withinBudget } from './read-context.ts';

/** Answers in the documents' own passages: no model writes, and the answer is the same each time. */
export const passageComposer: Composer = { compose: composePassages };

export async function composePassages(request: ComposeRequest, ports: ComposePorts): Promise<Composition> {
  const { timed, sink, deadline } = ports;
  const { frame, read, degraded } = await readRequest(request, ports);
  const { ranked: order, context } = read;
  if (order.length === 0) return abstained(context, 'Nothing in the searched documents matches the question.');
  if (frame.terms.length === 0) return abstained(context, 'The question holds no word that could be looked up.');
  for (const degradation of degraded) sink({ type: 'degraded', degradation });
  const most = Math.max(1, request.maxClaims ?? mostClaimsFor(frame));
  const { candidates, chosen } = await timed('composeMs', async () => {
    const best = choosePassages(order, Math.max(mostCompared, most));
    const shown = best.slice(0, Math.max(2, most)).map((one) => onOnePage(one, frame, ports));
    return { candidates: best, chosen: await Promise.all(shown) };
  });
  const [first] = chosen;
  if (!first) return abstained(context, 'The passages found hold nothing that could be cited.');
  const sureness = toldSureness(frame, surenessOf({ first, next: rivalOf(first, candidates.slice(1), frame) }), first);
  sink({ type: 'status', stage: 'verifying' });
  const claims = chosen.slice(0, most).map((one) => toClaim(one, frame));
  const { claims: verified, dropped } = await timed('verifyMs', () =>
    verifyDraft({ claims }, ports.readSpan, {
      signal: deadline.signal,
    }),
  );
  const passages = followedInFront(verified, request.evidence);
  for (const { text, support, reasons } of dropped)
    sink({ type: 'verdict', claim: text, support, kept: false, reasons });
  const composition = {
    context,
    dropped: dropped.length,
    coverage: Math.min(1, first.features.all),
    confidence: sureness,
    degraded,
  };
  if (sureness < abstainBelow)
    return { ...composition, closest: passages, abstainReason: missingOf(frame, first.features.all) };
  sink({ type: 'status', stage: 'answering' });
  const isUnsure = sureness < closestBelow && passages.length > 0;
  if (isUnsure) ports.onUnsure?.();
  for (const claim of passages) {
    sink({ type: 'verdict', claim: claim.text, support: claim.support, kept: true, reasons: [] });
    ports.release(claim);
  }
  return { ...composition, ...(isUnsure && { isUnsure: true as const }) };
}

const mostClosest = 3;

/** The checked passages that come closest, best first, for an answer that asserts none of them. Throws what the reader throws. */
export const closestPassages = async (
  request: ComposeRequest,
  ports: ComposePorts,
): Promise<readonly VerifiedClaim[]> => (await bestPassages(request, ports, mostClosest)).map(({ claim }) => claim);

/** The checked passages that answer best, each as evidence of its own for whoever writes. Throws what the reader throws. */
export async function bestPassages(
  request: ComposeRequest,
  ports: ComposePorts,
  most: number,
): Promise<readonly { readonly evidence: Evidence; readonly claim: VerifiedClaim }[]> {
  const { frame, read } = await readRequest(request, ports);
  const chosen = choosePassages(read.ranked, most);
  const draft = { claims: chosen.map((one) => toClaim(one, frame)) };
  const { claims } = await verifyDraft(draft, ports.readSpan, { signal: ports.deadline.signal });
  return chosen.flatMap((one) => {
    const claim = claims.find((checked) => isOf(checked, one));
    return claim ? [{ evidence: toEvidence(one), claim }] : [];
  });
}

type ReadRequest = Pick<ComposeRequest, 'question' | 'evidence' | 'contextTokens'>;
type ReadPorts = Pick<ComposePorts, 'timed' | 'statistics' | 'passageScorer' | 'deadline'>;

/** The chance that the best passage of what was found answers, 0..1; 0 where nothing was found. Throws what the ports throw. */
export async function answerChance(request: ReadRequest, ports: ReadPorts): Promise<number> {
  const { frame, read } = await readRequest(request, ports);
  const [first, ...others] = choosePassages(read.ranked, mostCompared);
  return first ? surenessOf({ first, next: rivalOf(first, others, frame) }) : 0;
}

async function readRequest(
  { question, evidence, contextTokens }: ReadRequest,
  { timed, statistics, passageScorer, deadline: { signal } }: ReadPorts,
): Promise<{ readonly frame: Frame; readonly read: Read; readonly degraded: readonly Degradation[] }> {
  const known = evidence.length > 0 ? await timed('statisticsMs', statistics) : undefined;
  const frame = readFrame(question, known);
  const byWords = await timed('composeMs', () => readPassages(frame, evidence));
  const { ranked, said } =
    byWords.length === 0 || frame.terms.length === 0
      ? { ranked: byWords }
      : await timed('encodeMs', () =>
          rankByMeaning(question, byWords, (asked) => scorePassages(passageScorer, asked, signal)),
        );
  const read = await timed('composeMs', () => withinBudget(ranked, contextTokens));
  return { frame, read, degraded: said?.degraded ? [said.degraded] : [] };
}

/** Where a code or a name that is asked for stands nowhere around the passage, or a figure is asked for and none is in it, nothing is asserted. */
function toldSureness(frame: Frame, sureness: number, { chunk, passage }: RankedPassage<Evidence>): number {
  const around = aroundPassage({ ...chunk, text: passage.text });
  const lacks =
    lackedCode(coded(frame), around) !== undefined || lacksName(frame.terms, [...around, chunk.text].join('\n'));
  const lacksValue = frame.kinds.has('figure') && !holdsFigure(passage.text);
  return lacks || lacksValue ? Math.min(sureness, unasserted) : sureness;
}

const unasserted = closestBelow - 0.01;

function lacksName(terms: Frame['terms'], around: string): boolean {
  const names = terms.filter(({ isName }) => isName);
  const said = termSet(around);
  return names.length > 0 && names.every((name) => holds(name, said) === 0);
}

function toClaim({ chunk, passage, features, partCosines }: Read['ranked'][number], frame: Frame): DraftClaim {
  const pinpoint = pinpointOf(frame, passage, partCosines);
  return {
    text: passage.text,
    spans: [
      {
        documentId: chunk.documentId,
        chunkId: chunk.chunkId,
        start: chunk.start + passage.start,
        end: chunk.start + passage.end,
      },
    ],
    relevance: Math.min(1, features.all),
    form: passage.form,
    headingPath: passage.headingPath,
    ...(pinpoint && passage.parts.length > 1 && pinpoint.chance >= markedFrom && { pinpoint: pinpoint.span }),
  };
}

/** Where the marked parts of two passages contradict each other, the one that the answer follows stands first. */
function followedInFront(verified: readonly VerifiedClaim[], evidence: readonly Evidence[]): readonly VerifiedClaim[] {
  const statements = verified.map(statementOf);
  return followedFirst(statements, evidence).flatMap((statement) => verified[statements.indexOf(statement)] ?? []);
}

const isOf = (claim: VerifiedClaim | undefined, { chunk, passage }: Read['ranked'][number]): boolean =>
  claim?.spans.some(({ chunkId, start }) => chunkId === chunk.chunkId && start === chunk.start + passage.start) ===
  true;

function abstained(context: Context, abstainReason: string): Composition {
  return { context, dropped: 0, coverage: 0, confidence: 0, abstainReason, degraded: [] };
}

function missingOf({ terms }: Frame, cover: number): string {
  return terms.length > 0 && cover < 0.5
    ? 'No passage found speaks of most of what is asked.'
    : 'No passage found seems to answer it.';
}
