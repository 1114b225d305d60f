// The vector store of one tenant, and which files stand there: found by id or by name, made when the first document comes, and listed once,
// then kept in step with what is done. Invariants: one tenant's vector store is never another's; after an answer that was lost the list is
// read anew before anything is done, so that nothing is indexed twice and nothing that was deleted comes back.
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { attributeNames, encodeText } from './attributes.ts';
import { documentPrefix, namePrefix } from './canonical-file.ts';
import type { AttachedFile, VectorStore, VectorStoreClient } from './client.ts';
import { isMissing } from './errors.ts';

export interface HeldFile {
  readonly fileId: string;
  readonly status: AttachedFile['status'];
  readonly attributes: AttachedFile['attributes'];
}

export interface Directory {
  readonly storeId: string;
  /** Files in the index, by id of their document as it is encoded. */
  readonly held: Map<string, Map<string, HeldFile>>;
  /** Files that were uploaded and are not in the index, by their name. */
  readonly loose: Map<string, Set<string>>;
}

export interface TenantPlace {
  /** The vector store; undefined where there is none yet and none is to be made. */
  find(signal?: AbortSignal): Promise<string | undefined>;
  /** What stands there; makes the vector store where there is none. */
  open(signal?: AbortSignal): Promise<Directory>;
  /** What is known to stand there without asking; undefined where that is nothing. */
  known(): Directory | undefined;
  /** The list is read anew before it is used again. */
  doubt(): void;
  /** Takes away every vector store that was made by this name, and the files that were sent for it; never one that the operator names. */
  drop(signal?: AbortSignal): Promise<void>;
  /** What to throw where the vendor says that there is no such vector store. */
  gone(error: unknown): unknown;
  /** The same where it refuses what it is asked: it may have expired. */
  expired(error: unknown, signal?: AbortSignal): Promise<unknown>;
  /** A file that was taken a moment ago: lists and calls may not know of it yet. */
  noteUploaded(name: string, fileId: string): void;
  /** The vendor has shown that it knows it. */
  noteKnown(fileId: string): void;
  /** While it is taken away: unless the vendor says that it does not know it, it may be gone from now on. */
  taking(fileId: string, removing: Promise<void>): Promise<void>;
  isComing(fileId: string): boolean;
}

export interface PlaceOptions {
  readonly client: VectorStoreClient;
  readonly tenant: string;
  /** The vector store that the operator names; absent: found by name. */
  readonly vectorStoreId?: string | undefined;
  /** What its name begins with. Default: footnote. */
  readonly prefix?: string | undefined;
  readonly elapsedMs: () => number;
}

/** What was listed is believed so long: what others did there, or what was done twice on the way, is found then. */
const believedMs = 3_600_000;
/** How long what was made may not be there yet. */
const comingMs = 300_000;
const tenantKey = 'footnote_tenant';

export const toHeld = ({ id, status, attributes }: AttachedFile): HeldFile => ({ fileId: id, status, attributes });

export function createTenantPlace({
  client,
  tenant,
  vectorStoreId,
  prefix = 'footnote',
  elapsedMs,
}: PlaceOptions): TenantPlace {
  const metadata = { [tenantKey]: encodeText(tenant) };
  const name = `${prefix} ${encodeText(tenant)}`;
  let chosen = vectorStoreId;
  let directory: Directory | undefined;
  /** Vector stores of this name that are not used: what was sent for them is left over. */
  let abandoned: readonly string[] = [];
  let listedAtMs = 0;
  let made: { readonly id: string; readonly atMs: number } | undefined;
  const uploads = new Map<string, { readonly name: string; readonly atMs: number }>();
  const isRecent = (atMs: number): boolean => elapsedMs() - atMs < comingMs;

  const allByName = async (signal?: AbortSignal): Promise<VectorStore[]> =>
    (await client.vectorStores(signal)).filter(
      (one) => one.name === name && one.metadata?.[tenantKey] === metadata[tenantKey],
    );

  /** Two that began at the same time choose the same: the oldest. One that has documents comes first: an older one may be shown late, of which nobody was told. */
  async function byName(signal?: AbortSignal): Promise<string | undefined> {
    const all = await allByName(signal);
    const isEmpty = ({ file_counts: { total } }: VectorStore): boolean => total === 0;
    const alive = all
      .filter(({ status }) => status !== 'expired')
      .toSorted((left, right) => left.created_at - right.created_at || (left.id < right.id ? -1 : 1));
    const first = alive.find((one) => !isEmpty(one)) ?? alive[0];
    abandoned = all.filter((one) => one !== first && (one.status === 'expired' || isEmpty(one))).map(({ id }) => id);
    return first?.id;
  }

  async function find(signal?: AbortSignal): Promise<string | undefined> {
    chosen ??= await byName(signal);
    return chosen;
  }

  /** One that has expired still lists its files, and searches none of them. */
  async function assertAlive(storeId: string, signal?: AbortSignal): Promise<void> {
    if ((await client.vectorStore(storeId, signal)).status === 'expired') throw lost();
  }

  /** What is there is looked for anew, and the next document makes a vector store where the operator names none. */
  function lost(): FootnoteError {
    directory = undefined;
    if (chosen === undefined)
      return new FootnoteError(
        'config-invalid',
        'OpenAI has no vector stores at this address (HTTP 404). Correct OPENAI_BASE_URL, which ends in /v1 for OpenAI itself; another vendor may have none.',
        { details: { status: 404, isFinal: true } },
      );
    const which = chosen;
    if (made !== undefined && made.id === which && isRecent(made.atMs))
      return new FootnoteError(
        'upstream-unavailable',
        `OpenAI has made the vector store ${which} and does not show it yet. Try again later.`,
        { details: { vectorStoreId: which } },
      );
    chosen = vectorStoreId;
    return vectorStoreId === undefined
      ? new FootnoteError(
          'upstream-unavailable',
          `The vector store ${which} is gone from OpenAI. What was in it is delivered anew by POST /v1/stores/openai/sync.`,
          { details: { vectorStoreId: which } },
        )
      : new FootnoteError(
          'config-invalid',
          `OpenAI has no vector store ${which} for this key, or it has expired. Correct OPENAI_VECTOR_STORE_ID, or leave it out to have one made.`,
          { details: { vectorStoreId: which, isFinal: true } },
        );
  }

  /** Files that were sent a moment ago and stand on no list yet are not sent again. */
  function addComing(found: Directory): void {
    const listed = new Set([...found.held.values()].flatMap((files) => [...files.keys()]));
    for (const files of found.loose.values()) for (const fileId of files) listed.add(fileId);
    const prefix = namePrefix(found.storeId);
    for (const [fileId, { name: filename, atMs }] of uploads)
      if (listed.has(fileId) || !isRecent(atMs)) uploads.delete(fileId);
      else if (filename.startsWith(prefix)) addLoose(found, filename, fileId);
  }

  async function make(signal?: AbortSignal): Promise<string> {
    const { id } = await client.createVectorStore({ name, metadata }, signal);
    const first = (await byName(signal)) ?? id;
    // Somebody else was first: ours is empty.
    if (first !== id) await client.removeVectorStore(id, signal);
    else made = { id, atMs: elapsedMs() };
    chosen = first;
    return first;
  }

  return {
    find,
    async open(signal) {
      const known = chosen;
      if (known !== undefined && directory && elapsedMs() - listedAtMs < believedMs) return directory;
      directory = undefined;
      if (known !== undefined) await assertAlive(known, signal);
      const storeId = (await find(signal)) ?? (await make(signal));
      listedAtMs = elapsedMs();
      const found = await list(client, { storeId, tenant, abandoned }, signal);
      addComing(found);
      // It is there: what is missing from now on has gone.
      made = undefined;
      directory = found;
      return found;
    },
    known: () => directory,
    doubt() {
      directory = undefined;
    },
    async drop(signal) {
      for (const { id } of vectorStoreId === undefined ? await allByName(signal) : []) {
        const sent = (await client.uploadedFiles(signal)).filter((file) => file.filename.startsWith(namePrefix(id)));
        await client.removeVectorStore(id, signal);
        for (const file of sent) await client.removeUploaded(file.id, signal);
      }
      directory = undefined;
      chosen = vectorStoreId;
    },
    gone: (error) => (isMissing(error) ? lost() : error),
    async expired(error, signal) {
      if (isMissing(error)) return lost();
      if (!isRefused(error) || chosen === undefined) return error;
      try {
        await assertAlive(chosen, signal);
        return error;
      } catch (thrown) {
        // What cannot be looked at says nothing about it.
        return isMissing(thrown) ? lost() : hasNoStore(thrown) ? thrown : error;
      }
    },
    noteUploaded: (name, fileId) => void uploads.set(fileId, { name, atMs: elapsedMs() }),
    noteKnown: (fileId) => void uploads.delete(fileId),
    async taking(fileId, removing) {
      try {
        await removing;
        uploads.delete(fileId);
      } catch (thrown) {
        if (!isMissing(thrown)) uploads.delete(fileId);
        throw thrown;
      }
    },
    isComing: (fileId) => isRecent(uploads.get(fileId)?.atMs ?? Number.NEGATIVE_INFINITY),
  };
}

const isRefused = (error: unknown): boolean => isFootnoteError(error) && error.details['status'] === 400;
const hasNoStore = (error: unknown): boolean => isFootnoteError(error) && 'vectorStoreId' in error.details;

/** Uploaded files first: one that is indexed between the two lists is then found in the index, not taken for left over. */
async function list(
  client: VectorStoreClient,
  {
    storeId,
    tenant,
    abandoned,
  }: { readonly storeId: string; readonly tenant: string; readonly abandoned: readonly string[] },
  signal?: AbortSignal,
): Promise<Directory> {
  const prefixes = [storeId, ...abandoned].map(namePrefix);
  const isOurs = ({ filename }: { readonly filename: string }): boolean =>
    prefixes.some((prefix) => filename.startsWith(prefix));
  const uploaded = (await client.uploadedFiles(signal)).filter(isOurs);
  const indexed = await client.attachedFiles(storeId, signal);
  const directory: Directory = { storeId, held: new Map(), loose: new Map() };
  const isIndexed = new Set(indexed.map(({ id }) => id));
  for (const { id, filename } of uploaded) if (!isIndexed.has(id)) addLoose(directory, filename, id);
  for (const file of indexed) addFound(directory, tenant, file);
  return directory;
}

/** What somebody else put there is left alone. */
export function addFound(directory: Directory, tenant: string, file: AttachedFile): void {
  const documentId = file.attributes[attributeNames.documentId];
  const isOurs = file.attributes[attributeNames.tenant] === encodeText(tenant);
  if (isOurs && typeof documentId === 'string') addHeld(directory, documentId, toHeld(file));
}

export function addLoose({ loose }: Directory, filename: string, fileId: string): void {
  loose.set(filename, (loose.get(filename) ?? new Set()).add(fileId));
}

export function addHeld({ held }: Directory, encodedId: string, file: HeldFile): void {
  held.set(encodedId, (held.get(encodedId) ?? new Map<string, HeldFile>()).set(file.fileId, file));
}

export function forget(directory: Directory, documentId: string, fileId: string): void {
  const key = encodeText(documentId);
  const files = directory.held.get(key);
  if (files?.delete(fileId) && files.size === 0) directory.held.delete(key);
  for (const [name, same] of directory.loose) if (same.delete(fileId) && same.size === 0) directory.loose.delete(name);
}

export const heldOf = ({ held }: Directory, documentId: string): readonly HeldFile[] => [
  ...(held.get(encodeText(documentId))?.values() ?? []),
];

/** Ids of files of a document that are not in the index. */
export function looseOf({ loose, storeId }: Directory, documentId: string): readonly string[] {
  const prefix = documentPrefix(storeId, documentId);
  return [...loose].flatMap(([filename, files]) => (filename.startsWith(prefix) ? [...files] : []));
}
