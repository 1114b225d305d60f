// The process that parses (started by parser-pool): one file in, one document or one typed error out, no network, no
// environment. Whatever it throws or breaks ends here.
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { ParseJob, ParseReply } from './parser-pool.ts';
import { parseFile } from './parsers/registry.ts';

const reply = (message: ParseReply): void => {
  process.send?.(message);
};

process.on('message', ({ input, quick }: ParseJob) => {
  parseFile(input, quick).then(
    (document) => reply({ document }),
    (thrown: unknown) => {
      const { code, message, details } = asParseError(thrown, input.name);
      reply({ error: { code, message, details: { ...details } } });
    },
  );
});
process.on('disconnect', () => process.exit(0));

/** A parser of others that throws was given a file that it does not understand. */
function asParseError(thrown: unknown, name: string): FootnoteError {
  const error = toFootnoteError(thrown);
  if (error.code !== 'internal') return error;
  const isTooDeep = thrown instanceof RangeError;
  return new FootnoteError(
    'invalid-media',
    isTooDeep
      ? `${name} is nested too deeply or too large to parse. Split or simplify it.`
      : `${name} cannot be parsed (${error.message.slice(0, 200)}). It may be damaged: export it again.`,
    { cause: thrown },
  );
}
