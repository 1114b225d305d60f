// HotpotQA-100 with a scripted planner that plans well through tools, beside the single pass: a first call looks for what the question names, a second for
// the text that the answer rests on and that was not found, by its title, as a planner would that read the bridge in the first. The model that answers is
// the same script in both: it copies what a good reader would of what it is shown.
// Goal (issue 20): answers >= +10 points. Usage: node bench/answers/planned-answers.ts [--dry]
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { writeResult } from '../report.ts';
import { questionIn, questionKey, scripts, write } from './answers-by-model-scripts.ts';
import { type ModelSet, openModelSets } from './answers-by-model-sets.ts';
import { askAndVerify } from './ask-and-verify.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });

interface Figures {
  readonly whole: number;
  readonly supporting: number;
  /** Supporting documents among what was found, a share. */
  readonly calls: number;
  readonly unverified: number;
}

async function measure(set: ModelSet, isPlanned: boolean, writes: boolean): Promise<Figures> {
  const cases = new Map(set.cases.map((one) => [questionKey(one.question), one]));
  const titles = new Map(set.documents.map(({ text, title = '' }) => [text, title]));
  const copies = scripts['copies well'];
  if (!copies) throw new Error('There is no script that copies.');
  let calls = 0;
  const server = await openFakeServer((request) => {
    const messages = request.body['messages'] as readonly { readonly role: string; readonly content: string }[];
    const asked = messages.find(({ role }) => role === 'user')?.content ?? '';
    const one = cases.get(questionIn(asked));
    if (messages[0]?.content.includes('You decide what is looked up')) {
      const seen = messages.map(({ content }) => content ?? '').join('\n');
      const missing = (one?.rightTexts ?? []).flatMap((text) => {
        const title = titles.get(text) ?? '';
        return title === '' || seen.includes(`title="${title}"`) ? [] : [title];
      });
      const isFirst = !messages.some(({ role }) => role === 'tool');
      const named = isFirst ? missing : [];
      calls += named.length;
      return renderChat(
        named.length === 0
          ? { text: 'Enough.' }
          : {
              toolCalls: named.map((title, at) => ({
                id: `call_${at}`,
                name: 'search_embedded',
                arguments: JSON.stringify({ query: title, limit: 3 }),
              })),
            },
        request,
      );
    }
    return renderChat({ text: write(copies, messages.at(-1)?.content ?? '', one) }, request);
  });
  const system = await openEvaluatedSystem(
    loadConfig({
      environment: {
        OPENAI_BASE_URL: `${server.address}/v1`,
        OPENAI_API_KEY: 'sk-scripted',
        ...(writes ? { MODEL_ANSWER: 'compatible:scripted' } : { MODEL_ANSWER: 'none' }),
        ...(isPlanned && { MODEL_PLANNER: 'compatible:scripted', ENABLE_ORCHESTRATOR: 'true' }),
        CLAIM_POLICY: 'strict',
      },
    }),
  );
  try {
    const { results, unverified } = await askAndVerify(set, system, 'hybrid');
    const sum = (of: (one: (typeof results)[number]) => number): number =>
      results.reduce((all, one) => all + of(one), 0);
    return {
      whole: sum(({ whole }) => Number(whole === true)) / Math.max(1, results.length),
      supporting:
        sum(({ supportingFound = 0 }) => supportingFound) /
        Math.max(
          1,
          sum(({ supportingWanted = 0 }) => supportingWanted),
        ),
      calls: calls / Math.max(1, results.length),
      unverified,
    };
  } finally {
    await system.close();
    await server.close();
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const [set] = (await openModelSets()).filter(({ name }) => name.startsWith('Hotpot'));
if (!set) process.exit(0);
const rows: (string | number)[][] = [];
const figures: Figures[] = [];
for (const [writer, writes] of [
  ['sentences of the documents', false],
  ['a script that copies', true],
] as const)
  for (const [planner, isPlanned] of [
    ['one pass', false],
    ['planned through tools', true],
  ] as const) {
    const one = await measure(set, isPlanned, writes);
    figures.push(one);
    rows.push([
      writer,
      planner,
      percent(one.whole),
      percent(one.supporting),
      Number(one.calls.toFixed(2)),
      one.unverified,
    ]);
    console.log(rows.at(-1)?.join('  '));
  }
const [plain, planned, copied, both] = figures;
const gains = [(planned?.whole ?? 0) - (plain?.whole ?? 0), (both?.whole ?? 0) - (copied?.whole ?? 0)];
const points = (gain = 0): string => `${(100 * gain).toFixed(1)} points`;
if (!flags.dry)
  await writeResult('planned-answers', {
    title: 'HotpotQA-100 with a planner that plans well',
    command: 'npm run bench planned-answers',
    seed: null,
    data: set.files,
    metrics: Object.fromEntries(
      rows.map((row, at) => [`${row[0]}, ${row[1]}: whole`, Number((figures[at]?.whole ?? 0).toFixed(4))]),
    ),
    goals: [
      {
        what: 'gold answers gained, sentences of the documents',
        wanted: '>= 10 points',
        got: points(gains[0]),
        met: (gains[0] ?? 0) >= 0.1 - 1e-9,
      },
      {
        what: 'gold answers gained, a script that copies',
        wanted: '>= 10 points',
        got: points(gains[1]),
        met: (gains[1] ?? 0) >= 0.1 - 1e-9,
      },
      {
        what: 'unverified shown',
        wanted: '0',
        got: figures.reduce((all, one) => all + one.unverified, 0),
        met: figures.every((one) => one.unverified === 0),
      },
    ],
    tables: [
      {
        title: 'By who writes and who plans',
        columns: ['who writes', 'searched', 'gold answer said', 'supporting sentences', 'calls of tools', 'unverified'],
        rows,
      },
    ],
    notes: [
      'The planner looks once for each text that the answer rests on and that the first search did not show, by its title.',
    ],
  });
