// Adds the golden traces of a release, and takes a change of older ones as wanted.
//
// node scripts/golden-traces.ts add                 turns of every kind, recorded now, as those of the version in package.json
// node scripts/golden-traces.ts renew               the same again, while that version is not in CHANGELOG.md yet
// node scripts/golden-traces.ts check               replays all of them and says which differ and where
// node scripts/golden-traces.ts accept "WHY"        what differs is wanted: WHY stands beside it from then on
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../src/config/version.ts';
import type { SavedTrace } from '../src/core/trace-file.ts';
import {
  acceptGolden,
  checkGolden,
  goldenFolder,
  keepGolden,
  readAccepted,
  releasesIn,
  tracesOf,
} from '../test/replay/golden-traces.ts';
import { systemKinds } from '../test/replay/recorded-systems.ts';
import { openTurns } from '../test/replay/recorded-turns.ts';

/** Turns of a kind that are looked at, and how many of them are kept: the smallest of each way to end and to ask. */
const looked = 24;
const kept = 3;

const sizeOf = (saved: SavedTrace): number => JSON.stringify(saved).length;

function choose(turns: readonly SavedTrace[]): readonly SavedTrace[] {
  const byWay = Map.groupBy(turns, ({ trace }) => `${trace.kind} ${trace.status} ${trace.intent} ${trace.mode}`);
  const smallest = [...byWay.values()].flatMap((some) => some.toSorted((a, b) => sizeOf(a) - sizeOf(b)).slice(0, 1));
  // Each kind of request and each ending before a second of any.
  const first = [...Map.groupBy(smallest, ({ trace }) => `${trace.kind} ${trace.status}`).values()].flatMap((some) =>
    some.slice(0, 1),
  );
  const files = turns.filter(({ events }) => JSON.stringify(events[0]).includes('"workspace"')).slice(0, 1);
  return [...new Set([...first, ...files, ...smallest])].slice(0, kept);
}

async function add(): Promise<void> {
  if (existsSync(join(goldenFolder, version)))
    throw new Error(
      `There are golden traces of ${version} already. Remove their folder only if that version was never released.`,
    );
  for (const kind of systemKinds) {
    const source = await openTurns(kind);
    const turns: SavedTrace[] = [];
    try {
      for await (const { saved } of source.turns(looked)) turns.push(saved);
    } finally {
      await source.close();
    }
    const chosen = choose(turns);
    console.log(
      `${keepGolden(version, kind, chosen)}: ${chosen.length} turns, ${chosen.reduce((sum, one) => sum + sizeOf(one), 0)} characters`,
    );
  }
}

async function renew(): Promise<void> {
  const changes = await readFile(join(import.meta.dirname, '..', 'CHANGELOG.md'), 'utf8');
  if (changes.includes(`\n## ${version}`))
    throw new Error(`${version} is released: its traces stay. Accept what changes in them with a reason.`);
  await rm(join(goldenFolder, version), { recursive: true, force: true });
  await add();
}

async function check(because: string | undefined): Promise<void> {
  const accepted = readAccepted();
  const changed = new Map<string, string>();
  for (const release of releasesIn())
    for (const golden of tracesOf(release)) {
      const { outcome, broken } = await checkGolden(golden, accepted);
      if (broken === undefined) continue;
      console.log(broken);
      if (outcome !== '') changed.set(golden.saved.trace.id, outcome);
      process.exitCode = 1;
    }
  if (because === undefined || changed.size === 0) return;
  acceptGolden(changed, because);
  console.log(`${changed.size} changes are accepted.`);
  process.exitCode = 0;
}

// Stores that say nothing leave nothing behind that would keep the process.
const awake = setInterval(() => undefined, 1000);
const [command, because] = process.argv.slice(2);
if (command === 'add') await add();
else if (command === 'renew') await renew();
else if (command === 'check') await check(undefined);
else if (command === 'accept' && because) await check(because);
else throw new Error('Say "add", "renew", "check", or "accept" with a reason.');
clearInterval(awake);
