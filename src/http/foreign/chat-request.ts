// A request for a completion as a question of ours: who asks what, where it is looked up, and what of it is refused. Invariant: what cannot be honoured is
// ignored only where that leaves the answer what it would be.
import { type AskRequest, askRequestSchema } from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import { allOf, type Filter } from '../../core/search.ts';
import { defined } from '../../core/values/defined.ts';
import type { Footnote } from '../../footnote/facade.ts';
import type { AttributeFilter, ChatRequest } from '../../operations/openai.ts';
import { refusal } from './errors.ts';
import { type ChosenModel, isReadable, storePrefix } from './models.ts';
import { ownWordsIn } from './own-words.ts';

type History = NonNullable<AskRequest['history']>;

/** Null is as absent, wherever it stands. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === null ? [] : [[key, withoutNulls(one)]])),
  );
}

/** For routes whose bodies are foreign. */
export const lenient = {
  async preValidation(request: { body: unknown }) {
    request.body = withoutNulls(request.body);
  },
};

/** What is asked, in whichever form of request. */
export interface Asking extends Pick<ChatRequest, 'model' | 'messages' | 'tools' | 'footnote'> {
  /** The field that holds the messages, for whoever is told what is wrong with it. */
  readonly field: 'messages' | 'input';
  readonly maxTokens?: number | undefined;
  /** Values by name, among which some may be refused. */
  readonly values: Readonly<Record<string, unknown>>;
}

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : value;

/** What a program needs that no answer of ours would be. */
const refused: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value !== 1,
  tool_choice: (value) => !['auto', 'none', 'file_search'].includes(String(typeOf(value))),
  function_call: (value) => value !== 'auto' && value !== 'none',
  response_format: (value) => typeOf(value) !== 'text',
  audio: () => true,
  modalities: (value) => JSON.stringify(value) !== '["text"]',
  prediction: () => true,
  conversation: () => true,
  background: (value) => value === true,
  prompt: () => true,
  'text.format': (value) => typeOf(value) !== 'text',
  'output_config.format': (value) => typeOf(value) !== 'text',
};

function refuse(values: Asking['values']): void {
  for (const [param, isRefused] of Object.entries(refused))
    if (values[param] !== undefined && isRefused(values[param]))
      throw refusal(
        param,
        `Unsupported value of ${param}: this server answers with one text from documents, and calls no tools. Leave it out.`,
      );
}

const textual: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text']);

type Message = ChatRequest['messages'][number];

/** The words of a message. Throws for pictures and sound, which nobody here reads; without a `place` they are passed over. */
export function textOf({ content = '' }: Pick<Message, 'content'>, place?: string): string {
  if (typeof content === 'string') return content;
  return content
    .map(({ type, text, refusal: refusedText }, part) => {
      if (textual.has(type)) return text ?? '';
      if (type === 'refusal') return typeof refusedText === 'string' ? refusedText : '';
      if (place === undefined) return '';
      throw refusal(
        `${place}.content[${part}]`,
        `Content of type ${type.slice(0, 50)} is not read here. Send text alone.`,
      );
    })
    .join('\n');
}

/**
 * Whether a message is answered or obeyed, so that nothing of it may be passed over. In what was said before, a picture that was refused once would
 * refuse all that is asked behind it, too.
 */
export const isRead = (messages: readonly { readonly role?: Message['role'] | undefined }[], at: number): boolean =>
  ['system', 'developer'].includes(messages[at]?.role ?? '') ||
  at === messages.findLastIndex(({ role }) => role === 'user');

const longestSaid = 20_000;
const mostSaid = 50;
const longestWishes = 8_000;

interface Said {
  readonly question: string;
  /** The last message of the user as it came. */
  readonly asked: string;
  /** The program numbers sources of its own. */
  readonly hasSources: boolean;
  readonly history: History;
  /** The system's words, which are wishes. */
  readonly system: string;
}

/** The last message of the user, and what was said before it. */
export function saidIn({ messages, field }: Pick<Asking, 'messages' | 'field'>): Said {
  const texts = messages.map((message, at) => textOf(message, isRead(messages, at) ? `${field}[${at}]` : undefined));
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const asked = texts[last] ?? '';
  const { words: question, hasSources } = ownWordsIn(asked);
  if (question.trim() === '')
    throw refusal(field, 'There is no message of the user with a text: that is the question.', 'invalid_value');
  const history = messages.slice(0, last).flatMap(({ role }, at): History => {
    if (role !== 'user' && role !== 'assistant') return [];
    const said = texts[at] ?? '';
    const { words } = role === 'user' ? ownWordsIn(said) : { words: said };
    return words.trim() === '' ? [] : [{ role, content: words.slice(0, longestSaid).toWellFormed() }];
  });
  const system = texts.filter((_, at) => ['system', 'developer'].includes(messages[at]?.role ?? '')).join('\n');
  return { question, asked, hasSources, history: history.slice(-mostSaid), system };
}

/** Attributes of a file in a vector store are the metadata of a document. */
export function toFilter(filter: AttributeFilter): Filter {
  if ('filters' in filter) return { op: filter.type, filters: filter.filters.map(toFilter) };
  const { type, key, value } = filter;
  const field = `metadata.${key}` as const;
  if (type === 'in' || type === 'nin') return { op: type, field, values: [value].flat() };
  return { op: type, field, value } as Filter;
}

/** The sources that all lists name; undefined where there is no list. */
function inAll(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const given = lists.filter((one) => one !== undefined);
  return given.length === 0 ? undefined : given.reduce((some, more) => some.filter((name) => more.includes(name)));
}

/** Throws in the terms of the foreign request for what our own schema refuses. */
function checked(ask: unknown, told: string): AskRequest {
  const parsed = askRequestSchema.safeParse(ask);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'too_big' && issue.path[0] === 'question')
    throw refusal(
      told,
      `The question has more than ${issue.maximum.toLocaleString('en')} characters. Ask a shorter one; a long text is read as a document that is added.`,
      'invalid_value',
    );
  const [field] = issue?.path ?? [];
  const param = field === 'filter' ? 'tools' : told;
  throw refusal(param, `${param}: ${issue?.message ?? 'is not valid'}`, 'invalid_value');
}

/** What is asked of us. Throws for a store that the caller may not read as for one that is not there. */
export async function toAsk(
  footnote: Pick<Footnote, 'documents' | 'uploads'>,
  request: Asking,
  model: ChosenModel,
): Promise<AskRequest> {
  refuse(request.values);
  const { question, history, system } = saidIn(request);
  const { unconfirmed: _, events: __, ...own } = request.footnote ?? {};
  const search = request.tools?.find(({ type }) => type === 'file_search');
  const stores = search?.vector_store_ids?.map((id) =>
    id.startsWith(storePrefix) ? id.slice(storePrefix.length) : '',
  );
  for (const [at, name] of stores?.entries() ?? [])
    if (name === '' || !(await isReadable(footnote, name)))
      throw new FootnoteError(
        'not-found',
        `There is no vector store "${search?.vector_store_ids?.[at]?.slice(0, 200)}": it is ${storePrefix} and the name of a source.`,
        {
          details: { param: 'tools', openai: 'vector_store_not_found' },
        },
      );
  const sources = inAll([model.source === undefined ? undefined : [model.source], stores, own.sources]);
  if (sources?.length === 0)
    throw refusal(
      'footnote.sources',
      'No source is in all that the model, the vector stores and footnote.sources name.',
      'invalid_value',
    );
  const { score_threshold: minScore } = search?.ranking_options ?? {};
  return checked(
    defined({
      mode: model.mode,
      topK: search?.max_num_results,
      minScore,
      ...own,
      question,
      history: history.length === 0 ? undefined : history,
      wishes: system.trim() === '' ? undefined : system.slice(0, longestWishes).toWellFormed(),
      sources,
      filter: allOf([search?.filters && toFilter(search.filters), own.filter]),
    }),
    request.field,
  );
}
