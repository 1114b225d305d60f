// The process that parses (started by parser-process): one file or run of lines in, one result or one typed error out, no
// network, no environment. Whatever it throws or breaks ends here.

import type { ParseInput, UnpackedFile, UnpackLimits } from '@footnote/readers/reader';
import { parseFile } from '@footnote/readers/registry/registry';
import { decodeWholeUtf16 } from '@footnote/readers/whole-utf16';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { neverRead } from '../connectors/walk.ts';
import { cutFile, readLines } from './cut.ts';
import { shutNetwork } from './no-network.ts';
import type { ChildJob, ChildReply, UnpackReply } from './parser-process.ts';

/** Files that travel in one message, as far as their bytes allow: another one waits until it is asked for. */
const filesPerReply = 64;
const bytesPerReply = 4 * 1024 * 1024;

/** The archive at hand, between two messages. */
let unpacking: { readonly files: AsyncGenerator<UnpackedFile>; readonly name: string } | undefined;

const reply = (message: ChildReply): void => {
  process.send?.(message);
};

const withProgress = (input: ParseInput): ParseInput => ({ ...input, onProgress: () => reply({ progress: true }) });

async function unpack(input: ParseInput, limits: UnpackLimits): Promise<UnpackReply> {
  const { openArchive } = await import('@footnote/readers/registry/archive-files');
  unpacking = { files: openArchive(input, limits, neverRead), name: input.name };
  return unpackMore();
}

async function unpackMore(): Promise<UnpackReply> {
  const files: UnpackedFile[] = [];
  let bytes = 0;
  while (unpacking !== undefined && files.length < filesPerReply && bytes < bytesPerReply) {
    const next = await unpacking.files.next();
    if (next.done) {
      unpacking = undefined;
      break;
    }
    files.push(next.value);
    if (next.value.content instanceof Uint8Array) bytes += next.value.content.length;
  }
  return { files, isLast: unpacking === undefined };
}

async function work(job: ChildJob): Promise<Exclude<ChildReply, { progress: true }>> {
  switch (job.kind) {
    case 'parse':
      return { value: await parseFile(withProgress(job.input), job.quick) };
    case 'cut':
      return { value: await cutFile(withProgress(job.input), job.plan, job.quick) };
    case 'lines':
      return { value: readLines(job.lines) };
    case 'links': {
      const { readWebLinks } = await import('@footnote/readers/web/links');
      return { value: readWebLinks(job.input) };
    }
    case 'unpack':
      return { value: await unpack(job.input, job.limits) };
    case 'unpack-more':
      return { value: await unpackMore() };
  }
}

function nameOf(job: ChildJob): string {
  if (job.kind === 'lines') return `Line ${job.lines.firstLine}`;
  return job.kind === 'unpack-more' ? (unpacking?.name ?? 'The archive') : job.input.name;
}

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

const answer = (message: Exclude<ChildReply, { progress: true }>): void =>
  reply({ ...message, residentMiB: tidy() / 1024 / 1024 });

shutNetwork();
decodeWholeUtf16();
process.on('message', (job: ChildJob) => {
  work(job).then(answer, (thrown: unknown) => {
    const { code, message, details } = asParseError(thrown, nameOf(job));
    if (job.kind.startsWith('unpack')) unpacking = undefined;
    answer({ error: { code, message, details: { ...details } } });
  });
});
process.on('disconnect', () => process.exit(0));

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
