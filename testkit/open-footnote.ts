// Opens a Footnote as the product does, but for the processes that parse: those of one test process are shared by all that it opens, as the files of one
// folder share them. Starting one takes half a second of processor time, which was a third of what the unit tests took.
import type { Config } from '../src/config.ts';
import { FootnoteError } from '../src/core/errors.ts';
import { openFootnote as open } from '../src/footnote/compose.ts';
import type { OpenedFootnote, OpenOptions as ProductOptions } from '../src/footnote/opened.ts';
import type { CuttingPool, LinkReader } from '../src/ingest/read/parse.ts';
import { createParserPool } from '../src/ingest/read/parser-pool.ts';

export type { OpenedFootnote } from '../src/footnote/opened.ts';

export interface OpenOptions extends ProductOptions {
  /** The encoder that comes with Footnote: what it says depends on the processor, so that only tests of it ask for it. Default false. */
  readonly withEncoder?: boolean;
}

type Parsers = CuttingPool & LinkReader;

/** By how they recognise text in pictures. They are never closed: an idle one does not keep its parent alive, and ends with it. */
const pools = new Map<string, Parsers>();

export function openFootnote(
  config: Config,
  { withEncoder = false, ...options }: OpenOptions = {},
): Promise<OpenedFootnote> {
  const { off, languages, folder } = config.recognition;
  const recognition = { off, languages, ...(folder !== undefined && { folder }) };
  const key = JSON.stringify(recognition);
  const pool = pools.get(key) ?? createParserPool({ recognition });
  pools.set(key, pool);
  return open(config, { parsers: leaseOf(pool), ...(!withEncoder && { encoder: 'none' }), ...options });
}

/** The same parsers, until it is closed: what is under way for it then ends as it would with parsers of its own. */
export function leaseOf(pool: Parsers): Parsers {
  const closing = new AbortController();
  const until = (signal?: AbortSignal): AbortSignal =>
    signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
  return {
    parse: (input, limits = {}) => pool.parse(input, { ...limits, signal: until(limits.signal) }),
    cut: (input, plan, signal) => pool.cut(input, plan, until(signal)),
    unpack: (input, limits, signal) => pool.unpack(input, limits, until(signal)),
    readLines: (job, signal) => pool.readLines(job, until(signal)),
    readLinks: (input, signal) => pool.readLinks(input, until(signal)),
    async close() {
      closing.abort(new FootnoteError('cancelled', 'The parsers were closed.'));
    },
  };
}
