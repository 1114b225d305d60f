// Fits the weights by which passages of archived turns are ordered for a question (src/agent/archive-chat/weights.json): of two passages that were read, the one
// of a turn with the answer is to stand first. It learns on conversations 26 and 30 of LoCoMo and on the taught paraphrases of testkit/memory, hidden in the first
// of these, and says for each how often one of four turns answers by the weights that the others taught. Usage: node scripts/fit-turns.ts [--write]. Deterministic.
import { writeFile } from 'node:fs/promises';
import { withArchive } from '../bench/archive/asked-archive.ts';
import { locomoLines, locomoQuestions } from '../bench/archive/locomo-data.ts';
import { exploreArchive } from '../src/agent/archive-chat/explore.ts';
import { rankTurns } from '../src/agent/archive-chat/extract.ts';
import { createReading } from '../src/agent/archive-chat/reading.ts';
import { createPassageScorer } from '../src/models/encoder/cosines.ts';
import { openLocalEncoder } from '../src/models/encoder/local-encoder.ts';
import { paraphrases } from '../testkit/memory/labelled.ts';
import { fitLogistic } from './logistic.ts';

const file = new URL('../src/agent/archive-chat/weights.json', import.meta.url);
/** The others are the same for all messages, or say how documents are written. The last number is that of the speaker who is asked for. */
const names = [
  'all',
  'text',
  'sentence',
  'order',
  'names',
  'score',
  'length',
  'short',
  'value',
  'cosine',
  'partCosine',
] as const;
const ridge = 1;
const mostOthers = 25;
const shown = 4;
const adversarial = 5;

interface Asked {
  readonly text: string;
  readonly evidence: ReadonlySet<string>;
}
interface Judged {
  readonly set: string;
  readonly passages: readonly {
    readonly turn: string;
    readonly numbers: readonly number[];
    readonly isTrue: boolean;
  }[];
}

const encoder = await openLocalEncoder();
const passageScorer = createPassageScorer({ id: encoder.id, encoder, timeoutMs: 60_000 });
const { signal } = new AbortController();

const read = (set: string, lines: readonly object[], questions: readonly Asked[]): Promise<readonly Judged[]> =>
  withArchive(lines, async ({ conversations, config }) => {
    const archive = {
      ...conversations,
      during: () => Promise.reject(new Error('Nothing is asked by its time alone.')),
    };
    const judged: Judged[] = [];
    for (const { text, evidence } of questions) {
      const reading = createReading({ archive, limits: config.chat, signal, tell: () => undefined });
      const nowMs = Date.parse('2026-01-01');
      const explored = await exploreArchive(text, { reading, archive, passageScorer, nowMs, signal });
      const { ranked, isBySpeaker } = await rankTurns(text, explored, { passageScorer, signal });
      judged.push({
        set,
        passages: ranked.map(({ chunk, features }) => ({
          turn: chunk.turn.turn_id,
          numbers: [...names.map((name) => features[name]), isBySpeaker(chunk) ? 1 : 0],
          isTrue: evidence.has(chunk.turn.turn_id),
        })),
      });
    }
    return judged;
  });

/** Each passage of a turn with the answer beside others that were read: the one, less the other. */
function learn(judged: readonly Judged[]): readonly number[] {
  const rows = judged.flatMap(({ passages }) => {
    const answering = passages.filter(({ isTrue }) => isTrue);
    const others = passages.filter(({ isTrue }) => !isTrue).slice(0, mostOthers);
    return answering.flatMap((one) =>
      others.flatMap((other) => {
        const features = one.numbers.map((value, at) => value - (other.numbers[at] ?? 0));
        const weight = 1 / answering.length;
        return [
          { features, isTrue: true, weight },
          { features: features.map((value) => -value), isTrue: false, weight },
        ];
      }),
    );
  });
  return fitLogistic(rows, ridge).weights;
}

/** The share of questions of which one of the first turns answers, in percent. */
function found(judged: readonly Judged[], weights: readonly number[]): string {
  const scoreOf = (numbers: readonly number[]): number =>
    numbers.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
  const met = judged.filter(({ passages }) => {
    const ordered = passages.toSorted((left, right) => scoreOf(right.numbers) - scoreOf(left.numbers));
    const turns = [...new Set(ordered.map(({ turn }) => turn))].slice(0, shown);
    return passages.some(({ turn, isTrue }) => isTrue && turns.includes(turn));
  });
  return `${((100 * met.length) / judged.length).toFixed(1)} % of ${judged.length}`;
}

const lines = (await locomoLines()) as readonly { readonly conversation_id: string }[];
const questions = (await locomoQuestions()).filter(({ category }) => category !== adversarial);
const pairs = paraphrases('taught');
const judged: Judged[] = [];
for (const conversation of ['conv-26', 'conv-30'])
  judged.push(
    ...(await read(
      conversation,
      lines.filter(({ conversation_id }) => conversation_id === conversation),
      questions.filter((one) => one.conversation === conversation),
    )),
  );
const hidden = pairs.map(({ memory }, at) => ({
  conversation_id: `own-${at % 7}`,
  turn_id: `own-${at}`,
  role: 'user',
  text: memory,
  timestamp: `2025-0${1 + (at % 9)}-11T10:00:00Z`,
}));
judged.push(
  ...(await read(
    'paraphrases',
    [...lines.filter(({ conversation_id }) => conversation_id === 'conv-26'), ...hidden],
    pairs.map(({ question }, at) => ({ text: question, evidence: new Set([`own-${at}`]) })),
  )),
);
await encoder.close();
for (const [set, own] of Map.groupBy(judged, (one) => one.set))
  console.log(`${set}, left out: ${found(own, learn(judged.filter((one) => one.set !== set)))}`);
const weights = learn(judged).map((weight) => Math.round(100 * weight) / 100);
for (const [set, own] of Map.groupBy(judged, (one) => one.set)) console.log(`${set}: ${found(own, weights)}`);
const written = {
  about: `Weights of the features of a passage (src/passages/features.ts) in the order of archived turns, by scripts/fit-turns.ts over ${judged.length} questions.`,
  weights: Object.fromEntries(names.map((name, at) => [name, weights[at]])),
  speaker: weights[names.length],
};
console.log(JSON.stringify(written));
if (process.argv.includes('--write')) await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);
