// The uploads of this tab, and the questions that what was added offers.
import { computed, signal } from '@preact/signals';
import { report, spoken } from '../ask/session.ts';
import { call, callJson, failureOf, Problem } from '../shared/api.ts';
import { inOrder } from '../shared/text.ts';
import { caller, holdings, loadCaller, loadHoldings } from '../shell/holdings.ts';
import type { Run } from '../sources/runs.ts';
import { sourceChoices, usualSource } from './facts.ts';
import { questionsOf, type Section, sectionsOfOutline, sectionsOfPieces } from './offered-questions.ts';
import {
  createUploadQueue,
  isOpen,
  outcomeOf,
  type Refusal,
  type Taken,
  type TakenDocument,
  type Upload,
} from './upload-queue.ts';
import { becameOf, followRun, goesAlone } from './upload-run.ts';

export interface GivenFile {
  readonly name: string;
  /** Absent: a folder, which the browser gives no bytes of. */
  readonly file?: File;
  /** As it was chosen. Absent: the first that takes files. */
  readonly source?: string;
}

export const uploads = signal<readonly Upload<GivenFile>[]>([]);
export const isUploading = computed(() => uploads.value.some(({ state }) => isOpen(state)));
export const offered = signal<readonly string[]>([]);
/** Grows with every document that was added, so that lists are read again. */
export const added = signal(0);

/** Empty: the first choice. */
export const chosenSource = signal('');
export const choices = computed(() => sourceChoices(holdings.value?.sources ?? [], caller.value?.sources));

/** What is given before it is known what the key may, and which sources there are, waits for both. */
async function known(): Promise<void> {
  await Promise.all([caller.value ?? loadCaller(), holdings.value ?? loadHoldings()]);
}

const folderRefusal = {
  title: 'This is a folder',
  detail: 'Choose its files, or add it under “All sources”, where the server reads a folder of its own machine.',
};

/** Files that go together: more of them take long to arrive, and to be told of. */
const mostTogether = 50;
const mostBytesTogether = 16 * 1024 * 1024;

/** One name twice would be one document. What comes of a file must tell that it does. */
function fits(together: readonly GivenFile[], { name, file, source }: GivenFile): boolean {
  const [first] = together;
  const bytes = together.reduce((sum, one) => sum + (one.file?.size ?? 0), file?.size ?? 0);
  return (
    first?.file !== undefined &&
    file !== undefined &&
    first.source === source &&
    together.length < mostTogether &&
    bytes <= mostBytesTogether &&
    together.every((one) => one.name !== name) &&
    !goesAlone(first.name, first.file.type) &&
    !goesAlone(name, file.type)
  );
}

async function send(
  together: readonly GivenFile[],
  told: (at: number, became: Taken | Refusal) => void,
  stopped: AbortSignal,
): Promise<void> {
  const form = new FormData();
  const [{ source = choices.value[0] } = {}] = together;
  if (source !== undefined && source !== usualSource) form.append('source', source);
  for (const { file } of together) {
    if (!file) throw new Problem(folderRefusal, { status: 415 });
    form.append('file', file, file.name);
  }
  // Whoever adds a file here wants it read, also when it was given up before.
  const { id } = await callJson<Run>('v1/ingestions?retry=true', { body: form, signal: stopped });
  await followRun({ id, names: together.map(({ name }) => name) }, (at, files) => told(at, becameOf(files)), stopped);
}

function refusalOf(error: unknown): Refusal {
  const failure = failureOf(error);
  if (error instanceof TypeError)
    return { ...failure, detail: 'The file may have changed or be too large, or the connection broke. Try again.' };
  return failure;
}

const queue = createUploadQueue<GivenFile>({
  known,
  fits,
  send,
  // Taken away already: that is what was wanted.
  remove: (id) =>
    call(`v1/documents/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch((error: unknown) => {
      if (!(error instanceof Problem && error.status === 404)) throw error;
    }),
  refusalOf,
  onChange(changed) {
    uploads.value = changed;
  },
});

export const { stop: stopUploads, clear: clearUploads } = queue;

/** Forgets what has ended, and what it offered. */
export function forgetUploads(): void {
  queue.clear();
  offered.value = [];
}

async function settled(work: Promise<void>): Promise<void> {
  await work;
  if (isUploading.value) return;
  spoken.value = outcomeOf(uploads.value);
  added.value += 1;
  await loadHoldings();
  offered.value = await questionsOfAdded();
}

export function addFiles(files: readonly GivenFile[]): void {
  if (files.length === 0) return;
  spoken.value = `Reading ${files.length === 1 ? inOrder(files[0]?.name ?? '') : `${files.length} files`}…`;
  const source = choices.value.includes(chosenSource.value) ? chosenSource.value : undefined;
  settled(queue.add(files.map((one) => ({ ...one, ...(source !== undefined && { source }) })))).catch(report);
}

/** Takes away what these files brought. */
export function undoUploads(keys: readonly number[]): void {
  settled(queue.undo(keys)).catch((error: unknown) => {
    added.value += 1;
    report(error);
  });
}

export function retryUpload(key: number): void {
  settled(queue.retry(key)).catch(report);
}

/** Pieces up to which the whole structure is asked for: above, it may be large. */
const smallDocument = 40;
const largestDocument = 4000;
const documentsAsked = 6;

async function sectionsOf({ id, chunks }: TakenDocument): Promise<Section[]> {
  const path = `v1/documents/${encodeURIComponent(id)}`;
  if (chunks > smallDocument)
    return sectionsOfPieces((await callJson<{ data: Parameters<typeof sectionsOfPieces>[0] }>(`${path}/chunks`)).data);
  const { headings } = await callJson<{ headings: Parameters<typeof sectionsOfOutline>[0] }>(`${path}/structure`);
  if (headings.length > 0) return sectionsOfOutline(headings);
  const { title, textLength } = await callJson<{ title: string; textLength: number }>(path);
  return [{ title, length: textLength }];
}

async function questionsOfAdded(): Promise<string[]> {
  const documents = uploads.value
    .flatMap(({ state }) => ('taken' in state ? state.taken.documents : []))
    .filter(({ chunks }) => chunks <= largestDocument)
    .slice(-documentsAsked);
  return questionsOf(await Promise.all(documents.map(sectionsOf)));
}
