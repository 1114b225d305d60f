// One section of an analysis: searched by its sub-questions, read for its thing, and written by a model where there is one, else in the documents'
// own sentences. Invariant: it ends with verified claims, each about its thing, or with the reason why it has none.

import type { Context, SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composer } from '../../answer/composer.ts';
import type { Composition } from '../../answer/composition.ts';
import { assembleContext } from '../../answer/context/context.ts';
import { verifyDraft } from '../../answer/verify.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { EventSink } from '../../core/events.ts';
import type { Evidence } from '../../core/search.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { createFindings } from '../steps/gather.ts';
import { searchRefusal } from '../turn/budgeted-search.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Findings, TurnContext, Understood } from '../turn/turn-state.ts';
import { createReadAbout } from './about.ts';
import { speaksOfArea } from './areas.ts';
import { digest } from './digest.ts';
import type { SectionPlan } from './sections.ts';

export interface AskedSection {
  readonly plan: SectionPlan;
  /** Best first; more than a section shows. */
  readonly claims: readonly VerifiedClaim[];
  readonly findings: Findings;
  /** Of what was found, what says anything of the thing. */
  readonly about: readonly Evidence[];
  readonly composition: Composition;
  /** Focus areas that nothing found speaks of. */
  readonly gaps: readonly string[];
}

export interface AskSectionPorts {
  readonly gatherer: Gatherer;
  readonly readSpan: SpanReader;
  readonly passageScorer?: PassageScorer | undefined;
  /** A model that writes; absent: the documents' own sentences. */
  readonly composer?: Composer | undefined;
  readonly contextTokens: number;
}

/** Chunks that each sub-question reads. */
const readingDepth = 20;

/** Throws like a gatherer. */
export async function askSection(
  plan: SectionPlan,
  { state, deadline }: { readonly state: Understood; readonly deadline: Deadline },
  { ports, context }: { readonly ports: AskSectionPorts; readonly context: TurnContext },
): Promise<AskedSection> {
  const own = { ...context, deadline };
  const findings = await gatherAll(plan, { state, ports, context: own });
  const { candidates, about } = digest(plan, findings.evidence());
  const read = assembleContext(about, { budgetTokens: ports.contextTokens, countTokens });
  const written =
    ports.composer?.isByModel && about.length > 0
      ? await write(plan, { about, state, ports, context: own, findings })
      : undefined;
  const { sink } = context;
  let claims = written?.claims ?? [];
  let composition = written?.composition ?? emptyComposition(read);
  if (claims.length === 0) {
    const verified = await verifyDraft({ claims: candidates, coverage: 0, confidence: 0 }, ports.readSpan, {
      signal: deadline.signal,
    });
    for (const { text, support, reasons } of verified.dropped)
      sink({ type: 'verdict', claim: text, support, kept: false, reasons });
    for (const { text, support, notes = [] } of verified.claims)
      sink({ type: 'verdict', claim: text, support, kept: true, reasons: notes });
    claims = verified.claims;
    composition = { ...composition, dropped: composition.dropped + verified.dropped.length };
  }
  const said = claims.map(({ text, spans }) =>
    [
      text,
      ...about.flatMap((one) => (spans.some(({ chunkId }) => chunkId === one.chunkId) ? one.headingPath : [])),
    ].join('\n'),
  );
  const gaps = plan.areas.filter((area) => !said.some((text) => speaksOfArea(area, text)));
  const part = plan.id;
  if (claims.length > 0)
    sink({
      type: 'assessment',
      round: 1,
      part,
      verdict: 'answer',
      reason: claims.length === 1 ? 'One claim holds for it.' : `${claims.length} claims hold for it.`,
    });
  else
    sink({
      type: 'assessment',
      round: 1,
      part,
      verdict: 'unanswerable',
      reason: whyEmpty({ plan, findings, about }),
    });
  return { plan, claims, findings, about, composition, gaps };
}

/** Why a section has no claim. */
export function whyEmpty({ plan, findings, about }: Pick<AskedSection, 'plan' | 'findings' | 'about'>): string {
  const name = `"${plan.thing.name}"`;
  return (
    searchRefusal(findings.degraded()) ??
    (findings.evidence().length === 0
      ? 'Nothing in the searched documents matches it.'
      : about.length === 0
        ? `The passages found do not speak of ${name}.`
        : `No passage about ${name} says anything of it.`)
  );
}

interface Asking {
  readonly state: Understood;
  readonly ports: AskSectionPorts;
  readonly context: TurnContext;
}

/** All sub-questions of the section, in turn. */
async function gatherAll({ questions }: SectionPlan, { state, ports, context }: Asking): Promise<Findings> {
  const sink: EventSink = (event) => {
    if (event.type !== 'status') context.sink(event);
  };
  let findings: Findings | undefined;
  for (const question of questions) {
    context.deadline.check();
    const request = { ...state.request, question, topK: state.request.topK ?? readingDepth };
    const gathering = await ports.gatherer.gather({ ...state, request }, { ...context, sink });
    if (findings) findings.add(gathering);
    else findings = createFindings(gathering);
    if (searchRefusal(gathering.degraded) !== undefined) break;
  }
  return findings as Findings;
}

/** A model writes from what is about the thing; what it says of others is left out. */
async function write(
  plan: SectionPlan,
  {
    about,
    state,
    ports,
    context,
    findings,
  }: Asking & { readonly about: readonly Evidence[]; readonly findings: Findings },
): Promise<{ readonly claims: readonly VerifiedClaim[]; readonly composition: Composition }> {
  const { gatherer, composer, readSpan, passageScorer, contextTokens } = ports;
  const asked = { ...state, request: { ...state.request, question: plan.asks } };
  const readAbout = createReadAbout(plan.thing, findings.evidence());
  const proposed: VerifiedClaim[] = [];
  const { sink, deadline, clock } = context;
  const composition = await (composer as Composer).compose(
    { question: plan.asks, evidence: about, contextTokens },
    {
      readSpan,
      passageScorer,
      statistics: () => gatherer.statistics(asked, context),
      search: async (query) => {
        const more = await gatherer.gatherMore(query, asked, context);
        findings.add(more);
        return more.evidence;
      },
      release: (claim) => proposed.push(claim),
      timed: async (_, work) => work(),
      sink: (event) => {
        if (event.type !== 'status') sink(event);
      },
      deadline,
      clock,
    },
  );
  if (!composition.isByModel) return { claims: [], composition };
  const claims = proposed.filter(({ spans }) =>
    spans.every(({ documentId, start, end }) =>
      findings
        .evidence()
        .some(
          (item) =>
            item.documentId === documentId &&
            readAbout(item).some(
              (one) =>
                (one.standing !== 'beside' || plan.takesBeside) &&
                item.start + one.start < end &&
                start < item.start + one.end,
            ),
        ),
    ),
  );
  const dropped = proposed.length - claims.length;
  return { claims, composition: { ...composition, dropped: composition.dropped + dropped } };
}

const emptyComposition = (context: Context): Composition => ({
  context,
  dropped: 0,
  coverage: 0,
  confidence: 0,
  degraded: [],
});
