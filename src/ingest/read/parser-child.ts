// The process that parses (started by parser-process): one file or run of lines in, one result or one typed error out, no
// network, no environment. Whatever it throws or breaks ends here.

import type { ParseInput, UnpackedFile, UnpackLimits } from '@footnote/readers/reader';
import { parseFile } from '@footnote/readers/registry/registry';
import { decodeWholeUtf16 } from '@footnote/readers/whole-utf16';
import { neverRead } from '../connectors/walk.ts';
import { cutFile, readLines } from './cut.ts';
import type { ChildJob, ChildReply, UnpackReply } from './parser-process.ts';
import { serveJobs } from './serve-jobs.ts';

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

decodeWholeUtf16();
serveJobs<ChildJob, Exclude<ChildReply, { progress: true }>>({
  work,
  nameOf,
  onFailure(job) {
    if (job.kind.startsWith('unpack')) unpacking = undefined;
  },
});
