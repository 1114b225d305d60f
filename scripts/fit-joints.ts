// Fits the weights by which joints of questions are read (src/agent/plan/joints.ts) on marked questions: those of testkit/asked-parts/fitted.tsv, pairs of
// German questions of XQuAD, and questions of HotpotQA and XQuAD-de that ask one thing. It says how well each fifth is read by what the others taught.
// In a marked question `//` stands where one question ends, and `{…}` around things that are asked alike. Usage: node scripts/fit-joints.ts [--write] [--show]. Deterministic.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Joint,
  type JointWeights,
  jointsOf,
  type Reading,
  readingsOf,
  signsOf,
  weighJoint,
} from '../src/agent/plan/joints.ts';
import { type QuestionWords, withoutLead, wordsOf } from '../src/agent/plan/words.ts';
import { seededRandom } from '../testkit/models/hostile-gallery.ts';
import { sharedQueries } from '../testkit/shared-data.ts';

interface Marked {
  readonly source: string;
  readonly question: string;
}
interface Instance {
  readonly source: string;
  readonly words: QuestionWords;
  readonly joint: Joint;
  readonly joints: readonly Joint[];
  readonly wanted: Reading;
}

const bare = (text: string): string => text.trim().replace(/[\s?.!]+$/u, '');

function marked(): readonly Marked[] {
  const written = readFileSync(new URL('../testkit/asked-parts/fitted.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [source = '', question = ''] = line.split('\t');
      return question.split('//?').map((one) => ({ source, question: one }));
    });
  const random = seededRandom(31);
  const german = sharedQueries('xquad-de').filter((text) => text.length < 110);
  const draw = (): string => bare(german[Math.floor(random() * german.length)] ?? '');
  const joins = [', und ', ' und ', ', und außerdem ', '; und '];
  const pairs = Array.from({ length: 60 }, (_, at) => ({
    source: 'xquad-de pairs',
    question: `${draw()}//${joins[at % joins.length]}${draw().replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())}`,
  }));
  const whole = german.filter((text) => /,| (?:und|oder) /u.test(text));
  // Those that set two things side by side are no questions about one thing.
  const english = sharedQueries('hotpotqa-100').filter(
    (text) => /,| (?:and|or) /u.test(text) && !/ or | both /u.test(text),
  );
  return [
    ...written,
    ...pairs,
    ...whole.map((question) => ({ source: 'xquad-de', question })),
    ...english.map((question) => ({ source: 'hotpotqa', question })),
    ...['cosqa', 'time'].flatMap((source) =>
      sharedQueries(source)
        .filter((text) => /,| (?:and|or) /u.test(text) && text.length < 200)
        .map((question) => ({ source, question })),
    ),
  ];
}

/** The joints of a marked question with how each is to be read; where it is two questions, those of each as well. */
function instancesOf({ source, question }: Marked): readonly Instance[] {
  const cuts: number[] = [];
  const lists: { from: number; to: number }[] = [];
  let text = '';
  for (const piece of withoutLead(bare(question)).split(/(\/\/|[{}])/u)) {
    if (piece === '//') cuts.push(text.length);
    else if (piece === '{') lists.push({ from: text.length, to: text.length });
    else if (piece === '}') (lists.at(-1) as { to: number }).to = text.length;
    else text += piece;
  }
  const words = wordsOf(text);
  const joints = jointsOf(words);
  const own = joints.map((joint): Instance => {
    const [start, end] = [words.words[joint.from - 1]?.end ?? 0, words.words[joint.to]?.start ?? 0];
    const list = lists.find(({ from, to }) => from <= start && end <= to);
    const isList =
      list && words.words.slice(joint.from, joint.to).some(({ kind }) => kind !== 'comma' && kind !== 'semicolon');
    const wanted: Reading = cuts.some((cut) => cut >= start && cut <= end)
      ? { as: 'questions' }
      : isList
        ? {
            as: 'list',
            from: words.words.findIndex((word) => word.start >= list.from),
            to: words.words.findLastIndex((word) => word.end <= list.to) + 1,
          }
        : { as: 'whole' };
    return { source, words, joint, joints, wanted };
  });
  if (cuts.length === 0) return own;
  const joined = /^[\s,;&]*(?:(?:and|und|y|et|or|oder|but|also|then|plus)\b[\s,]*)*/iu;
  return [
    ...own,
    ...question.split('//').flatMap((part) => instancesOf({ source, question: part.replace(joined, '') })),
  ];
}

const isSame = (a: Reading, b: Reading): boolean =>
  a.as === b.as && (a.as !== 'list' || b.as !== 'list' || (a.from === b.from && a.to === b.to));

const ridge = 1;
const rounds = 250;
const leastKept = 14;
const scale = 100;
/** Nobody looked whether each question of other sets asks one thing. */
const ofOthers = 0.4;
const written: ReadonlySet<string> = new Set(['en', 'de', 'es', 'fr']);

/** A softmax over the readings of each joint, drawn to zero, by Nesterov's descent with a step of its own for each sign. */
function fitJoints(instances: readonly Instance[]): JointWeights {
  const names = new Map<string, number>();
  const rows = instances.flatMap(({ source, words, joint, joints, wanted }) => {
    const readings = readingsOf(words, joint, joints);
    const right = readings.findIndex((reading) => isSame(reading, wanted));
    if (right < 0) return [];
    const signs = readings.map((reading) =>
      Int32Array.from(signsOf(words, joint, reading), (sign) => {
        if (!names.has(sign)) names.set(sign, names.size);
        return names.get(sign) ?? 0;
      }),
    );
    return [{ right, signs, weight: written.has(source) ? 1 : ofOthers }];
  });
  let weights = new Float64Array(names.size);
  const squares = new Float64Array(names.size).fill(1e-8);
  let push = new Float64Array(names.size);
  for (let round = 1; round <= rounds; round += 1) {
    const gradient = weights.map((weight) => ridge * weight);
    for (const { right, signs, weight } of rows) {
      const scores = signs.map((own) => own.reduce((sum, at) => sum + (weights[at] ?? 0), 0));
      const most = Math.max(...scores);
      const chances = scores.map((score) => Math.exp(score - most));
      const all = chances.reduce((sum, one) => sum + one, 0);
      for (const [reading, own] of signs.entries()) {
        const error = weight * ((chances[reading] ?? 0) / all - (reading === right ? 1 : 0));
        if (Math.abs(error) > 1e-5) for (const at of own) gradient[at] = (gradient[at] ?? 0) + error;
      }
    }
    push = push.map((one, at) => 0.9 * one + 0.1 * (gradient[at] ?? 0));
    for (let at = 0; at < squares.length; at += 1)
      squares[at] = 0.99 * (squares[at] ?? 0) + 0.01 * (gradient[at] ?? 0) ** 2;
    const [bias, spread] = [1 - 0.9 ** round, 1 - 0.99 ** round];
    weights = weights.map(
      (weight, at) => weight - (0.06 * ((push[at] ?? 0) / bias)) / (Math.sqrt((squares[at] ?? 0) / spread) + 1e-6),
    );
  }
  const kept = [...names]
    .map(([name, at]) => [name, Math.round(scale * (weights[at] ?? 0))] as const)
    .filter(([, weight]) => Math.abs(weight) >= leastKept);
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const groups = marked().map(instancesOf);
const missed: string[] = [];
/** How often joints are read right that are read with about such a chance. */
const sure = new Map<number, [right: number, all: number]>();
const told = new Map<string, [right: number, all: number]>();
for (const fifth of [0, 1, 2, 3, 4]) {
  const by = fitJoints(groups.filter((_, at) => at % 5 !== fifth).flat());
  for (const { source, words, joint, joints, wanted } of groups.filter((_, at) => at % 5 === fifth).flat()) {
    const { reading: read, chance } = weighJoint(words, joint, { joints, by });
    const tenth = Math.min(9, Math.floor(chance * 10));
    const known = sure.get(tenth) ?? [0, 0];
    sure.set(tenth, [known[0] + (read.as === wanted.as ? 1 : 0), known[1] + 1]);
    for (const key of [`${source}: ${wanted.as}`, `all: ${wanted.as}`]) {
      const count = told.get(key) ?? [0, 0];
      told.set(key, [count[0] + (isSame(read, wanted) ? 1 : 0), count[1] + 1]);
    }
    if (!isSame(read, wanted))
      missed.push(
        `${words.text} [${words.words.slice(joint.from, joint.to).map(({ text }) => text)}] ${JSON.stringify(wanted)} read ${JSON.stringify(read)}`,
      );
  }
}
if (process.argv.includes('--show')) for (const one of missed) console.log(one);
for (const [key, [right, all]] of [...told].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(key, right, 'of', all, (right / all).toFixed(2));
for (const [tenth, [right, all]] of [...sure].sort(([a], [b]) => a - b))
  console.log(`chance ${tenth / 10}..${(tenth + 1) / 10}: right`, right, 'of', all, (right / all).toFixed(2));
const weights = fitJoints(groups.flat());
const text = `${JSON.stringify(weights, undefined, 1)}\n`;
console.log(`${Object.keys(weights).length} signs, ${text.length} letters`);
if (process.argv.includes('--write'))
  writeFileSync(resolve(import.meta.dirname, '../src/agent/plan/joints.json'), text);
