// Answers with a model that is a script, by the product as people run it: a real Footnote over a throw-away folder, an OpenAI-compatible
// server on 127.0.0.1, the model's words streamed. One script copies what a good reader would; the others lie, give up or wander.
// Goals: copying at least equals the documents' own sentences, lying and giving up end in abstentions, nothing unverified is shown.
// Usage: node bench/answers/answers-by-model.ts [--sets=hotpot,rgb,xquad,pages] [--every=N] [--dry]
// Each set has a result of its own. `--every` asks every Nth question of XQuAD; `--dry` prints and writes nothing.
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import type { AnswerReport } from '../../src/evals/answers.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { measureContext, shownColumns } from './answers-by-model-context.ts';
import { measurePages } from './answers-by-model-pages.ts';
import { isJudging, judge, questionIn, questionKey, type Script, scripts, write } from './answers-by-model-scripts.ts';
import { type ModelSet, openModelSets } from './answers-by-model-sets.ts';
import { askAndVerify } from './ask-and-verify.ts';

const { values: flags } = parseArgs({
  options: {
    sets: { type: 'string' },
    every: { type: 'string', default: '1' },
    dry: { type: 'boolean', default: false },
  },
});
const every = Number(flags.every);
const wanted = flags.sets?.split(',').map((name) => name.trim().toLowerCase());

interface Figures {
  readonly first: number;
  readonly whole: number;
  readonly abstained: number;
  /** Share of the supporting sentences that the answers cite; undefined where the set names none. */
  readonly supporting: number | undefined;
  readonly claims: number;
  /** Citations and claims of shown answers that do not verify against the record. */
  readonly unverified: number;
  /** Claims shown with the very words of a lie. */
  readonly liesShown: number;
  readonly byModel: number;
}

const percent = (share: number | undefined): string | null =>
  share === undefined ? null : `${(100 * share).toFixed(1)} %`;
const round = (share: number): number => Number(share.toFixed(4));

/** Without a script: the documents' own sentences. */
async function measure(set: ModelSet, script?: Script): Promise<Figures> {
  const cases = new Map(set.cases.map((one) => [questionKey(one.question), one]));
  const written = new Set<string>();
  const server = await openFakeServer((request) => {
    const messages = request.body['messages'] as readonly { readonly content: string }[];
    const prompt = messages.at(-1)?.content ?? '';
    const said = (of: Script): string =>
      isJudging(prompt) ? judge(prompt) : write(of, prompt, cases.get(questionIn(prompt)));
    const text = script ? said(script) : '';
    for (const [, said = ''] of text.matchAll(/"text":("(?:[^"\\]|\\.)*")/gu)) written.add(JSON.parse(said) as string);
    return renderChat({ text }, request);
  });
  const environment = script && {
    OPENAI_BASE_URL: `${server.address}/v1`,
    OPENAI_API_KEY: 'sk-scripted',
    MODEL_ANSWER: 'compatible:scripted',
  };
  const config = loadConfig({ environment: environment ?? {} });
  const system = await openEvaluatedSystem(config);
  try {
    const report = await askAndVerify(set, system, config.defaultMode);
    const texts = new Set([...set.documents.map(({ text }) => text.replace(/\s+/gu, ' '))]);
    const isLie = (text: string): boolean => written.has(text) && ![...texts].some((whole) => whole.includes(text));
    return toFigures(report, { unverified: report.unverified, isLie });
  } finally {
    await system.close();
    await server.close();
  }
}

function toFigures(
  { results, claimsPerAnswer }: AnswerReport,
  { unverified, isLie }: { unverified: number; isLie: (text: string) => boolean },
): Figures {
  const share = (count: number): number => count / Math.max(1, results.length);
  const answers = results.flatMap(({ answer }) => answer ?? []);
  const wantedSentences = results.reduce((sum, { supportingWanted }) => sum + (supportingWanted ?? 0), 0);
  const foundSentences = results.reduce((sum, { supportingFound }) => sum + (supportingFound ?? 0), 0);
  const wasByModel = ({ degraded, abstained }: Answer): boolean =>
    !abstained &&
    !degraded.some(({ component, effect }) => component === 'answer-model' && effect.startsWith('Sentences'));
  return {
    first: share(results.filter(({ first }) => first === true).length),
    whole: share(results.filter(({ whole }) => whole === true).length),
    abstained: share(results.filter(({ abstained }) => abstained).length),
    supporting: wantedSentences === 0 ? undefined : foundSentences / wantedSentences,
    claims: claimsPerAnswer,
    unverified,
    liesShown: answers.flatMap(({ claims }) => claims).filter(({ text }) => isLie(text)).length,
    byModel: share(answers.filter(wasByModel).length),
  };
}

const isThinned = ({ name }: ModelSet): boolean => every > 1 && name.startsWith('XQuAD');
const sets = (await openModelSets())
  .filter(({ name }) => !wanted || wanted.some((one) => name.toLowerCase().startsWith(one)))
  .map((set) => ({ ...set, cases: set.cases.filter((_, at) => !isThinned(set) || at % every === 0) }));
for (const set of sets) await measureSet(set);
const pages = !wanted || wanted.includes('pages') ? await measurePages() : undefined;
if (pages && !flags.dry) await writeResult('answers-by-model-pages', pages);

async function measureSet(set: ModelSet): Promise<void> {
  const goals: BenchGoal[] = [];
  const metrics: Record<string, number> = {};
  const rows: (string | number | null)[][] = [];
  let plain: Figures | undefined;
  for (const name of ['no model', ...Object.keys(scripts)]) {
    const from = performance.now();
    const figures = await measure(set, scripts[name]);
    plain ??= figures;
    const { first, whole, abstained, supporting, claims, unverified, liesShown, byModel } = figures;
    rows.push([
      name,
      percent(first),
      percent(whole),
      percent(abstained),
      percent(supporting),
      Number(claims.toFixed(2)),
      name === 'no model' ? null : percent(byModel),
      unverified,
      liesShown,
    ]);
    console.log(rows.at(-1)?.join('  '), ` ${((performance.now() - from) / 1000).toFixed(0)} s`);
    for (const [what, value] of Object.entries({ first, whole, abstained, supporting, unverified, liesShown }))
      if (value !== undefined) metrics[`${name}: ${what}`] = round(value);
    if (name === 'no model') continue;
    const say = (what: string, got: number | undefined, least: number | undefined): void => {
      if (got === undefined || least === undefined) return;
      goals.push({
        what: `${name}: ${what}`,
        wanted: `>= ${percent(least)}`,
        got: percent(got) ?? '',
        met: got >= least - 1e-9,
      });
    };
    const margin = name.startsWith('copies') ? 0 : 0.01;
    if (name === 'lies' || name === 'gives up') say('abstained, as it is believed', abstained, 0.99);
    else if (name !== 'wanders') {
      say('gold answer in the whole answer', whole, plain.whole - margin);
      say(
        'supporting sentences cited',
        supporting,
        plain.supporting === undefined ? undefined : plain.supporting - margin,
      );
      say('gold answer in the first claim', first, plain.first - margin);
    }
    for (const [what, got] of [
      ['unverified citations and claims shown', unverified],
      ['lies shown', liesShown],
    ] as const)
      goals.push({ what: `${name}: ${what}`, wanted: '0', got, met: got === 0 });
  }
  const context = await measureContext(set);
  for (const row of context.rows) console.log(row.join('  '));
  console.log(context.metrics);
  for (const { what, wanted: least, got, met } of [...goals, ...context.goals])
    if (!met) console.log(`missed: ${what}: ${got}, wanted ${least}`);

  if (!flags.dry)
    await writeResult(`answers-by-model-${set.name.toLowerCase().split('-')[0]?.split(' ')[0]}`, {
      title: `Answers by a model that is a script: ${set.name}`,
      command: `npm run bench answers-by-model${isThinned(set) ? ` -- --every=${every}` : ''}`,
      seed: null,
      data: set.files,
      metrics: { ...metrics, ...context.metrics },
      goals: [...goals, ...context.goals],
      tables: [
        {
          title: 'By script',
          columns: [
            'who writes',
            'first claim',
            'whole answer',
            'abstained',
            'supporting sentences',
            'claims an answer',
            'answered by the model',
            'unverified shown',
            'lies shown',
          ],
          rows,
        },
        { title: 'Gold sentences that the model is shown', columns: [...shownColumns], rows: context.rows },
      ],
      notes: [
        ...(isThinned(set) ? [`Every ${every}th question was asked: ${set.cases.length}.`] : []),
        '"Copies well" quotes the supporting sentences that a set names, or the sentence of the right document that holds the answer, if it was shown; "lies" changes numbers, names and negations and forges quotes and ids; "lies and copies" mixes both; "gives up" always finds the passages insufficient.',
        '"Wanders" quotes true sentences that do not answer. Whether a sentence answers is not checked, so it costs what it costs: no goal.',
        'A lie counts as shown where a claim has its very words and no document does.',
        'The share of the context for whole passages (0.8) was chosen on these sets, in steps of 0.1.',
        'Times of the check are of one process on a machine with other work.',
      ],
    });
}
