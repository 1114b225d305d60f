// A question taken apart: sub-queries with dependencies. Invariant: what `checkPlan` lets pass is a directed acyclic graph without gaps,
// duplicates or runaways, in an order in which each stands behind what it depends on; whoever refuses a plan asks the plain question.

/** What kind of question it was found to be, and so how it was taken apart. */
export type PlanForm = 'questions' | 'list' | 'comparison' | 'chain' | 'model';

export interface SubQuery {
  readonly id: string;
  /** In the words of the question: nothing of what was read is in it. */
  readonly query: string;
  /** Ids of sub-queries whose answers it needs; `{id}` in `query` stands where one belongs. */
  readonly dependencies: readonly string[];
  /** Under which a thing is compared: what says nothing of it is no answer. */
  readonly criterion?: string;
  /** What the question before it speaks of, where it names nothing itself; '' where that names nothing either. */
  readonly about?: string;
  /** Which of the things that are compared it asks of, and the others. */
  readonly thing?: { readonly name: string; readonly others: readonly string[] };
}

export interface ProposedPlan {
  readonly form: PlanForm;
  readonly subQueries: readonly SubQuery[];
  /** What only whoever reads all answers can tell: which of the things came first. */
  readonly weighs?: readonly string[];
}

export interface Plan extends ProposedPlan {
  /** What is made of the answers, in words. */
  readonly synthesisPrompt: string;
}

export type CheckedPlan = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly reason: string };

const longestQuery = 1_000;
const longestId = 64;

const syntheses: Readonly<Record<PlanForm, string>> = {
  questions: 'Answer each question in its order; say which has no evidence.',
  list: 'Answer for each thing that was named; say of which there is no evidence.',
  comparison: 'Set side by side what is said of each; say of which, and of which point, there is no evidence.',
  chain: 'Answer the whole question from the last step, which builds on the steps before it.',
  model: 'Answer every part of the question; say which has no evidence.',
};

const fold = (query: string): string =>
  query
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}{}]+/gu, ' ')
    .trim();

/** Total. `most`: how many sub-queries there may be. */
export function checkPlan({ form, subQueries, weighs = [] }: ProposedPlan, most: number): CheckedPlan {
  const refuse = (reason: string): CheckedPlan => ({ ok: false, reason });
  if (subQueries.length < 2) return refuse('It has fewer than two parts.');
  if (subQueries.length > most) return refuse(`It has ${subQueries.length} parts and ${most} are allowed.`);
  const ids = new Set(subQueries.map(({ id }) => id));
  if (ids.size < subQueries.length) return refuse('Two parts have one name.');
  if (subQueries.some(({ id }) => id === '' || id.length > longestId))
    return refuse('A part has no name, or too long a one.');
  if (subQueries.some(({ query }) => fold(query) === '')) return refuse('A part asks nothing.');
  if (subQueries.some(({ query }) => query.length > longestQuery))
    return refuse('A part is longer than a question may be.');
  if (new Set(subQueries.map(({ query }) => fold(query))).size < subQueries.length)
    return refuse('Two parts ask the same.');
  if (subQueries.some(({ dependencies }) => dependencies.some((one) => !ids.has(one))))
    return refuse('A part depends on one that is not there.');
  if (subQueries.some(({ dependencies }) => new Set(dependencies).size < dependencies.length))
    return refuse('A part depends on another one twice.');
  const ordered: SubQuery[] = [];
  const done = new Set<string>();
  let waiting = [...subQueries];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ dependencies }) => dependencies.every((one) => done.has(one)));
    if (ready.length === 0) return refuse('Its parts depend on one another in a circle.');
    ordered.push(...ready);
    for (const { id } of ready) done.add(id);
    waiting = waiting.filter((one) => !done.has(one.id));
  }
  // Answers come in the order of the question where nothing forbids it.
  const isInOrder = subQueries.every(({ dependencies }, at) =>
    dependencies.every((one) => subQueries.findIndex(({ id }) => id === one) < at),
  );
  const plan = {
    form,
    subQueries: isInOrder ? subQueries : ordered,
    synthesisPrompt: syntheses[form],
    ...(weighs.length > 0 && { weighs }),
  };
  return { ok: true, plan };
}
