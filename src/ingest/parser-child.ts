// The process that parses (started by parser-pool): one file or run of lines in, one result or one typed error out, no
// network, no environment. Whatever it throws or breaks ends here.
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { cutFile, readLines } from './cut.ts';
import type { ChildJob, ChildReply } from './parser-pool.ts';
import { parseFile } from './parsers/registry.ts';

const reply = (message: ChildReply): void => {
  process.send?.(message);
};

async function work(job: ChildJob): Promise<ChildReply> {
  switch (job.kind) {
    case 'parse':
      return { value: await parseFile(job.input, job.quick) };
    case 'cut':
      return { value: await cutFile(job.input, job.plan, job.quick) };
    case 'lines':
      return { value: readLines(job.lines) };
  }
}

process.on('message', (job: ChildJob) => {
  work(job).then(reply, (thrown: unknown) => {
    const name = job.kind === 'lines' ? `Line ${job.lines.firstLine}` : job.input.name;
    const { code, message, details } = asParseError(thrown, name);
    reply({ error: { code, message, details: { ...details } } });
  });
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
