// Traces of every release replay for ever, with every way out of the process blocked: whoever changes what one comes to is told which release it
// was and where its bytes differ, and says why that is wanted (scripts/golden-traces.ts).
import { describe, expect, it } from 'vitest';
import { version } from '../../src/config/version.ts';
import { checkGolden, type GoldenTrace, readAccepted, releasesIn, tracesOf } from './golden-traces.ts';
import { systemKinds } from './recorded-systems.ts';

const releases = releasesIn();
const accepted = readAccepted();

describe('golden traces', () => {
  it('are there of this version, of every kind of turn', () => {
    expect(releases).toContain(version);
    expect(new Set(tracesOf(version).map(({ file }) => file))).toEqual(
      new Set(systemKinds.map((kind) => `${kind}.json`)),
    );
  });

  it.each(releases)('of %s replay', async (release) => {
    const broken: string[] = [];
    for (const golden of tracesOf(release)) {
      const found = (await checkGolden(golden, accepted)).broken;
      if (found !== undefined) broken.push(found);
    }
    expect(broken).toEqual([]);
  });

  it('hold nothing of the machine that recorded them', () => {
    for (const release of releases)
      for (const { saved } of tracesOf(release))
        expect(JSON.stringify(saved)).not.toMatch(/\/tmp\/|\/home\/|\/work\//u);
  });

  it('of an older shape of answers are the same: what was said is what it was', async () => {
    const done = tracesOf(version).filter(({ saved }) => saved.trace.status === 'done');
    let older = done[0] as GoldenTrace;
    // One whose answer is the same today: others are accepted as they are.
    for (const one of done.toReversed()) if ((await checkGolden(one)).broken === undefined) older = one;
    const events = older.saved.events.map((logged) =>
      logged.event.type === 'done'
        ? { ...logged, event: { ...logged.event, answer: { ...logged.event.answer, version: 1 } } }
        : logged,
    );
    expect((await checkGolden({ ...older, saved: { ...older.saved, events } })).broken).toBeUndefined();
  });

  it('that were changed are told, with their release and the place', async () => {
    const whole = tracesOf(version).find(({ saved }) => saved.trace.status === 'done' && saved.trace.kind === 'ask');
    const changed = JSON.parse(JSON.stringify(whole).replaceAll('metres tall', 'metres deep')) as GoldenTrace;
    const done = changed.saved.events.findLast(({ event }) => event.type === 'done');
    const original = whole?.saved.events.findLast(({ event }) => event.type === 'done');
    // Only what was given then is changed: the evidence is what it was.
    const events = whole?.saved.events.map((logged) => (logged === original && done ? done : logged)) ?? [];
    const { broken } = await checkGolden({ ...changed, saved: { ...changed.saved, events } });
    expect(broken).toContain(`Release ${version}`);
    expect(broken).toMatch(/differs at character \d+: then .*deep.*, now .*tall/u);
  });
});
