// Golden traces: of each release a few turns of every kind, kept as files that need no record. Whatever the program becomes, they replay, and
// where one comes out otherwise than it was recorded somebody has said why. Invariant: nothing here changes a trace of a release.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Replay } from '../../src/core/answers/replays.ts';
import { sha256 } from '../../src/core/ids.ts';
import { readTraceFile, type SavedTrace, traceFileVersion } from '../../src/core/trace-file.ts';
import { replayTrace } from '../../src/footnote/replay/replay.ts';
import { withBlockedSockets } from './blocked-sockets.ts';

export const goldenFolder = join(import.meta.dirname, 'fixtures', 'golden');
const acceptedPath = join(goldenFolder, 'accepted.json');

export interface GoldenTrace {
  readonly release: string;
  /** `words.json` */
  readonly file: string;
  readonly saved: SavedTrace;
}

/** What a trace comes to since a change that was wanted. */
interface Accepted {
  readonly outcome: string;
  readonly because: string;
}
type AcceptedByTrace = Readonly<Record<string, Accepted>>;

export const releasesIn = (folder = goldenFolder): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

export function tracesOf(release: string, folder = goldenFolder): readonly GoldenTrace[] {
  return readdirSync(join(folder, release))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) =>
      readTraceFile(JSON.parse(readFileSync(join(folder, release, file), 'utf8'))).traces.map((saved) => ({
        release,
        file,
        saved,
      })),
    );
}

export const readAccepted = (path = acceptedPath): AcceptedByTrace =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as AcceptedByTrace) : {};

const outcomeOf = ({ answer, difference }: Replay): string => sha256(JSON.stringify({ answer, difference }));

export interface GoldenCheck {
  readonly outcome: string;
  /** Which release broke, and where the bytes differ; undefined: it comes out as it was, or as was accepted. */
  readonly broken?: string;
}

/** Replays with every way out of the process blocked. Total. */
export async function checkGolden(
  { release, file, saved }: GoldenTrace,
  accepted: AcceptedByTrace = {},
): Promise<GoldenCheck> {
  const name = `Release ${release}, ${file}, ${saved.trace.kind} ${saved.trace.id}`;
  try {
    const { value, tried } = await withBlockedSockets(() => replayTrace(saved));
    const outcome = outcomeOf(value);
    if (tried.length > 0) return { outcome, broken: `${name} tried to get out by ${tried.join(', ')}.` };
    if (value.same || accepted[saved.trace.id]?.outcome === outcome) return { outcome };
    const { at = '', recorded = '', replayed = '' } = value.difference ?? {};
    const steps = value.divergences.slice(0, 3).join('; ');
    const broken = `${name} differs at ${at}: then ${recorded}, now ${replayed}${steps === '' ? '' : ` (${steps})`}.`;
    return { outcome, broken };
  } catch (thrown) {
    return { outcome: '', broken: `${name} does not replay: ${(thrown as Error).message}` };
  }
}

/** Keeps the traces of one kind of turns of a release; one that is there is never written over. */
export function keepGolden(release: string, kind: string, traces: readonly SavedTrace[]): string {
  const folder = join(goldenFolder, release);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${kind}.json`);
  const head = { format: 'footnote-trace', version: traceFileVersion, exportedAt: new Date().toISOString() };
  writeFileSync(path, `${JSON.stringify({ ...head, program: release, id: kind, traces })}\n`, { flag: 'wx' });
  return path;
}

/** Takes what traces come to now as wanted, for a reason that stands in the repository. */
export function acceptGolden(outcomes: ReadonlyMap<string, string>, because: string): void {
  const more = Object.fromEntries([...outcomes].map(([id, outcome]) => [id, { outcome, because }]));
  writeFileSync(acceptedPath, `${JSON.stringify({ ...readAccepted(), ...more }, undefined, 2)}\n`);
}
