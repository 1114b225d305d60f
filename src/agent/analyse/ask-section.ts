// One section of an analysis: searched by its sub-questions, and written by a model where there is one, else shown in the passages that search
// finds for it. Invariant: it ends with verified claims, each about its thing, or with the reason why it has none.

import type { SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composer } from '../../answer/composer.ts';
import type { Composition } from '../../answer/composition.ts';
import { assembleContext } from '../../answer/context/context.ts';
import { verifyDraft } from '../../answer/verify.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { Evidence } from '../../core/search.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { withoutStages } from '../parts/joined.ts';
import { createFindings } from '../steps/gather.ts';
import { searchRefusal } from '../turn/budgeted-search.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Findings, TurnContext, Understood } from '../turn/turn-state.ts';
import { choosePassages, speaksOfArea } from './choose-passages.ts';
import type { SectionPlan } from './sections.ts';
import { createReadAbout, type Saying } from './subject.ts';

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
  /** A model that writes; absent: the documents' own passages. */
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
  const asking: Asking = { state, ports, context: withoutStages({ ...context, deadline }) };
  const { sink } = context;
  const findings = await gatherAll(plan, asking);
  const readAbout = createReadAbout(plan.thing, findings.evidence());
  const isTaken = ({ standing }: Saying): boolean => standing === 'own' || plan.takesBeside;
  const about = findings.evidence().filter((one) => readAbout(one).some(isTaken));
  const written = about.length > 0 ? await write(plan, { ...asking, about, findings }) : undefined;
  let claims = (written?.claims ?? []).filter(({ spans }) =>
    spans.every(({ documentId, start, end }) =>
      about.some(
        (item) =>
          item.documentId === documentId &&
          readAbout(item).some((one) => isTaken(one) && item.start + one.start < end && start < item.start + one.end),
      ),
    ),
  );
  let dropped = (written?.claims.length ?? 0) - claims.length;
  if (claims.length === 0) {
    const passages = choosePassages(
      plan,
      about.map((item) => ({ item, sayings: readAbout(item).filter(isTaken) })),
    );
    const verified = await verifyDraft({ claims: passages, coverage: 0, confidence: 0 }, ports.readSpan, {
      signal: deadline.signal,
    });
    for (const { text, support, reasons } of verified.dropped)
      sink({ type: 'verdict', claim: text, support, kept: false, reasons });
    for (const { text, support, notes = [] } of verified.claims)
      sink({ type: 'verdict', claim: text, support, kept: true, reasons: notes });
    claims = [...verified.claims];
    dropped += verified.dropped.length;
  }
  const read =
    written?.composition.context ?? assembleContext(about, { budgetTokens: ports.contextTokens, countTokens });
  const composition = { ...(written?.composition ?? emptyComposition), context: read };
  const verdict =
    claims.length > 0
      ? {
          verdict: 'answer' as const,
          reason: `${claims.length === 1 ? 'One claim holds' : `${claims.length} claims hold`} for it.`,
        }
      : { verdict: 'unanswerable' as const, reason: whyEmpty({ plan, findings, about }) };
  sink({ type: 'assessment', round: 1, part: plan.id, ...verdict });
  return {
    plan,
    claims,
    findings,
    about,
    composition: { ...composition, dropped: composition.dropped + dropped },
    gaps: gapsOf(plan, claims, about),
  };
}

/** Focus areas of which no claim speaks, nor a heading over one. */
const gapsOf = (
  { areas }: SectionPlan,
  claims: readonly VerifiedClaim[],
  about: readonly Evidence[],
): readonly string[] => {
  const said = claims.map(({ text, spans }) =>
    [
      text,
      ...about.flatMap((one) => (spans.some(({ chunkId }) => chunkId === one.chunkId) ? one.headingPath : [])),
    ].join('\n'),
  );
  return areas.filter((area) => !said.some((text) => speaksOfArea(area, text)));
};

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
  let findings: Findings | undefined;
  for (const question of questions) {
    context.deadline.check();
    const request = { ...state.request, question, topK: state.request.topK ?? readingDepth };
    const gathering = await ports.gatherer.gather({ ...state, request }, context);
    if (findings) findings.add(gathering);
    else findings = createFindings(gathering);
    if (searchRefusal(gathering.degraded) !== undefined) break;
  }
  return findings as Findings;
}

/** What a model makes of the passages about the thing; undefined where none writes. */
async function write(
  plan: SectionPlan,
  {
    about,
    findings,
    state,
    ports: { gatherer, composer, readSpan, passageScorer, contextTokens },
    context,
  }: Asking & { readonly about: readonly Evidence[]; readonly findings: Findings },
): Promise<{ readonly claims: readonly VerifiedClaim[]; readonly composition: Composition } | undefined> {
  if (!composer) return undefined;
  const asked = { ...state, request: { ...state.request, question: plan.asks } };
  const claims: VerifiedClaim[] = [];
  const composition = await composer.compose(
    { question: plan.asks, evidence: about, contextTokens },
    {
      ...context,
      readSpan,
      passageScorer,
      statistics: () => gatherer.statistics(asked, context),
      search: async (query) => {
        const more = await gatherer.gatherMore(query, asked, context);
        findings.add(more);
        return more.evidence;
      },
      release: (claim) => claims.push(claim),
    },
  );
  return { claims: composition.isByModel ? claims : [], composition };
}

const emptyComposition = { dropped: 0, coverage: 0, confidence: 0, degraded: [] };
