// The process that reads an export (started by export-process.ts): a file in, conversations in pieces out, the next ones when they are asked for.
import { serveJobs } from '../../../ingest/read/serve-jobs.ts';
import type { ExportJob, ExportReply, ExportRequest } from './export-process.ts';
import type { IncomingItem } from './incoming.ts';
import { openExport, unmistakable } from './open-export.ts';
import { toSentPieces } from './sent-pieces.ts';
import { createWarnings } from './warnings.ts';

/** What travels in one message. */
const charactersTogether = 500_000;
const turnsTogether = 200;
/** After so many bytes of the file the work is seen to go on. */
const progressBytes = 16 * 1024 * 1024;

let reading: AsyncGenerator<ExportReply> | undefined;
let name = 'The export';

const sizeOf = (item: IncomingItem): number =>
  'mail' in item
    ? item.mail.length
    : item.turns.reduce((sum, { messages }) => messages.reduce((all, { text }) => all + text.length, sum), 0);

async function* read(request: ExportRequest): AsyncGenerator<ExportReply> {
  let bytes = 0;
  const onRead = (more: number): void => {
    bytes += more;
    if (bytes < progressBytes) return;
    bytes = 0;
    process.send?.({ progress: true });
  };
  const { format, pieces } = await openExport(request.path, { ...request, onRead });
  const isUnmistakable = unmistakable.has(format);
  const { warn, take } = createWarnings();
  const notes = { warn, timeZone: request.timeZone, name: request.name.replace(/\.[^.]+$/u, '') };
  // Nothing more is done for who only wants to know the format.
  yield { format, isUnmistakable, items: [], warned: take(), isLast: false };
  let items: IncomingItem[] = [];
  let [characters, turns] = [0, 0];
  for await (const item of toSentPieces(pieces(notes), notes)) {
    items.push(item);
    characters += sizeOf(item);
    turns += 'mail' in item ? 1 : item.turns.length;
    if (characters < charactersTogether && turns < turnsTogether) continue;
    yield { format, isUnmistakable, items, warned: take(), isLast: false };
    items = [];
    [characters, turns] = [0, 0];
  }
  yield { format, isUnmistakable, items, warned: take(), isLast: true };
}

async function next(): Promise<{ readonly value: ExportReply }> {
  const { value } = (await reading?.next()) ?? {};
  if (value === undefined) throw new Error('No export is open.');
  return { value: value as ExportReply };
}

serveJobs<ExportJob, { readonly value: ExportReply }>({
  async work(job) {
    if (job.kind === 'open') {
      name = job.name;
      reading = read(job);
    }
    return next();
  },
  nameOf: () => name,
});
