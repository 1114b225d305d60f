// The contract of everything scripted: steps in order, each used once. Invariants: a call that the script does not expect fails, and so
// does a script with steps left, even where the caller swallowed the failure.
import { FootnoteError } from '../../core/errors.ts';

export interface ScriptStep<Request, Reply> {
  /** Must stand in what was asked, or be true of the request; otherwise the call is unexpected. */
  readonly expect?: string | RegExp | ((request: Request) => boolean);
  readonly reply: Reply | ((request: Request) => Reply);
}

export interface Script<Request, Reply> {
  /** What was asked, in order. */
  readonly requests: readonly Request[];
  /** The reply of the next step. Throws `internal` for a call that is not expected. */
  next(request: Request): Reply;
  /** Counts something else that went wrong. */
  fail(mistake: string): void;
  /** Throws if a call was not expected or a step not used. */
  assertFinished(): void;
}

export interface ScriptOptions<Request> {
  /** As messages call it: `Scripted model`. */
  readonly name: string;
  /** What was asked, as text. */
  readonly textOf: (request: Request) => string;
}

/** `Reply` is no function. */
export function createScript<Request, Reply>(
  steps: readonly ScriptStep<Request, Reply>[],
  { name, textOf }: ScriptOptions<Request>,
): Script<Request, Reply> {
  const requests: Request[] = [];
  const mistakes: string[] = [];
  return {
    requests,
    next(request) {
      const step = steps[requests.length];
      requests.push(request);
      const asked = textOf(request);
      const mistake = !step
        ? `call ${requests.length} is one more than the script has steps`
        : meets(step.expect, request, asked)
          ? undefined
          : `call ${requests.length} is not the one that the script expects (${String(step.expect)})`;
      if (mistake !== undefined || !step) {
        mistakes.push(`${mistake}: "${asked.slice(-200)}"`);
        throw new FootnoteError('internal', `${name}: ${mistakes.at(-1)}`);
      }
      return typeof step.reply === 'function' ? (step.reply as (request: Request) => Reply)(request) : step.reply;
    },
    fail: (mistake) => void mistakes.push(mistake),
    assertFinished() {
      const left = steps.length - requests.length;
      const unused = left > 0 ? [`${left} of ${steps.length} steps were not used`] : [];
      const all = [...mistakes, ...unused];
      if (all.length > 0) throw new FootnoteError('internal', `${name}: ${all.join('; ')}`);
    },
  };
}

function meets<Request>(expected: ScriptStep<Request, unknown>['expect'], request: Request, asked: string): boolean {
  if (expected === undefined) return true;
  if (typeof expected === 'string') return asked.includes(expected);
  return expected instanceof RegExp ? expected.test(asked) : expected(request);
}
