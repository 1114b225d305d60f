// A run of a suite, as `footnote eval run` writes it into run.json. It is read in the browser alone and goes nowhere. Pure.

export interface RunResult {
  readonly id: string;
  readonly question: string;
  /** By name, each 0..1. */
  readonly measures: Readonly<Record<string, number>>;
  readonly reasons: Readonly<Record<string, string>>;
  /** Names of judges that it does not pass. */
  readonly missed: readonly string[];
  readonly abstained: boolean;
  readonly answer?: string | undefined;
  readonly cited: readonly unknown[];
  readonly error?: string | undefined;
}
export interface Run {
  readonly suite: { readonly name: string; readonly sha256: string };
  readonly program: string;
  readonly at: string;
  readonly mode: string;
  readonly judges: readonly { readonly name: string; readonly by: string; readonly threshold: number }[];
  readonly results: readonly RunResult[];
}

export interface OpenRun {
  /** As it is called here: its suite, its time and its version. */
  readonly name: string;
  readonly run: Run;
}

/** The shape of the file that is known. */
const knownVersion = 1;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const holds = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  isObject(value) && Object.values(value).every(isOne);
const lists = (value: unknown, isOne: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(isOne);

const isResult = (value: unknown): boolean =>
  isObject(value) &&
  isText(value['id']) &&
  isText(value['question']) &&
  holds(value['measures'], Number.isFinite) &&
  holds(value['reasons'], isText) &&
  lists(value['missed'], isText) &&
  typeof value['abstained'] === 'boolean' &&
  (value['answer'] === undefined || isText(value['answer'])) &&
  (value['error'] === undefined || isText(value['error'])) &&
  Array.isArray(value['cited']);

const isJudge = (value: unknown): boolean =>
  isObject(value) && isText(value['name']) && isText(value['by']) && Number.isFinite(value['threshold']);

const isRun = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value['suite']) &&
  isText(value['suite']['name']) &&
  isText(value['suite']['sha256']) &&
  isText(value['program']) &&
  isText(value['at']) &&
  !Number.isNaN(Date.parse(value['at'])) &&
  isText(value['mode']) &&
  lists(value['judges'], isJudge) &&
  lists(value['results'], isResult);

/** Throws for what is no run, and says what to do. */
export function readRun(text: string, name: string): Run {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isObject(value) || value['format'] !== 'footnote-eval-run' || !isRun(value))
    throw new Error(`${name} is no run of a suite. Choose the run.json that footnote eval run wrote.`);
  if (typeof value['version'] !== 'number' || value['version'] > knownVersion)
    throw new Error(`${name} was written by a newer Footnote. Open it with the pages of that one.`);
  return value as unknown as Run;
}
