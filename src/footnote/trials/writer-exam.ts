// Six questions to the model that writes answers, over documents that come with the program and of which no model can know: four that they answer, two
// that they do not. They are asked as people ask, in a throw-away data folder, so that what is told of the model is what its readers will see.
import type { Config } from '../../config.ts';
import type { Answer } from '../../core/answer.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { CallOptions } from '../../models/language/call-options.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { openLanguageModels } from '../roles/language-models.ts';
import { openEvaluatedSystem } from './evaluated-system.ts';
import { keepMeasured, measureOwnWord } from './own-word.ts';
import { toCall } from './role-trials.ts';

export interface ExamAnswer {
  readonly question: string;
  /** `right`: a sentence of the model says it. `passage`: none held, and the passages stand alone. `wrong`: a sentence says something else. `refused`: nothing is asserted. */
  readonly result: 'right' | 'passage' | 'wrong' | 'refused';
  readonly hasAnswer: boolean;
  readonly ms: number;
}

export interface WriterExam {
  readonly answers: readonly ExamAnswer[];
  /** How it was asked: `prose` where it failed to write claims, or is never asked for them. */
  readonly form: 'claims' | 'prose';
  /** Sentences that stood in answers, and those that nothing confirmed, which stand apart. */
  readonly sentences: { readonly confirmed: number; readonly unconfirmed: number };
  /** Questions at which the model failed, with the last reason. */
  readonly failed: { readonly count: number; readonly reason?: string };
  readonly medianMs: number;
  /** What it can be trusted with, a sentence each. */
  readonly verdict: readonly string[];
}

export const documents = [
  {
    id: 'lighthouse',
    title: 'The lighthouse of Sandholm',
    text: 'The lighthouse of Sandholm was lit for the first time in 1887. It is 43 metres tall and stands on a base of granite. Its lamp can be seen over 21 nautical miles. A keeper lived in it until 1964, when the lamp was made automatic.',
  },
  {
    id: 'pump',
    title: 'Pump P-7: maintenance',
    text: 'The filter of pump P-7 is changed every 300 hours. Before the pump is opened, the valve V-2 must be closed and the pressure released. The pump must never run dry: its bearings are cooled by the water that it moves.',
  },
  {
    id: 'house-rules',
    title: 'House rules of the Strandhof',
    text: 'Dogs are not allowed in the dining hall of the Strandhof. They may sleep in the rooms of the ground floor for 8 euros a night. Breakfast is served from 7 to 10.',
  },
  {
    id: 'arbeitsvertrag',
    title: 'Arbeitsvertrag der Fährgesellschaft',
    text: 'Die Probezeit bei der Fährgesellschaft beträgt vier Monate. Nach der Probezeit beträgt die Kündigungsfrist sechs Wochen zum Monatsende. Überstunden werden mit freien Tagen ausgeglichen.',
  },
  {
    id: 'night-ferry',
    title: 'The night ferry',
    text: 'The night ferry to Sandholm leaves Lund at 22:40 and arrives at 6:15. It carries 180 cars. Cabins have two or four beds, and are booked at the office in the harbour.',
  },
];

interface ExamQuestion {
  readonly question: string;
  /** What a right sentence says; absent: the documents do not answer. */
  readonly right?: RegExp;
}

const questions: readonly ExamQuestion[] = [
  { question: 'How tall is the lighthouse of Sandholm?', right: /\b43\b/u },
  { question: 'What must be done before pump P-7 is opened?', right: /pressure|V-2/u },
  { question: 'Are dogs allowed in the dining hall of the Strandhof?', right: /\bnot\b|n['’]t\b|^no\b/iu },
  { question: 'Wie lang ist die Kündigungsfrist nach der Probezeit?', right: /sechs wochen|6 wochen/iu },
  { question: 'What does a cabin on the night ferry cost?' },
  { question: 'Who designed the lighthouse of Sandholm?' },
];

export interface ExamOptions {
  readonly onQuestion?: (number: number, of: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Throws what opening a Footnote throws, and `cancelled`. A question at which the model fails is a result. */
export async function examineWriter(config: Config, { onQuestion, signal }: ExamOptions = {}): Promise<WriterExam> {
  const system = await openEvaluatedSystem(config);
  const told: { readonly asked: ExamQuestion; readonly answer: Answer }[] = [];
  try {
    await system.ingest(each(documents), signal);
    for (const [at, asked] of questions.entries()) {
      onQuestion?.(at + 1, questions.length);
      told.push({ asked, answer: await system.ask(asked.question, { mode: config.defaultMode }, signal) });
    }
  } finally {
    await system.close();
  }
  const exam = examOf(told, config);
  return { ...exam, verdict: [...exam.verdict, ...(await ownWordOf(config, exam, signal))] };
}

async function ownWordOf(
  config: Config,
  { answers, failed, medianMs }: WriterExam,
  signal?: AbortSignal,
): Promise<string[]> {
  const opened = await openLanguageModels(config);
  try {
    const model = opened.models.of('answer');
    if (model?.provider !== 'gguf' || failed.count === answers.length) return [];
    return await examineOwnWord(model, {
      folder: config.models.folder,
      answerMs: medianMs,
      toCall: () => toCall(config.requestTimeoutMs, undefined, signal),
    });
  } finally {
    await opened.close();
  }
}

interface OwnWordExam {
  /** Of models. */
  readonly folder: string;
  /** What an answer of it takes, milliseconds. */
  readonly answerMs: number;
  readonly toCall: () => CallOptions;
}

/** Measures whether a file of this machine may judge what it wrote, keeps it, and says it. One that fails is no judge. Throws `cancelled` alone. */
export async function examineOwnWord(
  model: LanguageModel,
  { folder, answerMs, toCall: call }: OwnWordExam,
): Promise<string[]> {
  const failures: string[] = [];
  const failed = (what: string) => (thrown: unknown) => {
    const error = toFootnoteError(thrown);
    if (error.code === 'cancelled') throw error;
    failures.push(`${what}: ${error.message}`);
  };
  const word = await measureOwnWord(model, documents, call).catch(failed('Asked about statements it failed'));
  const kept = { answerMs, ...(word?.leastYes !== undefined && { leastYes: word.leastYes }) };
  const isKept = await keepMeasured(folder, model, kept).catch(failed('What was measured could not be kept'));
  if (word?.leastYes === undefined)
    return ['It is no judge of its own sentences: only rules confirm them.', ...failures];
  const { leastYes, carried, affirmed } = word;
  const use =
    isKept === false
      ? '. "footnote models add" puts it on the list where that is remembered'
      : isKept
        ? ': its sentences are confirmed so where rules cannot tell'
        : '';
  return [
    `Asked whether documents carry a statement, it affirms ${affirmed} of ${carried} that they do and none that they do not, from a chance of ${leastYes} on${use}.`,
    ...failures,
  ];
}

async function* each<T>(values: readonly T[]): AsyncIterable<T> {
  yield* values;
}

const isWritten = ({ form }: Answer['claims'][number]): boolean => form === undefined;
const askedInSentences = 'answered-in-sentences';
/** The model was heard, and something came of it or nothing held. */
const isHeard = /^(?:answered-in-sentences|context-shrunk|claims-(?:unsupported|replaced))$/u;

function examOf(
  told: readonly { readonly asked: ExamQuestion; readonly answer: Answer }[],
  { language }: Pick<Config, 'language'>,
): WriterExam {
  const written = told.flatMap(({ answer }) => answer.claims.filter(isWritten));
  const confirmed = written.filter((claim) => claim.confirmed !== false).length;
  const failures = told.flatMap(
    ({ answer: { degraded } }) =>
      degraded.find(({ component, code }) => component === 'answer-model' && !isHeard.test(code)) ?? [],
  );
  const isProse = told.some(({ answer }) => answer.degraded.some(({ code }) => code === askedInSentences));
  const answers = told.map(({ asked, answer }) => ({
    question: asked.question,
    result: resultOf(asked, answer),
    hasAnswer: asked.right !== undefined,
    ms: Math.round(answer.timings.totalMs),
  }));
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const exam = {
    answers,
    form: isProse || language.answerForm === 'prose' ? ('prose' as const) : ('claims' as const),
    sentences: { confirmed, unconfirmed: written.length - confirmed },
    failed: { count: failures.length, ...(failures.at(-1) && { reason: failures.at(-1)?.detail ?? '' }) },
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
  };
  return { ...exam, verdict: verdictOf(exam, isProse) };
}

function resultOf({ right }: ExamQuestion, answer: Answer): ExamAnswer['result'] {
  const said = answer.claims.filter((claim) => isWritten(claim) && claim.confirmed !== false);
  if (said.length === 0) return answer.abstained ? 'refused' : 'passage';
  return right !== undefined && said.some(({ text }) => right.test(text)) ? 'right' : 'wrong';
}

const countOf = (answers: readonly ExamAnswer[], ...results: readonly ExamAnswer['result'][]): number =>
  answers.filter(({ result }) => results.includes(result)).length;

function verdictOf({ answers, failed, medianMs, sentences }: Omit<WriterExam, 'verdict'>, isProse: boolean): string[] {
  const [known, unknown] = [answers.filter((one) => one.hasAnswer), answers.filter((one) => !one.hasAnswer)];
  const [right, wrong] = [countOf(known, 'right'), countOf(known, 'wrong')];
  const invented = countOf(unknown, 'wrong', 'right');
  if (failed.count === answers.length)
    return [`It answered nothing: ${failed.reason} Passages of the documents answer as without it.`];
  return [
    isProse
      ? 'It does not manage claims with quotes as JSON, so that it is asked again for plain sentences. ANSWER_FORM=prose asks it like that at once.'
      : 'It writes in the form that it is asked for.',
    `Of ${known.length} questions that the documents answer, its own sentences answer ${right}${wrong > 0 ? `, and ${wrong} with something else` : ''}; to the others the passages stand alone.`,
    `Of ${unknown.length} questions that they do not answer, it ${invented === 0 ? 'invents nothing' : `answers ${invented} with a sentence of a document that does not`}.`,
    ...(sentences.unconfirmed > 0
      ? [`${sentences.unconfirmed} of its sentences could not be confirmed, and are shown apart as such.`]
      : []),
    ...(failed.count > 0 ? [`It failed at ${failed.count} questions: ${failed.reason}`] : []),
    `An answer takes ${(medianMs / 1000).toFixed(1)} s.`,
    right >= 3 && wrong + invented === 0
      ? 'Trust it to put answers into a sentence or two: each is checked against its passage.'
      : right >= 2 && wrong + invented <= 1
        ? 'Read its sentences with the passage beside them: they are checked, but it often picks another one than was asked for.'
        : 'Expect little of it: the passages alone (MODEL_ANSWER=none) serve as well.',
  ];
}
