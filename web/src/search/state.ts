// What is searched for, as the address holds it and as the server is asked. Pure.
import type { Filter, FilterScalar, Mode, SearchRequest, SourceType } from '../shared/contract.ts';
import { dayAfter, isDay } from '../shared/days.ts';
import { type Needs, numberIn } from '../shared/unread.ts';

export interface Settings {
  readonly mode: string;
  readonly minScore: string;
}
export interface SearchState extends Settings {
  readonly text: string;
  readonly source: string;
  readonly type: string;
  readonly language: string;
  readonly time: 'published' | 'read';
  /** Days, the last one included. */
  readonly from: string;
  readonly to: string;
  /** Fields of people's own, each with its value. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly limit: number;
  /** Another setting to compare with. */
  readonly beside?: Settings & { readonly unfiltered: boolean };
  readonly open?: OpenResult;
}
/** The passage that is open in the source pane. */
export interface OpenResult {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

export const modeNames: Readonly<Record<Mode, string>> = {
  embedded: 'embedded (words)',
  vector: 'vector (meaning)',
  hybrid: 'hybrid (both)',
};
export const typeNames: Readonly<Record<SourceType, string>> = {
  code: 'code',
  textbook: 'textbook',
  docs: 'documentation',
  guide: 'guide',
  qa: 'questions and answers',
  web: 'web',
  conversation: 'conversation',
  workspace: 'workspace',
};

export const usualLimit = 10;
const mostResults = 1000;

const dayOf = (text: string): string => (isDay(text) ? text : '');
const shareOf = (text: string): string => (Number(numberIn(text)) <= 1 ? numberIn(text) : '');
const known = (text: string, names: object): string => (Object.hasOwn(names, text) ? text : '');

const shareNeeded = 'give a number from 0 to 1 with a point, such as 0.35.';
const dayNeeded = 'give a day of the calendar.';
export const needs: Needs = {
  min: `Least score: ${shareNeeded}`,
  besideMin: `Least score of the other list: ${shareNeeded}`,
  from: `From: ${dayNeeded}`,
  to: `Up to: ${dayNeeded}`,
};

/** Anything that the address should not hold is passed over. */
export function readState(query: string | undefined): SearchState {
  const given = new URLSearchParams(query);
  const text = (name: string): string => (given.get(name) ?? '').trim();
  const opened = /^(.+)\.(\d{1,15})\.(\d{1,15})$/.exec(text('open'));
  const beside = given.has('beside') && {
    mode: known(text('beside'), modeNames),
    minScore: shareOf(text('besideMin')),
    unfiltered: given.has('unfiltered'),
  };
  return {
    text: given.get('q') ?? '',
    mode: known(text('mode'), modeNames),
    minScore: shareOf(text('min')),
    source: given.get('source') ?? '',
    type: known(text('type'), typeNames),
    language: text('language'),
    time: text('time') === 'read' ? 'read' : 'published',
    from: dayOf(text('from')),
    to: dayOf(text('to')),
    fields: given.getAll('field').flatMap((one) => {
      const at = one.indexOf('=');
      return at > 0 ? [[one.slice(0, at), one.slice(at + 1)] as const] : [];
    }),
    limit: Math.min(mostResults, Math.max(1, Number(/^\d{1,4}$/.exec(text('limit'))?.[0] ?? usualLimit))),
    ...(beside && { beside }),
    ...(opened?.[1] && { open: { id: opened[1], start: Number(opened[2]), end: Number(opened[3]) } }),
  };
}

export function writeState(state: SearchState): string {
  const { beside, open, fields } = state;
  const pairs: readonly (readonly [string, string])[] = [
    ['q', state.text],
    ['mode', state.mode],
    ['min', state.minScore],
    ['source', state.source],
    ['type', state.type],
    ['language', state.language],
    ['time', state.time === 'read' ? 'read' : ''],
    ['from', state.from],
    ['to', state.to],
    ...fields.map(([name, value]) => ['field', `${name}=${value}`] as const),
    ['limit', state.limit === usualLimit ? '' : String(state.limit)],
    ['besideMin', beside?.minScore ?? ''],
    ['unfiltered', beside?.unfiltered ? '1' : ''],
    ['open', open ? `${open.id}.${open.start}.${open.end}` : ''],
  ];
  const query = new URLSearchParams(pairs.filter(([, value]) => value !== '').map((pair) => [...pair]));
  // Empty: the usual mode beside another one.
  if (beside) query.set('beside', beside.mode);
  return query.toString();
}

/** A field holds text, a number or a truth value; what was typed may be any of them. */
function readings(value: string): FilterScalar[] {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return [
    value,
    ...(Number.isFinite(number) ? [number] : []),
    ...(/^(?:true|false)$/.test(value) ? [value === 'true'] : []),
  ];
}

/** What documents have to be, beside the source. */
export function filterOf({ type, language, time, from, to, fields }: SearchState): Filter | undefined {
  const field = time === 'read' ? 'updatedAt' : 'publishedAt';
  const end = dayAfter(to);
  const filters: Filter[] = [
    ...(type ? [{ op: 'eq', field: 'sourceType', value: type } as const] : []),
    ...(language ? [{ op: 'eq', field: 'language', value: language } as const] : []),
    ...(from ? [{ op: 'gte', field, value: `${from}T00:00:00Z` } as const] : []),
    ...(end ? [{ op: 'lt', field, value: `${end}T00:00:00Z` } as const] : []),
    ...fields.map(([name, value]) => ({ op: 'in', field: `metadata.${name}`, values: readings(value) }) as const),
  ];
  return filters.length > 1 ? { op: 'and', filters } : filters[0];
}

export function requestOf(state: SearchState, { mode, minScore }: Settings, unfiltered = false): SearchRequest {
  const filter = unfiltered ? undefined : filterOf(state);
  return {
    query: state.text,
    explain: true,
    topK: state.limit,
    ...(mode && { mode: mode as Mode }),
    ...(minScore && { minScore: Number(minScore) }),
    ...(state.source && !unfiltered && { sources: [state.source] }),
    ...(filter && { filter }),
  };
}
