// Models as menus of other programs list them: what is asked and how, never which provider serves. Invariant: a source is named to those alone who may
// read something of it.
import { FootnoteError } from '../../core/errors.ts';
import { type Mode, modes } from '../../core/search.ts';
import type { Footnote } from '../../footnote/facade.ts';
import type { TextStyle } from './foreign-text.ts';

export interface ChosenModel {
  readonly mode?: Mode;
  readonly source?: string;
  readonly style?: TextStyle;
}

const all = 'footnote';
const ofSource = `${all}/`;
const suffixes: readonly (readonly [string, TextStyle])[] = [
  [':links', 'links'],
  [':text', 'marks'],
];

/** A vector store is a source. */
export const storePrefix = 'vs_';
/** Begins the id of a document as a file. */
export const filePrefix = 'file-';

const toModel = (id: string, created: number) => ({
  id,
  object: 'model' as const,
  created,
  owned_by: 'footnote' as const,
});

export async function listModels({ sources }: Pick<Footnote, 'sources'>, created: number) {
  const readable = (await sources.list()).filter(({ documents }) => documents > 0);
  const ids = [all, ...modes.map((mode) => `${all}-${mode}`), ...readable.map(({ name }) => ofSource + name)];
  return { object: 'list' as const, data: ids.map((id) => toModel(id, created)) };
}

/** Whether there is something in a source that the caller may read, or the caller made it. */
export async function isReadable(
  { documents, uploads }: Pick<Footnote, 'documents' | 'uploads'>,
  name: string,
): Promise<boolean> {
  const { data } = await documents.list({ limit: 1, filter: { op: 'eq', field: 'source', value: name } });
  return (
    data.length > 0 || ((await uploads?.collections())?.some(({ source, isOwn }) => source === name && isOwn) ?? false)
  );
}

/** What a model chooses. A suffix is read from the end, so a source whose own name ends so takes one more. Throws `not-found`. */
export async function chooseModel(footnote: Pick<Footnote, 'documents' | 'uploads'>, id: string): Promise<ChosenModel> {
  const [suffix, chosen] = suffixes.find(([end]) => id.endsWith(end)) ?? [''];
  const style = chosen && { style: chosen };
  const name = id.slice(0, id.length - suffix.length);
  if (name === all) return { ...style };
  const mode = modes.find((one) => name === `${all}-${one}`);
  if (mode) return { mode, ...style };
  const source = name.startsWith(ofSource) ? name.slice(ofSource.length) : '';
  if (source !== '' && (await isReadable(footnote, source))) return { source, ...style };
  throw new FootnoteError(
    'not-found',
    `The model "${id.slice(0, 200)}" does not exist, or this key may not use it. GET /v1/models lists them.`,
    {
      details: { param: 'model', openai: 'model_not_found' },
    },
  );
}

export async function getModel(footnote: Pick<Footnote, 'documents' | 'uploads'>, id: string, created: number) {
  await chooseModel(footnote, id);
  return toModel(id, created);
}
