// Takes a question apart by rules: several questions in one, a list of things, a comparison, and what can only be asked when something else
// is known. The deterministic twin of a planner. Pure: the same question always comes apart alike.
import { termsOf } from '../../text/terms.ts';
import { findNames } from '../../text/words/names.ts';
import { clausesOf } from './clauses.ts';
import { comparisonOf } from './comparison.ts';
import { coordinatedOf } from './coordination.ts';
import { attributeAsked, measureAsked } from './criterion.ts';
import { ofEveryOne } from './elliptic.ts';
import { furtherOf, isOrdered, isWeighed } from './measured.ts';
import { question, withoutLead, withoutMark } from './phrases.ts';
import type { PlanForm, ProposedPlan, SubQuery } from './plan.ts';
import { refersBack } from './refers-back.ts';
import { relationOf, relationOfCriterion, type Weighing } from './weighing.ts';

/** Longer texts are no question that rules could read; what the patterns take over a text grows faster than the text. */
const longestQuestion = 1_000;

/** Undefined where it asks one thing. `most`: sub-queries that there may be. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function decompose(written: string, most: number): ProposedPlan | undefined {
  if (written.length > longestQuestion || most < 2) return undefined;
  const text = written.split(/\s+/u).join(' ').trim();
  const clauses = clausesOf(text);
  const parts: {
    readonly query: string;
    readonly clause: number;
    readonly criterion?: string | undefined;
    readonly thing?: SubQuery['thing'];
  }[] = [];
  const forms: PlanForm[] = clauses.length > 1 ? ['questions'] : [];
  let things: readonly string[] = [];
  const weighings: Weighing[] = [];
  let hasCriteria = false;
  const laterThings = clauses.length === 2 ? (comparisonOf(clauses[1] ?? '', most)?.things ?? []) : [];
  for (const [clause, one] of clauses.entries()) {
    if (hasCriteria && saysWhichIsMore.test(withoutCommand(one))) {
      // "Which is higher", behind what they are compared in: nothing more has to be known of each.
      weighings.push({ asked: question(withoutCommand(one)), things });
      continue;
    }
    const room = most - parts.length - (clauses.length - clause - 1);
    const compared = room >= 2 ? comparisonOf(one, room) : undefined;
    const listed = compared || room < 2 ? undefined : coordinatedOf(one, room);
    // "Which is cheaper and which lasts longer, A or B": of both, the things are named at the end.
    if (clause === 0 && !compared && !listed && isWeighed(one)) things = laterThings;
    const every = compared || listed || things.length > room ? undefined : ofEveryOne(one, things);
    const further = compared || listed || every || things.length > room ? undefined : furtherOf(one, things);
    const told = compared?.queries ?? listed?.queries ?? every ?? further ?? [];
    const queries = told.length > 0 && told.length <= room ? told : [one];
    if (compared) things = compared.things;
    else if (listed?.things && queries === listed.queries) things = listed.things;
    if (compared) forms.push('comparison');
    else if (queries.length > 1) forms.push('list');
    const criteria = queries === compared?.queries ? compared.criteria : undefined;
    if (criteria) hasCriteria = !criteria.some((criterion) => ownMeasure.test(criterion));
    if (compared && queries === compared.queries) {
      const asked = compared.asked === undefined ? undefined : relationOf(compared.asked);
      if (asked) weighings.push({ asked: question(one), things, relation: asked });
      else if (compared.asked !== undefined && isOrdered(compared.asked))
        weighings.push({ asked: question(one), things });
      for (const criterion of new Set(criteria)) {
        const relation = relationOfCriterion(criterion);
        if (relation)
          weighings.push({ asked: question(`How do they compare in ${criterion}`), things, relation, isImplied: true });
      }
    }
    const weighed = queries === further ? relationOf(withoutCommand(one)) : undefined;
    if (weighed) weighings.push({ asked: question(withoutCommand(one)), things, relation: weighed });
    const of = queries === compared?.queries || queries === further || queries === every ? things : [];
    for (const [at, query] of queries.entries()) {
      const name = of[Math.floor((at * of.length) / queries.length)];
      const thing = name === undefined ? undefined : { name, others: of.filter((other) => other !== name) };
      const own = thing === undefined && !refersBack(query) ? attributeAsked(query) : undefined;
      parts.push({
        query,
        clause,
        criterion: criteria?.[at] ?? own?.criterion ?? (thing && measureAsked(query)),
        thing: thing ?? own?.thing,
      });
    }
  }
  if (parts.length < 2) return undefined;
  const seen = new Set<string>();
  const distinct = parts.filter(({ query }) => !seen.has(alike(query)) && seen.add(alike(query)));
  if (distinct.length < 2) return undefined;
  const [form = 'questions'] = forms;
  const subQueries = distinct.map(({ query, clause, criterion, thing }, at): SubQuery => {
    const earlier = distinct.findLastIndex((other) => other.clause < clause);
    // "The capital of France and its population": the first fact says whose.
    const about = clause > 0 && thing === undefined ? aboutOf(query, clauses.slice(0, clause)) : undefined;
    const before = earlier < 0 && at > 0 && thing === undefined ? 0 : earlier;
    return {
      id: String(at + 1),
      query,
      dependencies: before >= 0 && (about !== undefined || refersBack(query)) ? [String(before + 1)] : [],
      ...(criterion !== undefined && { criterion }),
      ...(about !== undefined && { about }),
      ...(thing && { thing }),
    };
  });
  return { form, subQueries, ...(weighings.length > 0 && { weighings }) };
}

/** "What does it cost" asks how much it costs. */
const alike = (query: string): string =>
  query.toLowerCase().replace(/^what (?=(?:do|does|did) .{1,200} cost\?$)/u, 'how much ');

const saysWhichIsMore =
  /^which(?: one| of (?:them|these|the two))? (?:is|was|are|were) (?:the )?(?:higher|lower|highest|lowest|greater|greatest|larger|smaller|bigger|largest|smallest|better|more)$/iu;
/** Of these the adjective itself tells what is measured. */
const ownMeasure = /\b(?:height|elevation|area|size|population|price)\b/iu;

/** Words that a question has of its own; one with more of them says what it is about. */
const fewTerms = 3;
const fewestTerms = 2;
const mostNames = 3;

/** What a short question without a name goes on about: the names in the questions before it, '' where there are none. */
function aboutOf(query: string, before: readonly string[]): string | undefined {
  const namesIn = (text: string): readonly string[] =>
    findNames(text)
      .filter(({ initial }) => !initial)
      .map(({ text: name }) => name);
  if (namesIn(query).length > 0 || termsOf(query).length > fewTerms) return undefined;
  const names = before
    .toReversed()
    .map(namesIn)
    .find((found) => found.length > 0);
  // Where nothing was named at all, a few words go on about the same document.
  if (!names) return termsOf(query).length > fewestTerms ? undefined : '';
  return [...new Set(names)].slice(0, mostNames).join(', ');
}

/** "Say which came first", without its "say". */
const withoutCommand = (text: string): string =>
  withoutMark(withoutLead(text)).replace(/^(?:say|tell me|state|explain|name)\s+/iu, '');
