// The leg that searches the web: addresses for the words of the question, the pages there read and cut like documents, and their passages
// searched for this request alone. Invariants: it ends within its own time with what came by then, and tells what did not; only words go out
// that the person wrote (outgoing-words.ts), and what stays here is told; no page is read but what a list named, and no passage is found that was
// not read from its page.
import type { CallContext } from '../../core/context.ts';
import { createDeadline } from '../../core/deadline.ts';
import { webSearchSource } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type Degradation, modes } from '../../core/search.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import { factsOf, factsPass } from '../../stores/document-facts.ts';
import type { KeptSince, WebResults } from '../../stores/web/web-search.ts';
import { oldest } from '../legs/join-legs.ts';
import type { Leg } from '../legs/leg.ts';
import type { LegResult } from '../legs/leg-result.ts';
import type { RankedRow } from '../rank.ts';
import { createRowSearch } from '../row-search.ts';
import type { OutgoingWords } from './outgoing-words.ts';
import type { OrderPassages } from './web-order.ts';

/** The passages of one page. */
export interface WebPage {
  readonly rows: readonly RankedRow[];
  /** Only its beginning was cut: it is too long. */
  readonly isCutOff?: true;
  /** Absent: it was read just now. */
  readonly kept?: KeptSince;
}

/** What a search asks of the web. Every call of it is recorded. */
export interface WebAccess {
  /** Addresses for words. Throws FootnoteError. */
  search(query: string, limit: number, signal?: AbortSignal): Promise<WebResults>;
  /** Reads and cuts a page. Throws what reading it throws. */
  read(address: string, signal?: AbortSignal): Promise<WebPage>;
}

export interface WebLegOptions {
  readonly access: WebAccess;
  /** Pages that are read for one search. */
  readonly pages: number;
  /** Longest time of one search. */
  readonly timeoutMs: number;
  /** What of a query may leave. */
  readonly outgoing: OutgoingWords;
  readonly order: OrderPassages;
  readonly context: CallContext;
}

/** The others wait for it: of what is left of the request it takes no more. */
const requestShare = 0.4;
/** Of its time, what a provider has for its list. */
const listShare = 0.6;

export function createWebLeg({ access, pages, timeoutMs, outgoing, order, context }: WebLegOptions): Leg {
  const { deadline, clock } = context;
  const name = webSearchSource;
  /** What failed once would keep each further look of the request waiting as long. */
  let outage: FootnoteError | undefined;

  async function list(query: string, { withinMs, signal }: { withinMs: number; signal: AbortSignal | undefined }) {
    if (outage) throw outage;
    const until = createDeadline(withinMs, signal, clock).signal;
    try {
      return await untilAborted(access.search(query, pages, until), until);
    } catch (thrown) {
      if (signal?.aborted) throw toFootnoteError(signal.reason);
      outage = until.aborted
        ? new FootnoteError('deadline-exceeded', 'The search of the web gave no addresses in the time that it had.')
        : toFootnoteError(thrown);
      throw outage;
    }
  }

  /** What of the pages could be read by the end of the time, in the order of the list. */
  async function readPages(addresses: readonly string[], until: AbortSignal, signal: AbortSignal | undefined) {
    const read = await Promise.allSettled(addresses.map((address) => untilAborted(access.read(address, until), until)));
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    const found: WebPage[] = [];
    const failures: FootnoteError[] = [];
    for (const one of read)
      if (one.status === 'fulfilled') found.push(one.value);
      else failures.push(until.aborted ? tooLate : toFootnoteError(one.reason));
    return { found, failures };
  }

  return {
    name,
    kind: 'lexical',
    store: 'web',
    modes,
    source: name,
    sourceType: 'web',
    isLast: true,
    async search(query, signal): Promise<LegResult> {
      const ownMs = Math.min(timeoutMs, deadline.remainingMs() * requestShare);
      const own = createDeadline(ownMs, signal, clock);
      const { query: words, withheld } = outgoing(query.text);
      const listed = await list(words, { withinMs: ownMs * listShare, signal });
      const addresses = listed.results.slice(0, pages).map(({ url }) => url);
      const { found, failures } = await readPages(addresses, own.signal, signal);
      const degraded: Degradation[] = [];
      const tell = (code: string, detail: string, effect: string): void =>
        void degraded.push({ component: name, code, detail, effect });
      if (listed.missing !== undefined) tell('upstream-unavailable', listed.missing, 'Pages may be missing.');
      if (withheld > 0)
        tell(
          'words-withheld',
          `${withheld} ${withheld === 1 ? 'word' : 'words'} of a query for the web, which a model or a step wrote, ${withheld === 1 ? 'is' : 'are'} none of the words of the question or of its session.`,
          'The web was searched with the words of the question and its session alone.',
        );
      const [first] = failures;
      if (first) {
        const effect = `${failures.length} of ${addresses.length} pages of the web were not searched.`;
        tell(first.code, first.message, effect);
      }
      if (found.some(({ isCutOff }) => isCutOff))
        tell('too-large', 'A page of the web is longer than a search reads.', 'Only its beginning was searched.');
      const { filter, text, limit } = query;
      const rows = found
        .flatMap((page) => page.rows)
        .filter(({ document }) => !filter || factsPass(factsOf(document), filter));
      const passages = await createRowSearch(rows).search(text, limit);
      const ordered = await order({ query: text, passages: passages.hits, addresses }, own.signal);
      return {
        hits: ordered.hits,
        degraded: [...degraded, ...ordered.degraded],
        reach: passages.reach,
        ...oldest([listed, ...found].flatMap(({ kept }) => kept ?? [])),
      };
    },
  };
}

const tooLate = new FootnoteError(
  'deadline-exceeded',
  'A page of the web was not read in the time that the search had.',
);
