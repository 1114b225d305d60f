// One section of an analysis: searched by its queries, and written by a model where there is one, else shown in the passages that search finds for it.
// Invariant: it ends with verified claims, each about its thing, or with the reason why it has none.

import type { DraftClaim, SpanReader, VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composer } from '../../answer/composer.ts';
import type { Composition } from '../../answer/composition.ts';
import { assembleContext } from '../../answer/context/context.ts';
import { verifyDraft } from '../../answer/verify.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { Evidence } from '../../core/search.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { type Frame, holds, readFrame } from '../../passages/frame.ts';
import { rankByWords } from '../../passages/rank.ts';
import { withSingleBlanks } from '../../text/one-line.ts';
import { termSet } from '../../text/terms.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { withoutStages } from '../parts/joined.ts';
import { createFindings } from '../steps/gather.ts';
import { searchRefusal } from '../turn/budgeted-search.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Findings, TurnContext, Understood } from '../turn/turn-state.ts';
import type { SectionPlan } from './sections.ts';
import { createStandings, type Standing } from './standing.ts';

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

interface Asking {
  readonly state: Understood;
  readonly ports: AskSectionPorts;
  readonly context: TurnContext;
}

/** Chunks that each query reads. */
const readingDepth = 20;
/** More than a section shows: some are said already. */
const mostSentences = 12;
/** Of a sentence, in words. */
const length = { fewest: 4, most: 60 };

/** Throws like a gatherer. */
export async function askSection(
  plan: SectionPlan,
  { state, deadline }: { readonly state: Understood; readonly deadline: Deadline },
  { ports, context }: { readonly ports: AskSectionPorts; readonly context: TurnContext },
): Promise<AskedSection> {
  const asking: Asking = { state, ports, context: withoutStages({ ...context, deadline }) };
  const { sink } = context;
  const findings = await gatherAll(plan, asking);
  const found = findings.evidence();
  const standingsOf = createStandings(
    plan.thing,
    found.map(({ title }) => title),
  );
  const isTaken = (standing: Standing | undefined): boolean =>
    standing === 'own' || (plan.takesBeside && standing === 'beside');
  const about = found.filter(({ text, title, headingPath }) =>
    standingsOf(text.split('\n'), [title, ...headingPath]).some(isTaken),
  );
  const written = about.length > 0 ? await write(plan, { ...asking, about, findings }) : undefined;
  const known = new Set(about.map(({ chunkId }) => chunkId));
  let claims = (written?.claims ?? []).filter(({ spans }) => spans.every(({ chunkId }) => known.has(chunkId)));
  let dropped = (written?.claims.length ?? 0) - claims.length;
  if (claims.length === 0) {
    const passages = chosenFor(plan, about, (...read) => standingsOf(...read).map(isTaken));
    const verified = await verifyDraft({ claims: passages }, ports.readSpan, {
      signal: deadline.signal,
    });
    for (const { text, support } of verified.claims)
      sink({ type: 'verdict', claim: text, support, kept: true, reasons: [] });
    claims = [...verified.claims];
    dropped += verified.dropped.length;
  }
  const composition = {
    ...(written?.composition ?? {
      coverage: 0,
      confidence: 0,
      degraded: [],
      context: assembleContext(about, { budgetTokens: ports.contextTokens, countTokens }),
    }),
    dropped: (written?.composition.dropped ?? 0) + dropped,
  };
  const asked = { plan, claims, findings, about, composition };
  sink({
    type: 'assessment',
    round: 1,
    part: plan.id,
    ...(claims.length > 0
      ? { verdict: 'answer', reason: `Claims that hold for it: ${claims.length}.` }
      : { verdict: 'unanswerable', reason: whyEmpty(asked) }),
  });
  const said = claims.map(({ text, headingPath = [] }) => termSet([text, ...headingPath].join('\n')));
  return { ...asked, gaps: plan.areas.filter((area) => !said.some((held) => sharedWith(readFrame(area), held) > 0)) };
}

const sharedWith = ({ terms }: Frame, held: ReadonlySet<string>): number =>
  terms.filter((term) => holds(term, held) > 0).length;

/** The sentences about the thing that share most words with the section; what shares more with another section is left to that one. */
function chosenFor(
  { words, others, areas, thing }: SectionPlan,
  about: readonly Evidence[],
  areTaken: (sentences: readonly string[], heads: readonly string[]) => readonly boolean[],
): readonly DraftClaim[] {
  const beside = others.map((other) => readFrame(other));
  const chosen = (query: string): readonly DraftClaim[] => {
    const frame = readFrame(query);
    const shared = rankByWords(frame, about).flatMap(({ chunk, passage: { parts, headingPath } }) => {
      const texts = parts.map(({ start, end }) => chunk.text.slice(start, end));
      const taken = areTaken(texts, headingPath);
      return parts.flatMap(({ form, start, end }, at) => {
        const text = withSingleBlanks(texts[at] ?? '');
        const words = text.split(' ').length;
        if (!taken[at] || form === 'label' || form === 'code' || text.endsWith('?')) return [];
        if (words < length.fewest || words > length.most) return [];
        const held = termSet([text, ...headingPath].join('\n'));
        const own = sharedWith(frame, held);
        if (query !== thing.name && (own === 0 || beside.some((other) => sharedWith(other, held) > own))) return [];
        const { documentId, chunkId } = chunk;
        const span = { documentId, chunkId, start: chunk.start + start, end: chunk.start + end };
        return [{ text, form: 'sentence' as const, headingPath, spans: [span], relevance: Math.min(1, own / 4) }];
      });
    });
    return shared.toSorted((one, other) => other.relevance - one.relevance);
  };
  const byQuery = areas.length > 0 ? areas.map(chosen) : [chosen(words === '' ? thing.name : words)];
  // Each area is spoken of first where anything speaks of it.
  const all = [...byQuery.flatMap((one) => one.slice(0, 1)), ...byQuery.flat()];
  return [...new Map(all.map((claim) => [claim.text, claim] as const)).values()].slice(0, mostSentences);
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

/** All queries of the section, in turn. */
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
