// How many questions as people type them come apart into the parts that they ask (testkit/asked-parts), without a search: by kind, by language, by half.
import { planByRules } from '../../src/agent/plan/planner.ts';
import { isRight, type JoinedQuestion, partsFound, readJoinedQuestions } from '../../testkit/asked-parts/questions.ts';

const queriesOf = ({ question }: JoinedQuestion): readonly string[] =>
  planByRules(question, { threshold: 0.6, most: 8 }).plan?.subQueries.map(({ query }) => query) ?? [];

export const typedColumns = ['half', 'questions', 'n', 'all parts and nothing else, or left whole', 'parts found'];

/** Of joined questions all parts are found and nothing else; those that ask one thing are left whole. */
export function typedRows(half: 'seen' | 'sealed'): (string | number)[][] {
  const questions = readJoinedQuestions(half);
  const groups: (readonly [name: string, isIn: (one: JoinedQuestion) => boolean])[] = [
    ['joined', ({ kind }) => kind !== 'whole'],
    ['joined, English', ({ kind, language }) => kind !== 'whole' && language === 'en'],
    ['joined, other languages', ({ kind, language }) => kind !== 'whole' && language !== 'en'],
    ...['two', 'list', 'compare', 'then', 'depend', 'whole'].map(
      (kind) => [kind, (one: JoinedQuestion) => one.kind === kind] as const,
    ),
  ];
  return groups.map(([name, isIn]) => {
    const own = questions.filter(isIn);
    const right = own.filter((one) => isRight(one, queriesOf(one))).length;
    const found = own.reduce((sum, one) => sum + partsFound(one, queriesOf(one)), 0);
    const parts = own.reduce((sum, one) => sum + one.parts.length, 0);
    return [half, name, own.length, `${((100 * right) / own.length).toFixed(1)} %`, `${found} of ${parts}`];
  });
}

/** The questions that came apart otherwise than they should, with what became of them. */
export const typedMisses = (half: 'seen' | 'sealed'): readonly string[] =>
  readJoinedQuestions(half).flatMap((one) => {
    const queries = queriesOf(one);
    return isRight(one, queries) ? [] : [`${one.kind}: ${one.question}\n  ${queries.join(' | ') || 'left whole'}`];
  });
