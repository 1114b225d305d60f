// The encoder of a process: opened when it is first asked, once for all tenants, and given back; a question goes on without one that is gone.
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { systemClock } from '../../../src/core/ids.ts';
import { playedPassageScorer } from '../../../src/footnote/replay/played-ports.ts';
import { createPlayer } from '../../../src/footnote/replay/player.ts';
import { type OpenedEncoder, openEncoder } from '../../../src/footnote/roles/encoders.ts';
import { type LocalEncoder, openLocalEncoder } from '../../../src/models/encoder/local-encoder.ts';
import { type PassageScorer, scorePassages } from '../../../src/models/encoder/passage-scorer.ts';
import { createEventLog, withRecorder } from '../../../src/trace/recorder.ts';
import { createTape } from '../../../src/trace/tape.ts';
import { createStandInEncoder, type StandInEncoder } from '../../models/encoder/stand-in-encoder.ts';
import { hasLocalRuntime } from '../../models/local-runtime.ts';

const configOf = (environment: Readonly<Record<string, string>> = {}) => loadConfig({ folder: '/', environment });
const patient = configOf({ ENCODER_TIMEOUT_MS: '60000' });

const opened: OpenedEncoder[] = [];
function openWith(open: () => Promise<LocalEncoder>, config = patient): OpenedEncoder {
  const encoder = openEncoder(config, open) as OpenedEncoder;
  opened.push(encoder);
  return encoder;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

interface Local extends LocalEncoder, Pick<StandInEncoder, 'calls'> {}
const closed: string[] = [];
const localOf = (id: string): Local => ({
  ...createStandInEncoder(id),
  warm: async () => undefined,
  close: async () => void closed.push(id),
});

describe('the encoder of a process', () => {
  it('is on unless it is switched off', () => {
    expect(configOf().encoder).toEqual({ isOn: true, timeoutMs: 1500 });
    expect(openEncoder(configOf({ ENCODER: 'off' }))).toBeUndefined();
  });

  it('is opened with the first question, once for all tenants, and closed', async () => {
    closed.length = 0;
    let opens = 0;
    const local = localOf('one');
    const encoder = openWith(async () => {
      opens += 1;
      return local;
    });
    const [first, second] = [encoder.scorerOf('t'), encoder.scorerOf('u')];
    expect(opens).toBe(0);
    expect(await Promise.all([first.score('a', ['aab']), second.score('a', ['a'])])).toEqual([[0.894427], [1]]);
    expect(await first.score('a', ['aab'])).toEqual([0.894427]);
    expect([opens, local.calls.length]).toEqual([1, 4]);
    await encoder.close();
    expect(closed).toEqual(['one']);
  });

  it('is tried anew with each question where it cannot be opened, which is told', async () => {
    const missing = new FootnoteError('config-invalid', 'Run this.', { details: { fault: 'no-runtime' } });
    const outcomes = [async () => Promise.reject(missing), async () => localOf('two')];
    const scorer = openWith(() => (outcomes.shift() as () => Promise<LocalEncoder>)()).scorerOf('t');
    const asked = { query: 'a', texts: ['a'] };
    expect(await scorePassages(scorer, asked)).toMatchObject({
      degraded: { component: 'encoder', code: 'config-invalid', detail: 'Run this.' },
    });
    expect(await scorePassages(scorer, asked)).toEqual({ scores: [1] });
  });

  it('is opened anew when its files have become others', async () => {
    closed.length = 0;
    const changed = new FootnoteError('conflict', 'The files changed.');
    const old = { ...localOf('old'), encodeQuery: async () => Promise.reject(changed) };
    const outcomes: LocalEncoder[] = [old, localOf('new')];
    const scorer = openWith(async () => outcomes.shift() as LocalEncoder).scorerOf('t');
    await expect(scorer.score('a', ['a'])).rejects.toMatchObject({ code: 'upstream-unavailable' });
    expect(await scorer.score('a', ['a'])).toEqual([1]);
    expect(closed).toEqual(['old']);
  });

  it.skipIf(!hasLocalRuntime())(
    'fails the question during which its process dies or hangs, and serves the next',
    async () => {
      const entry = new URL('../../models/local/local-stand-in.ts', import.meta.url);
      const config = configOf({ ENCODER_TIMEOUT_MS: '5000' });
      const scorer = openWith(() => openLocalEncoder({ entry, stepTimeoutMs: 300 }), config).scorerOf('t');
      for (const text of ['die', 'hang', 'throw']) {
        await expect(scorer.score('a', [text])).rejects.toMatchObject({ code: 'upstream-unavailable' });
        expect(await scorer.score('a', ['b'])).toHaveLength(1);
      }
    },
  );
});

describe('the scores in a trace', () => {
  it('are played without an encoder, and so is that there were none', async () => {
    const clock = { now: () => '2026-11-23T12:00:00.000Z', elapsedMs: systemClock.elapsedMs };
    const tape = createTape({ clock, ids: { next: (prefix) => prefix } });
    tape.clock.elapsedMs();
    const log = createEventLog(clock, () => tape.mark());
    const local = localOf('one');
    const encode = async (texts: readonly string[]) => {
      if (texts.includes('lost')) throw new FootnoteError('upstream-unavailable', 'The process died.');
      return local.encode(texts);
    };
    const own = openWith(async () => ({ ...local, encode })).scorerOf('t');
    const recorded = withRecorder('passage-scorer', own, { sink: log.sink, clock: tape.clock });
    const ask = async (scorer: PassageScorer) => [
      await scorePassages(scorer, { query: 'a', texts: ['aab', 'b'] }, new AbortController().signal),
      await scorePassages(scorer, { query: 'a', texts: ['lost'] }),
      scorer.id,
    ];
    const then = await ask(recorded);
    expect(then[0]).toEqual({ scores: [0.894427, 0] });
    log.sink({ type: 'tape', ...tape.written() });
    expect(JSON.stringify(log.events)).not.toContain('float32');
    const player = createPlayer(JSON.parse(JSON.stringify(log.events)));
    player.tape.clock.elapsedMs();
    const played = playedPassageScorer(player, { passageScorer: own.id }) as PassageScorer;
    expect(JSON.stringify(await player.play(ask(played)))).toBe(JSON.stringify(then));
    expect(player.divergences()).toEqual([]);
    expect(playedPassageScorer(player, {})).toBeUndefined();
  });
});
