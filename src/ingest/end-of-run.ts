// The end of a run: what vanished, and what lost its text, goes or stays as the whole run tells. Invariants: what stays on doubtful evidence is told
// document by document; how the source was found is remembered only from a run in which nothing vanished on doubtful evidence.
import type { Connector } from '../core/connector.ts';
import { FootnoteError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import type { SourceLook } from './connectors/source-item.ts';
import { type DoubtReason, judge, toldOfKept, toldOfRun, type Verdict } from './doubts.ts';
import type { HeldPage } from './held.ts';
import { type ItemRun, noteItem } from './items.ts';
import { collectionOf } from './take/incoming.ts';
import { containersOf } from './take/inside.ts';
import { takeFailure } from './take/taking.ts';
import { placeErrors, type Writer } from './write/writer.ts';

export interface EndingRun extends ItemRun {
  readonly writer: Writer;
  readonly looks: readonly SourceLook[];
  /** Uris that the source named. */
  readonly named: ReadonlySet<string>;
  readonly confirm?: boolean | undefined;
}

export interface RunEnd {
  /** Uris of documents that go. */
  readonly gone: readonly string[];
  readonly isVanishingDoubtful: boolean;
  /** What of the run is doubtful, if anything. */
  readonly doubt?: FootnoteError;
}

/** The item under which the look of the source is kept; no file or page has this uri. */
const lookUri = '.';

interface KeptLook extends Partial<Pick<SourceLook, 'listing' | 'device'>> {
  /** Of what was declared. */
  readonly declared: string;
}

function lookOf({ source, looks: [look] }: EndingRun): KeptLook {
  const { passwordFile: _, ...declared } = (source.connector ?? {}) as Connector & { readonly passwordFile?: string };
  const { kind: __, ...found } = look ?? { kind: 'look' };
  return { declared: sha256(JSON.stringify(declared)), ...found };
}

/** Total: what is damaged tells nothing. */
function lastLook({ facts }: EndingRun): Partial<KeptLook> {
  try {
    return { ...(JSON.parse(facts.items.get(lookUri)?.version ?? '{}') as Partial<KeptLook> | null) };
  } catch {
    return {};
  }
}

/** To be called once nothing is forgotten any more. */
export async function rememberLook(run: EndingRun): Promise<void> {
  const version = JSON.stringify(lookOf(run));
  await run.record.readings.putItems(run.source.name, [{ uri: lookUri, version, contentHash: '' }]);
}

function judgeRun(run: EndingRun, missing: readonly string[]): Verdict {
  const { facts, held, named } = run;
  const unitOf = (uri: string): string => collectionOf(uri) ?? [...containersOf(uri, facts.containers)].at(-1) ?? uri;
  const lost = new Set(missing);
  const arrived = new Set(facts.moved.values());
  const had = new Set(facts.known.keys().map(unitOf));
  const standing = new Set(
    facts.known
      .keys()
      .filter((uri) => !lost.has(uri))
      .map(unitOf),
  );
  const [before, now] = [lastLook(run), lookOf(run)];
  return judge({
    had: had.size,
    vanished: had.size - standing.size,
    found: standing.size + [...named].filter((uri) => facts.seen.has(uri) && !had.has(uri) && !arrived.has(uri)).length,
    replaced: held.pages.map(({ replaced }) => replaced),
    isListedOtherwise: before.listing === 'sitemap' && now.listing === 'links',
    isOnOtherDevice: before.device !== undefined && before.device !== now.device,
    isDeclaredAnew: before.declared !== undefined && before.declared !== now.declared,
    isCrawled: now.listing === 'links',
  });
}

async function write(run: EndingRun, { replaced: { uri }, version, write: held }: HeldPage): Promise<void> {
  if (held === undefined || held === 'later') return;
  const { document } = held;
  const writing = run.writer.put([{ write: held }]);
  await run.writer.flush();
  const [written] = await writing;
  if (written instanceof FootnoteError) {
    await takeFailure({ endsAll: placeErrors, watch: run.watch }, uri, written);
    return;
  }
  const taken = { uri, state: 'done', document, contentHash: document.contentHash, isComplete: true } as const;
  run.watch.written(document);
  await run.watch.settled(taken);
  await noteItem(run, { uri, version }, taken);
}

/** `vanished`: uris of documents that the source no longer has. */
export async function endRun(run: EndingRun, vanished: readonly string[]): Promise<RunEnd> {
  const { facts, held, progress, source } = run;
  const asked = new Set(held.pages.filter((page) => page.write === undefined).map(({ replaced: { uri } }) => uri));
  const missing = vanished.filter((uri) => !facts.withdrawn.has(uri) && !asked.has(uri));
  const isCertain = run.confirm === true || (missing.length === 0 && held.pages.length === 0);
  const verdict: Verdict = isCertain ? { vanished: undefined, replaced: new Map() } : judgeRun(run, missing);
  const keep = (uri: string, told: string): Promise<void> =>
    progress.report({ uri, state: 'unchanged', documentId: facts.known.get(uri)?.id ?? '', warnings: [told] });
  const kept = new Map<string, DoubtReason>(verdict.replaced);
  for (const page of held.pages) {
    const { uri } = page.replaced;
    const reason = verdict.replaced.get(uri);
    if (reason) await keep(uri, toldOfKept(reason));
    else if (page.write === 'later')
      await keep(uri, 'Much of the source changed at once: this document is replaced by the next sync.');
    else await write(run, page);
  }
  if (verdict.vanished)
    for (const uri of missing) {
      kept.set(uri, verdict.vanished);
      await progress.found();
      await keep(uri, toldOfKept(verdict.vanished));
    }
  const [first] = kept.values();
  const reason = verdict.vanished ?? first;
  return {
    gone: vanished.filter((uri) => !kept.has(uri)),
    isVanishingDoubtful: verdict.vanished !== undefined,
    ...(reason && {
      doubt: new FootnoteError('conflict', toldOfRun(source.name, reason, kept.size), { details: { reason } }),
    }),
  };
}
