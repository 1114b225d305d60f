// Addresses of the pages: each holds the whole state of what is shown, so that back, reload and a link that was sent show the same.

import type { Span } from './marks.ts';

export interface OpenCitation {
  readonly answer: string;
  readonly index: number;
}

export type Address =
  | { readonly page: 'ask'; readonly session?: string; readonly cite?: OpenCitation }
  | { readonly page: 'documents'; readonly source?: string }
  /** `query`: what stands behind the question mark, which the page itself reads. */
  | { readonly page: 'search'; readonly query?: string }
  | { readonly page: 'traces'; readonly id?: string; readonly query?: string }
  /** `words`: parts of the span that stand out. */
  | {
      readonly page: 'document';
      readonly id: string;
      readonly start: number;
      readonly end: number;
      readonly words?: readonly Span[];
    }
  | { readonly page: PlainPage; readonly id?: string; readonly query?: Query }
  | { readonly page: 'unknown' };

/** Pages that read themselves what their address says besides; of those that are true an address may name one thing. */
const plainPages = {
  sources: false,
  conversations: true,
  evals: false,
  memory: false,
  settings: false,
  health: false,
} as const;
export type PlainPage = keyof typeof plainPages;
/** What an address says behind its question mark, without what is empty. */
export type Query = Readonly<Record<string, string>>;

const isPlain = (page: string): page is PlainPage => Object.hasOwn(plainPages, page);

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};

/** `home`: the path under which the pages lie, with a slash at its end. */
export function parseAddress(url: URL, home = '/'): Address {
  const path = url.pathname.startsWith(home) ? url.pathname.slice(home.length) : url.pathname.slice(1);
  const [app, page, ...rest] = path.replace(/\/$/, '').split('/').map(decoded);
  if (app === '' || (app === 'app' && page === undefined)) return { page: 'ask' };
  if (app !== 'app' || rest.length > 1) return { page: 'unknown' };
  const [id] = rest;
  if (page === 'ask') {
    const [answer, number] = (url.searchParams.get('cite') ?? '').split('.');
    const index = wholeNumber(number ?? null);
    return {
      page: 'ask',
      ...(id && { session: id }),
      ...(answer && index ? { cite: { answer, index } } : {}),
    };
  }
  const query = url.searchParams.toString();
  if (page === 'search' && rest.length === 0) return { page: 'search', ...(query && { query }) };
  if (page === 'traces' && (id || rest.length === 0))
    return { page: 'traces', ...(id && { id }), ...(query && { query }) };
  if (page !== undefined && isPlain(page)) {
    if (rest.length > 0 && !(plainPages[page] && id)) return { page: 'unknown' };
    const said = [...url.searchParams].filter(([, value]) => value !== '');
    return { page, ...(id && { id }), ...(said.length > 0 && { query: Object.fromEntries(said) }) };
  }
  if (page !== 'documents') return { page: 'unknown' };
  if (rest.length > 0 && !id) return { page: 'unknown' };
  if (!id) {
    const source = url.searchParams.get('source');
    return { page: 'documents', ...(source && { source }) };
  }
  const start = wholeNumber(url.searchParams.get('start')) ?? 0;
  const end = Math.max(start, wholeNumber(url.searchParams.get('end')) ?? start);
  const words = (url.searchParams.get('words') ?? '').split('.').flatMap((part): Span[] => {
    const [from, to] = part.split('-').map(wholeNumber);
    return from !== undefined && to !== undefined && from >= start && to > from && to <= end
      ? [{ start: from, end: to }]
      : [];
  });
  return { page: 'document', id, start, end, ...(words.length > 0 && { words }) };
}

export function formatAddress(address: Address, home = '/'): string {
  if (address.page === 'document') {
    const { id, start, end, words = [] } = address;
    const parts = words.map((one) => `${one.start}-${one.end}`).join('.');
    return `${home}app/documents/${encodeURIComponent(id)}?start=${start}&end=${end}${parts && `&words=${parts}`}`;
  }
  if (address.page === 'documents')
    return `${home}app/documents${address.source ? `?source=${encodeURIComponent(address.source)}` : ''}`;
  if (address.page === 'search' || address.page === 'traces') {
    const id = address.page === 'traces' && address.id ? `/${encodeURIComponent(address.id)}` : '';
    return `${home}app/${address.page}${id}${address.query ? `?${address.query}` : ''}`;
  }
  if (address.page === 'unknown') return home;
  if (address.page !== 'ask') {
    const { page, id, query = {} } = address;
    const said = new URLSearchParams(query).toString();
    return `${home}app/${page}${id ? `/${encodeURIComponent(id)}` : ''}${said && `?${said}`}`;
  }
  if (address.session === undefined) return home;
  const { session, cite } = address;
  return `${home}app/ask/${encodeURIComponent(session)}${cite ? `?cite=${encodeURIComponent(cite.answer)}.${cite.index}` : ''}`;
}
