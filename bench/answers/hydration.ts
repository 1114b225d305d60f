// What a model reads that is shown one sentence of each passage first, beside one that is shown passages at once: tokens of passages, and whether the gold
// answer is said. The model is a script that copies what a good reader would; where no sentence holds the answer it names the passages that share
// most words with the question, as a reader who does not know the answer would.
// Goals (issue 20): 40 % fewer tokens at a point of answers at most. Usage: node bench/answers/hydration.ts [--every=N] [--dry]
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { containsAnswer } from '../../src/evals/judges/matching.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { questionIn, questionKey, type Sentence, scripts, sentencesIn, write } from './answers-by-model-scripts.ts';
import { type ModelCase, type ModelSet, openModelSets } from './answers-by-model-sets.ts';
import { askAndVerify } from './ask-and-verify.ts';

const { values: flags } = parseArgs({
  options: { every: { type: 'string', default: '4' }, dry: { type: 'boolean', default: false } },
});
const every = Number(flags.every);
const mostNamed = 3;

interface Figures {
  readonly whole: number;
  readonly supporting: number | undefined;
  /** Of passages, a question. */
  readonly tokens: number;
  readonly calls: number;
  /** Share of the questions whose answer a summary held, so that nothing was read whole. */
  readonly fromSummaries: number;
  readonly unverified: number;
}

const words = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/\p{L}{3,}|\p{N}+/gu) ?? []);

/** What a good reader answers from: the answer in a text that it rests on, or, where it is "yes" or "no", a sentence of each of those. */
function isEnough(shown: readonly Sentence[], { gold, rightTexts, supportingTexts }: ModelCase): boolean {
  const plain = (text: string): string => text.replace(/\s+/gu, ' ').trim();
  const right = shown.filter(
    ({ text }) => rightTexts.length === 0 || rightTexts.some((whole) => plain(whole).includes(plain(text))),
  );
  if (right.some(({ text }) => gold.some((one) => containsAnswer(text, one)))) return true;
  return (
    supportingTexts.length > 0 &&
    supportingTexts.every((wanted) => right.some(({ text }) => plain(wanted).includes(plain(text))))
  );
}

/** Numbers of the passages that share most words with the question, by title and sentence. */
function promising(prompt: string): readonly number[] {
  const asked = words(questionIn(prompt));
  const passages = [...prompt.matchAll(/<passage id="(\d+)"([^\n]*)\n([\s\S]*?)\n<\/passage>/gu)];
  return passages
    .map(([, id, label = '', body = '']) => ({
      id: Number(id),
      shared: asked.intersection(words(`${label} ${body}`)).size,
    }))
    .sort((a, b) => b.shared - a.shared || a.id - b.id)
    .slice(0, mostNamed)
    .map(({ id }) => id);
}

async function measure(set: ModelSet, isLazy: boolean): Promise<Figures> {
  const cases = new Map(set.cases.map((one) => [questionKey(one.question), one]));
  let calls = 0;
  const copies = scripts['copies well'];
  if (!copies) throw new Error('There is no script that copies.');
  const server = await openFakeServer((request) => {
    const messages = request.body['messages'] as readonly { readonly content: string }[];
    const prompt = messages.at(-1)?.content ?? '';
    const isLook = messages[0]?.content.includes('"read": []') === true;
    const one = cases.get(questionIn(prompt));
    calls += 1;
    if (isLook && !(one && isEnough(sentencesIn(prompt), one)))
      return renderChat({ text: JSON.stringify({ claims: [], insufficient: true, read: promising(prompt) }) }, request);
    const said = write(copies, prompt, one);
    return renderChat({ text: isLook ? said.replace(/\}$/u, ', "read": []}') : said }, request);
  });
  const system = await openEvaluatedSystem(
    loadConfig({
      environment: {
        OPENAI_BASE_URL: `${server.address}/v1`,
        OPENAI_API_KEY: 'sk-scripted',
        MODEL_ANSWER: 'compatible:scripted',
        CLAIM_POLICY: 'strict',
        ENABLE_LAZY_HYDRATION: String(isLazy),
      },
    }),
  );
  const answered: Answer[] = [];
  try {
    const report = await askAndVerify(set, system, 'hybrid');
    answered.push(...report.results.flatMap(({ answer }) => answer ?? []));
    const sum = (of: (one: (typeof report.results)[number]) => number): number =>
      report.results.reduce((total, one) => total + of(one), 0);
    const wanted = sum(({ supportingWanted = 0 }) => supportingWanted);
    const tokensOf = ({ usage, sources }: Answer): number =>
      usage.hydration?.tokensRead ?? sources.reduce((total, { contextTokens }) => total + contextTokens, 0);
    const count = Math.max(1, answered.length);
    return {
      whole: sum(({ whole }) => Number(whole === true)) / Math.max(1, report.results.length),
      supporting: wanted === 0 ? undefined : sum(({ supportingFound = 0 }) => supportingFound) / wanted,
      tokens: answered.reduce((total, answer) => total + tokensOf(answer), 0) / count,
      calls: calls / count,
      fromSummaries: answered.filter(({ usage }) => usage.hydration?.hydrated === 0).length / count,
      unverified: report.unverified,
    };
  } finally {
    await system.close();
    await server.close();
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const goals: BenchGoal[] = [];
const metrics: Record<string, number> = {};
const rows: (string | number | null)[][] = [];
const files: string[] = [];
for (const set of await openModelSets()) {
  if (!/^(?:Hotpot|XQuAD)/u.test(set.name)) continue;
  const isThinned = set.name.startsWith('XQuAD');
  const asked = { ...set, cases: set.cases.filter((_, at) => !isThinned || at % every === 0) };
  const [atOnce, lazily] = [await measure(asked, false), await measure(asked, true)];
  files.push(...set.files);
  for (const [name, figures] of [
    ['at once', atOnce],
    ['summaries first', lazily],
  ] as const) {
    rows.push([
      `${set.name} (${asked.cases.length})`,
      name,
      percent(figures.whole),
      figures.supporting === undefined ? null : percent(figures.supporting),
      Math.round(figures.tokens),
      Number(figures.calls.toFixed(2)),
      name === 'at once' ? null : percent(figures.fromSummaries),
      figures.unverified,
    ]);
    console.log(rows.at(-1)?.join('  '));
    metrics[`${set.name}: ${name}: whole`] = Number(figures.whole.toFixed(4));
    metrics[`${set.name}: ${name}: tokens`] = Math.round(figures.tokens);
  }
  const saved = 1 - lazily.tokens / atOnce.tokens;
  goals.push({ what: `${set.name}: fewer tokens`, wanted: '>= 40 %', got: percent(saved), met: saved >= 0.4 });
  const lost = atOnce.whole - lazily.whole;
  goals.push({
    what: `${set.name}: gold answers lost`,
    wanted: '<= 1 point',
    got: `${(100 * lost).toFixed(1)} points`,
    met: lost <= 0.01 + 1e-9,
  });
  goals.push({
    what: `${set.name}: unverified shown`,
    wanted: '0',
    got: lazily.unverified,
    met: lazily.unverified === 0,
  });
}
for (const { what, wanted, got, met } of goals) console.log(met ? 'met' : 'MISSED', what, got, wanted);
if (!flags.dry)
  await writeResult('hydration', {
    title: 'Summaries first, full text on demand',
    command: 'npm run bench hydration',
    seed: null,
    data: files,
    metrics,
    goals,
    tables: [
      {
        title: 'A scripted model that copies what a good reader would',
        columns: [
          'questions',
          'shown',
          'gold answer said',
          'supporting sentences',
          'tokens of passages',
          'calls',
          'nothing read whole',
          'unverified',
        ],
        rows,
      },
    ],
    notes: [
      `Every ${every}th question of XQuAD was asked.`,
      `Where no sentence that is shown holds the answer, the script names the ${mostNamed} passages that share most words with the question.`,
      'Tokens are those of passages in all prompts of a question; instructions, about 900 tokens a call, are in neither figure.',
    ],
  });
