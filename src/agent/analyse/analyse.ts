// An analysis of a subject: its sections are asked at the same time under one deadline and one budget, and stream in their order, each claim after
// its check. Invariants: every section ends with claims that were checked or is named as missing; the text follows from sections and claims.

import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composer } from '../../answer/composer.ts';
import type { Composition } from '../../answer/composition.ts';
import { type RenderableConflict, type RenderedAnswer, renderAnswer } from '../../answer/render.ts';
import type { Answer, AnswerSection, Intent } from '../../core/answer.ts';
import type { AnalysisRequest } from '../../core/answers/analysis-request.ts';
import { analysisText } from '../../core/answers/analysis-text.ts';
import { toInert } from '../../core/answers/inert-text.ts';
import type { RequestContext } from '../../core/context.ts';
import { createShare } from '../../core/deadline.ts';
import type { EventSink } from '../../core/events.ts';
import { type Degradation, type Evidence, type Mode, searchOptionsOf } from '../../core/search.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { termSet } from '../../text/terms.ts';
import { firstRoutingOnly, joinCompositions, joinFindings, lostOf, resultsOf, whyAllLost } from '../parts/joined.ts';
import { type Outcome, reserveOf, runPlan } from '../plan/run-plan.ts';
import { type DisagreementPorts, readConflicts, readJudgedConflicts } from '../steps/disagreements.ts';
import { finish } from '../steps/finish.ts';
import { verify } from '../steps/verify.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import { uniqueEvidence } from '../turn/in-turn.ts';
import { timeSteps } from '../turn/step-times.ts';
import { streamText } from '../turn/stream-parts.ts';
import type { Findings, Understood } from '../turn/turn-state.ts';
import { type AskedSection, askSection, whyEmpty } from './ask-section.ts';
import { planSections, type SectionPlan } from './sections.ts';

export interface AnalysisPorts extends DisagreementPorts {
  readonly gatherer: Gatherer;
  readonly composerFor?: ((intent: Intent) => Composer | undefined) | undefined;
  readonly passageScorer?: PassageScorer | undefined;
  readonly contextTokens: number;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
  readonly defaultMode: Mode;
  /** What the door already had to leave out. */
  readonly degraded?: readonly Degradation[] | undefined;
}

const sectionsAtOnce = 3;
const sectionTimeoutMs = 30_000;
const claimsOfSection = 4;
const leastContextTokens = 500;
/** The chance that a passage is right for its section: 72 % are in made documents (docs/analyses.md). */
const passageConfidence = 0.7;
/** Of the words of two claims, from which on they say the same. */
const sameShare = 0.75;

/** Sections in prose are a model's. */
const needsModel: Degradation = {
  component: 'analysis',
  code: 'needs-model',
  detail: 'No model writes this analysis. Set MODEL_ANSWER to have its sections written.',
  effect: 'Each section shows the passages that search found for it.',
};

export async function runAnalysis(
  request: AnalysisRequest,
  ports: AnalysisPorts,
  context: RequestContext,
): Promise<Answer> {
  const { deadline, clock, sink } = context;
  const { turn, timings } = timeSteps(context);
  const { kind, subject } = request;
  const intent: Intent = 'research';
  sink({ type: 'status', stage: 'understanding' });
  sink({ type: 'intent', intent, reason: `an analysis was asked for: ${kind}` });
  const plans = planSections(request);
  sink({
    type: 'decomposition',
    subQueries: plans.map(({ id, asks }) => ({ id, query: asks, dependencies: [] })),
    synthesisPrompt: 'Say for each section what documents say of its thing; name sections without evidence.',
  });
  sink({ type: 'status', stage: 'searching' });
  const state: Understood = {
    request: {
      ...searchOptionsOf(request),
      question: `${kind}: ${subject}`,
      mode: request.mode ?? ports.defaultMode,
      degraded: ports.degraded ?? [],
    },
    intent,
    degraded: ports.degraded ?? [],
  };
  const report = createReport(plans, ports.spanUrl, sink);
  const composer = ports.composerFor?.(intent);
  const sectionPorts = {
    gatherer: ports.gatherer,
    readSpan: ports.readSpan,
    passageScorer: ports.passageScorer,
    composer: composer?.isByModel ? composer : undefined,
    contextTokens: Math.max(leastContextTokens, Math.floor(ports.contextTokens / plans.length)),
  };
  const own = { ...turn, sink: firstRoutingOnly(sink) };
  const outcomes = await turn.timed('sectionsMs', () =>
    runPlan<AskedSection>(
      { subQueries: plans.map(({ id, asks }) => ({ id, query: asks, dependencies: [] })) },
      {
        async work({ id }, _, share) {
          const plan = plans.find((one) => one.id === id) as SectionPlan;
          const asked = await askSection(plan, { state, deadline: share }, { ports: sectionPorts, context: own });
          // Out of time it counts as lost, whatever it still finds.
          if (!share.isOver()) report.settle(id, { ok: true, result: asked });
          return asked;
        },
        deadline,
        clock,
        atOnce: sectionsAtOnce,
        timeoutMs: sectionTimeoutMs,
        reserveMs: reserveOf(deadline),
      },
    ),
  );
  for (const [at, outcome] of outcomes.entries()) report.settle((plans[at] as SectionPlan).id, outcome);
  const asked = resultsOf(outcomes);
  const about = uniqueEvidence(asked.flatMap((one) => one.about));
  const unjudged: Degradation[] = [];
  // Disagreements are looked for in what time is left; without them it is an answer, too.
  const leftMs = deadline.remainingMs() / 2;
  if (report.claims().length > 0 && leftMs > 0) {
    const share = createShare(deadline, leftMs, clock);
    const read = async (): Promise<void> => {
      const own = { ...ports, deadline: share };
      const ruled = await readConflicts(report.claims(), about, own);
      if (share.isOver()) return;
      report.conclude(ruled);
      const judged = await readJudgedConflicts(report.claims(), about, { ...own, ruled, clock, sink });
      unjudged.push(...judged.degraded);
      if (!share.isOver()) report.conclude([...ruled, ...judged.conflicts]);
    };
    await turn.timed('conflictsMs', () =>
      untilAborted(read(), share.signal).catch((error: unknown) => {
        if (!share.isOver()) throw error;
      }),
    );
  }
  // Out of time is an end like others; only whoever asked may have left.
  if (deadline.remainingMs() > 0) deadline.check();
  const lost = lostOf(outcomes, (at, why) => ({
    component: 'analysis',
    detail: `The section "${plans[at]?.title ?? ''}" was not written: ${why}`,
    effect: 'The other sections are.',
  }));
  const undone = sectionPorts.composer ? [] : [needsModel];
  for (const degradation of [...undone, ...lost]) sink({ type: 'degraded', degradation });
  const rendered = report.rendered();
  const composition = mergedComposition(asked, report.sections());
  const why = asked.map(whyEmpty)[0] ?? whyAllLost(outcomes);
  const verified = verify(
    {
      ...state,
      findings: mergedFindings(asked, about),
      composition: {
        ...composition,
        degraded: [...composition.degraded, ...undone, ...lost, ...unjudged],
        ...(why !== undefined && { abstainReason: why }),
      },
      rendered,
    },
    ports,
    turn,
  );
  return finish({ ...verified, sections: report.sections() }, timings, turn);
}

interface Report {
  /** What a section came to; shown as soon as those before it are settled. The second time changes nothing. */
  settle(id: string, outcome: Outcome<AskedSection>): void;
  conclude(conflicts: readonly RenderableConflict[]): void;
  claims(): readonly VerifiedClaim[];
  sections(): readonly AnswerSection[];
  rendered(): RenderedAnswer;
}

/** The text as it grows: what was streamed is a beginning of all that follows. */
function createReport(plans: readonly SectionPlan[], spanUrl: AnalysisPorts['spanUrl'], sink: EventSink): Report {
  const settled = new Map<string, Outcome<AskedSection>>();
  const claims: VerifiedClaim[] = [];
  const said: ReadonlySet<string>[] = [];
  const sections: AnswerSection[] = [];
  const evidence: Evidence[] = [];
  let conflicts: readonly RenderableConflict[] = [];
  let shown = '';
  let cited = 0;
  const render = (): RenderedAnswer => {
    const rendered = renderAnswer({ claims, conflicts, evidence, spanUrl });
    return { ...rendered, ...analysisText(sections, rendered) };
  };
  const show = (): void => {
    // Where nothing is found at all the answer says so in other words.
    if (claims.length === 0) return;
    const { text, marks, citations } = render();
    for (const citation of citations.slice(cited)) sink({ type: 'citation', citation });
    cited = citations.length;
    const fresh = marks.filter(({ start }) => start >= shown.length);
    if (text.length > shown.length) streamText({ text: text.slice(shown.length), marks: fresh }, sink);
    shown = text;
  };
  const append = (plan: SectionPlan, outcome: Outcome<AskedSection>): void => {
    const { name } = plan;
    const title = toInert(plan.title);
    if (!outcome.ok) {
      sections.push({ name, title, claims: [], missing: toInert(outcome.error.message) });
      return;
    }
    const { result } = outcome;
    evidence.push(...result.findings.evidence());
    const places: number[] = [];
    for (const claim of result.claims) {
      if (places.length >= Math.max(claimsOfSection, plan.areas.length)) break;
      const terms = termSet(claim.text);
      if (said.some((one) => saysSame(one, terms))) continue;
      said.push(terms);
      claims.push(claim);
      places.push(claims.length);
    }
    const missing = result.claims.length > 0 ? 'What documents say of it stands in other sections' : whyEmpty(result);
    sections.push({
      name,
      title,
      claims: places,
      ...(places.length === 0 && { missing: toInert(missing) }),
      ...(places.length > 0 && result.gaps.length > 0 && { gaps: result.gaps.map(toInert) }),
    });
  };
  return {
    settle(id, outcome) {
      if (settled.has(id)) return;
      settled.set(id, outcome);
      if (settled.size === 1) sink({ type: 'status', stage: 'answering' });
      for (let next = plans[sections.length]; next; next = plans[sections.length]) {
        const known = settled.get(next.id);
        if (!known) break;
        append(next, known);
      }
      show();
    },
    conclude(found) {
      conflicts = found;
      show();
    },
    claims: () => claims,
    sections: () => sections,
    rendered: render,
  };
}

function saysSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size > 0 && other.size > 0 && one.intersection(other).size / one.union(other).size >= sameShare;
}

const mergedFindings = (asked: readonly AskedSection[], about: readonly Evidence[]): Findings =>
  joinFindings(
    asked.map(({ findings }) => findings),
    uniqueEvidence([...about, ...asked.flatMap(({ findings }) => findings.evidence())]),
  );

function mergedComposition(asked: readonly AskedSection[], sections: readonly AnswerSection[]): Composition {
  const compositions = asked.map(({ composition }) => composition);
  const held = sections.filter(({ claims }) => claims.length > 0).length;
  const isByModel = compositions.some((one) => one.isByModel);
  return {
    ...joinCompositions(compositions),
    coverage: sections.length === 0 ? 0 : held / sections.length,
    confidence: held === 0 ? 0 : (compositions.find((one) => one.isByModel)?.confidence ?? passageConfidence),
    ...(isByModel && { isByModel: true as const }),
  };
}
