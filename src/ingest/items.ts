// The items that a connector names: whether one has to be read, what reading it led to, and which version of it is noted for the next run.
import { overLimit } from '@footnote/readers/file-size';
import { refusedByName } from '@footnote/readers/registry/sniff';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { ItemReading, SourceItem } from './connectors/source-item.ts';
import type { Held } from './held.ts';
import { faultOf, type Progress } from './progress.ts';
import type { RunFacts } from './run-facts.ts';
import { isBad, type Taken, type Taking, type Watch } from './take/taking.ts';

/** Versions of items that are noted in one transaction; those that are lost in a crash cost another reading. */
const itemsTogether = 500;

export interface ItemRun extends Taking {
  readonly progress: Progress;
  readonly watch: Watch;
  readonly facts: RunFacts;
  readonly held: Held;
}

export async function readItem(
  run: ItemRun,
  { name, sizeBytes, read }: SourceItem,
  signal: AbortSignal,
): Promise<Exclude<Awaited<ReturnType<SourceItem['read']>>, Uint8Array>> {
  const refuseLarge = (bytes: number): void => {
    if (bytes <= run.maxFileBytes) return;
    const why = `The file has ${overLimit(bytes, run.maxFileBytes)} (setting MAX_FILE_BYTES).`;
    // The type is checked first: an operator who raised the limit for a film would only learn then that no reader takes films.
    throw toFootnoteError(refusedByName(name) ?? new FootnoteError('too-large', why));
  };
  refuseLarge(sizeBytes ?? 0);
  const found = await read(signal);
  const reading = found instanceof Uint8Array ? ({ kind: 'content', bytes: found } as const) : found;
  if (reading.kind === 'content') refuseLarge(reading.bytes.byteLength);
  return reading;
}

/** What stands for an item that still has the version with which it was read; undefined where it has to be read. */
export async function unreadOf(
  { reread, known, facts }: ItemRun,
  { uri, version }: SourceItem,
): Promise<Taken | undefined> {
  const before = facts.items.get(uri);
  if (reread || version === undefined || before?.version !== version) return undefined;
  return known.skip?.({ uri, contentHash: before.contentHash }, await known.container(uri));
}

/** The version that its connector may compare with: what the item brought then still stands, or another item stood for it. */
export function beforeOf(
  { reread, known, facts }: ItemRun,
  containers: RunFacts['containers'],
  uri: string,
): string | undefined {
  const before = facts.items.get(uri);
  if (before === undefined || reread) return undefined;
  if (before.contentHash === sameAsAnother) return before.version;
  const stands = known.skip?.({ uri, contentHash: before.contentHash }, containers.get(uri));
  // Whether it is still there is what is to be found out.
  facts.seen.delete(uri);
  facts.kept.delete(uri);
  return stands && before.version;
}

/** In the place of the hash of an item that another one stands for. */
const sameAsAnother = '';

/** What is told of an item that has no bytes of its own now. */
export async function takeUnread(
  run: ItemRun,
  item: SourceItem,
  reading: Exclude<ItemReading, { readonly kind: 'content' }>,
): Promise<void> {
  const { uri } = item;
  const { facts, known, watch } = run;
  const isKnown = facts.known.has(uri);
  if (reading.kind === 'unchanged') {
    const before = facts.items.get(uri);
    const unread = before && known.skip?.({ uri, contentHash: before.contentHash }, await known.container(uri));
    if (unread) return watch.settled(unread);
    throw new FootnoteError('upstream-invalid', `${uri} was said to be as it was, but it was not read before.`);
  }
  if (reading.kind === 'withdrawn') {
    const id = facts.known.get(uri)?.id;
    if (id !== undefined && !(await isOtherPage(run, { id, uri }, reading))) facts.withdrawn.add(uri);
    return;
  }
  if (reading.kind === 'gone') {
    // A document that vanishes is told of when it is deleted.
    if (!isKnown) await run.progress.report({ uri, state: 'failed', error: faultOf(reading.error, uri) });
    return;
  }
  if (!isKnown) facts.seen.add(uri);
  await run.progress.report({ uri, state: 'unchanged' });
  if (reading.version !== undefined && !isKnown)
    facts.newItems.push({ uri, version: reading.version, contentHash: sameAsAnother });
}

/** Whether a page that asks not to be kept shows another text than the recorded one: gates ask for that, too. */
async function isOtherPage(
  { parsers, chunking, held }: ItemRun,
  { id, uri }: { readonly id: string; readonly uri: string },
  { bytes, name, mime, signs }: Extract<ItemReading, { readonly kind: 'withdrawn' }>,
): Promise<boolean> {
  const input = { bytes, name, ...(mime !== undefined && { mime }) };
  const { text } = await parsers.cut(input, { documentId: id, chunking, name }).catch(() => ({ text: '' }));
  return held.hold({ id }, { uri, version: undefined, text, signs });
}

/** Notes which version of an item was taken whole, many in one transaction. */
export async function noteItem(
  run: ItemRun,
  { uri, version }: { readonly uri: string; readonly version: string | undefined },
  taken: Taken,
): Promise<void> {
  const { contentHash, isComplete } = taken;
  if (version === undefined || contentHash === undefined || !isComplete || isBad(taken)) return;
  const before = run.facts.items.get(uri);
  if (before?.version === version && before.contentHash === contentHash) return;
  run.facts.newItems.push({ uri, version, contentHash });
  if (run.facts.newItems.length >= itemsTogether) await putItems(run);
}

export async function putItems({ record, source, facts }: ItemRun): Promise<void> {
  const items = facts.newItems.splice(0);
  if (items.length > 0) await record.readings.putItems(source.name, items);
}

export async function keptBytes({ record, facts }: ItemRun, uri: string): Promise<Uint8Array | undefined> {
  const id = facts.known.get(uri)?.id;
  if (id === undefined) return undefined;
  const bytes = await record.documents.file(id);
  // A file that is its own text is kept once.
  return bytes ?? new TextEncoder().encode((await record.documents.text(id)) ?? '');
}
