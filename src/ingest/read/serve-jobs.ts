// The loop of a process that parses: a job in, its result or one typed error out, no network. Whatever a job throws or breaks ends here.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { shutNetwork } from './no-network.ts';

/** Above this a child tidies up before it answers: what it still holds then, the next file finds taken. */
const heavyBytes = 384 * 1024 * 1024;
/** Less than this on top of what tidying up left last time is not worth its time, which a child that stays heavy would pay for each file. */
const worthBytes = 48 * 1024 * 1024;
let leftBytes = 0;

/** Returns the bytes that it holds. */
function tidy(): number {
  const heldBytes = process.memoryUsage.rss();
  leftBytes = Math.min(leftBytes, heldBytes);
  if (heldBytes <= Math.max(heavyBytes, leftBytes + worthBytes)) return heldBytes;
  globalThis.gc?.();
  leftBytes = process.memoryUsage.rss();
  return leftBytes;
}

export interface ServedJobs<Job, Reply> {
  work(job: Job): Promise<Reply>;
  /** For people: what the job reads. */
  nameOf(job: Job): string;
  onFailure?(job: Job): void;
}

export function serveJobs<Job, Reply extends object>({ work, nameOf, onFailure }: ServedJobs<Job, Reply>): void {
  const answer = (message: object): void => void process.send?.({ ...message, residentMiB: tidy() / 1024 / 1024 });
  shutNetwork();
  process.on('message', (job: Job) => {
    work(job).then(answer, (thrown: unknown) => {
      const { code, message, details } = asParseError(thrown, nameOf(job));
      onFailure?.(job);
      answer({ error: { code, message, details: { ...details } } });
    });
  });
  process.on('disconnect', () => process.exit(0));
}

/** A parser of others that throws was given a file that it does not understand. */
function asParseError(thrown: unknown, name: string): FootnoteError {
  const error = toFootnoteError(thrown);
  if (error.code !== 'internal') return error;
  // The program, not the file, is at fault: it is incomplete, or asks for what the sandbox does not give.
  const systemCode = (thrown as NodeJS.ErrnoException | undefined)?.code;
  if (systemCode === 'ERR_MODULE_NOT_FOUND' || systemCode === 'ERR_ACCESS_DENIED')
    return new FootnoteError('internal', `The parser of ${name} cannot be started: ${error.message.slice(0, 300)}`);
  if (thrown instanceof RangeError && /alloc|array buffer|string length|array length/iu.test(thrown.message))
    return new FootnoteError(
      'too-large',
      `${name} needs more memory than parsing it may take. Split it, or leave out its largest parts.`,
      { cause: thrown },
    );
  return new FootnoteError(
    'invalid-media',
    thrown instanceof RangeError
      ? `${name} is nested too deeply or too large to parse. Split or simplify it.`
      : `${name} cannot be parsed (${error.message.slice(0, 200)}). It may be damaged: export it again.`,
    { cause: thrown },
  );
}
