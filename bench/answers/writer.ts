// What a reader gets of a real small writer over a folder of real documents: how often the first sentence or the first passage answers, how much of what it
// wrote is shown, and how it refuses. `WRITER=gguf:<name> MODELS_FOLDER=<folder with it and its runtime> npm run bench writer` asks the model and keeps what it
// wrote at its last look and how long it took (`footnote models add` and `models test` before it, so that its own word counts); without WRITER what was kept is played by a
// stand-in of a provider, which judges nothing, so that the verifier is measured without the model.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeOpenAI } from '../../src/testing/fake-openai.ts';
import { startServerProcess } from '../../testkit/server-process.ts';
import { sharedData, sharedLines } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';
import { fetchFolder, syncFolder } from './passage-folders.ts';
import { type FolderQuestion, judgedPassages, toldOf } from './passages-score.ts';

interface Kept {
  readonly id: string;
  readonly text: string;
  readonly firstMs: number;
  /** Until the first sentence that stands in the answer, and what carries it; absent: there is none. */
  readonly sentenceMs?: number;
  readonly kind?: string;
  readonly totalMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

interface Told {
  readonly traceId: string;
  readonly abstained: boolean;
  readonly claims: readonly {
    readonly text: string;
    readonly form?: string;
    readonly kind: string;
    readonly confirmed?: boolean;
  }[];
  readonly passages?: readonly { readonly text: string; readonly headingPath?: readonly string[] }[];
  readonly degraded: readonly { readonly component: string; readonly code: string }[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly timings: { readonly totalMs: number; readonly modelMs?: number };
}

interface TracedCall {
  readonly type: string;
  readonly call?: {
    readonly port: string;
    readonly response?: { readonly text?: string; readonly pieces?: readonly number[] };
  };
}

const file = join(import.meta.dirname, 'writer-said.json');
const writer = process.env['WRITER'];
const realdocs = sharedData('realdocs');
const questions = (sharedLines<FolderQuestion>('realdocs', 'questions.jsonl') ?? []).filter(({ session }) => !session);
if (!realdocs || questions.length === 0)
  throw new Error('The questions of realdocs are not there (FOOTNOTE_SHARED_DATA).');
if (!writer && !existsSync(file)) throw new Error(`${file} is not there: run it with WRITER first.`);

const said: Kept[] = writer ? [] : (JSON.parse(readFileSync(file, 'utf8')) as Kept[]);
const textOf = new Map(said.map(({ id, text }) => [id, text] as const));
const provider = writer
  ? undefined
  : await startFakeOpenAI(({ prompt }) => {
      const asked = questions.find(({ question }) => prompt.includes(`Question:\n| ${question}`));
      return textOf.get(asked?.id ?? '') ?? 'NOT FOUND';
    });
const { path, isKept, target } = fetchFolder(join(realdocs, 'fetch.sh'), 'db');
const data = await mkdtemp(join(tmpdir(), 'footnote-writer-'));
const model = writer ?? 'compatible:played';
const server = await startServerProcess(data, {
  environment: {
    ...provider?.environment,
    MODEL_ANSWER: model,
    ANSWER_FORM: 'prose',
    ENCODER: 'on',
    ...(writer === undefined ? { MODEL_CONTEXT_TOKENS: 'compatible:played = 4096', MODEL_JUDGE: 'none' } : {}),
    ...(process.env['MODELS_FOLDER'] === undefined ? {} : { MODELS_FOLDER: process.env['MODELS_FOLDER'] }),
  },
});

const written = ({ claims }: Told) => claims.filter(({ form, confirmed }) => form === undefined && confirmed !== false);
const told: { readonly question: FolderQuestion; readonly answer: Told }[] = [];
try {
  await syncFolder(server.url, path);
  for (const question of questions) {
    const { answer, sentenceMs } = await ask(question.question);
    told.push({ question, answer });
    if (writer) said.push(await keptOf(question.id, answer, sentenceMs));
    console.log(question.id, answer.abstained ? 'abstained' : (answer.claims[0]?.text.slice(0, 150) ?? ''));
  }
} finally {
  await server.stop();
  await provider?.close();
  await rm(data, { recursive: true });
  if (!isKept) await rm(target, { recursive: true });
}
if (writer) writeFileSync(file, `${JSON.stringify(said, undefined, 2)}\n`);

/** The answer, and the milliseconds until its first sentence, as a client of the stream sees them. */
async function ask(question: string): Promise<{ readonly answer: Told; readonly sentenceMs: number | undefined }> {
  const startedAt = performance.now();
  const reply = await fetch(`${server.url}/v1/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question, stream: true }),
  });
  const decoder = new TextDecoder();
  let text = '';
  let sentenceMs: number | undefined;
  for await (const bytes of reply.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes('event: delta\n')) sentenceMs ??= Math.round(performance.now() - startedAt);
  }
  const done = /^event: done\ndata: (.*)$/mu.exec(text)?.[1];
  if (done === undefined) throw new Error(`The stream of "${question}" has no end: ${text.slice(-300)}`);
  return { answer: (JSON.parse(done) as { readonly answer: Told }).answer, sentenceMs };
}

async function keptOf(id: string, answer: Told, sentenceMs: number | undefined): Promise<Kept> {
  const { traceId, usage, timings } = answer;
  const trace = (await (await fetch(`${server.url}/admin/traces/export/${traceId}`)).json()) as {
    readonly traces: readonly { readonly events: readonly { readonly event: TracedCall }[] }[];
  };
  const call = trace.traces
    .flatMap(({ events }) => events)
    .map(({ event }) => event.call)
    .findLast((one) => one?.port === 'answer.model');
  const [first] = written(answer);
  const [, firstUs = 0] = call?.response?.pieces ?? [];
  return {
    id,
    text: call?.response?.text ?? '',
    firstMs: Math.round(firstUs / 1000),
    ...(first && sentenceMs !== undefined && { sentenceMs, kind: first.kind }),
    totalMs: Math.round(timings.totalMs),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  };
}

const percent = (part: number, whole: number): number => Math.round((1000 * part) / Math.max(1, whole)) / 10;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const answerable = told.filter(({ question }) => question.answerable);
const others = told.filter(({ question }) => !question.answerable);
const isRight = ({ question, answer }: (typeof told)[number]): boolean => {
  const [first] = written(answer);
  const below = answer.passages?.[0] ?? answer.claims.find(({ form }) => form !== undefined);
  return [first, below].some((one) => one !== undefined && judgedPassages(question, [toldOf(one)]).first);
};
const sentenceTimes = (wanted: string): number[] =>
  said.flatMap(({ kind, sentenceMs }) => (kind === wanted && sentenceMs !== undefined ? [sentenceMs] : []));
const refusals = said.filter(({ text }) => text.trim().toUpperCase().startsWith('NOT FOUND')).map(({ id }) => id);
const keptRefusals = told.filter(({ question, answer }) => refusals.includes(question.id) && answer.abstained);
const metrics = {
  'first sentence or first passage right %': percent(answerable.filter(isRight).length, answerable.length),
  'answers with a sentence of the writer %': percent(
    answerable.filter(({ answer }) => written(answer).length > 0).length,
    answerable.length,
  ),
  'sentences shown in the answer': told.reduce((sum, { answer }) => sum + written(answer).length, 0),
  'sentences shown as not confirmed': told.reduce(
    (sum, { answer }) => sum + answer.claims.filter(({ confirmed }) => confirmed === false).length,
    0,
  ),
  'honest refusals kept %': percent(keptRefusals.length, refusals.length),
  'unanswerable questions that the writer answers, of all': others.filter(({ answer }) => written(answer).length > 0)
    .length,
  'first quoted sentence, median ms': median(sentenceTimes('quoted')),
  'first judged sentence, median ms': median(sentenceTimes('judged')),
  'first word of the writer, median ms': median(said.map(({ firstMs }) => firstMs).filter((ms) => ms > 0)),
  'whole answer, median ms': median(said.map(({ totalMs }) => totalMs)),
  'tokens of a prompt, median': median(said.map(({ inputTokens }) => inputTokens)),
};
console.log(metrics);
const right = metrics['first sentence or first passage right %'];
const kept = metrics['honest refusals kept %'];
const [quotedMs, judgedMs] = [metrics['first quoted sentence, median ms'], metrics['first judged sentence, median ms']];
await writeResult('writer', {
  title: 'A real small writer over real documents',
  command: 'npm run bench writer',
  seed: null,
  data: [realdocs],
  metrics,
  goals: [
    { what: 'first sentence or first passage right', wanted: '>= 80 %', got: `${right} %`, met: right >= 80 },
    { what: 'honest refusals kept', wanted: '>= 95 %', got: `${kept} %`, met: kept >= 95 },
    {
      what: 'first quoted sentence, median, when it was recorded',
      wanted: '<= 7 s',
      got: `${quotedMs} ms`,
      met: quotedMs > 0 && quotedMs <= 7_000,
    },
    {
      what: 'first judged sentence, median, when it was recorded',
      wanted: '<= 12 s',
      got: `${judgedMs} ms`,
      met: judgedMs > 0 && judgedMs <= 12_000,
    },
  ],
  tables: [],
  notes: [
    'Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, two processors, temperature 0. What it said and its times are those of the recording.',
  ],
});
