import { describe, expect, it } from 'vitest';
import { type ContradictionKind, contradictionOf, readStatement } from '../../../src/answer/conflicts/contradiction.ts';
import { factKinds, makeFacts, pairsOf } from '../../../testkit/federation/facts.ts';

const kindOf = (left: string, right: string): ContradictionKind | undefined =>
  contradictionOf(readStatement(left), readStatement(right))?.kind;

const contradicting: readonly (readonly [ContradictionKind, string, string])[] = [
  ['number', 'The bridge is 340 metres long.', 'The bridge is 430 metres long.'],
  ['number', 'Die Kündigungsfrist beträgt 14 Tage.', 'Die Kündigungsfrist beträgt 30 Tage.'],
  ['number', 'The cache holds at most 500 entries.', 'The cache holds at most 800 entries.'],
  ['number', 'The gateway listens on port 8080.', 'The gateway listens on port 9090.'],
  ['number', 'The notice period of grade 4 is 8 weeks.', 'The notice period of grade 4 is 6 weeks.'],
  ['number', 'Tickets cost 12 euros.', 'Tickets cost 15 euros.'],
  ['date', 'The museum opened in 1912.', 'The museum opened in 1921.'],
  ['date', 'The contract ends on 31 March 2024.', 'The contract ends on 30 June 2024.'],
  ['version', 'Streaming was added in version 2.3.', 'Streaming was added in version 3.0.'],
  ['negation', 'The plugin supports dark mode.', 'The plugin does not support dark mode.'],
  ['opposite', 'Compression is enabled in the proxy.', 'Compression is disabled in the proxy.'],
  [
    'name',
    'The film Lanternfall was directed by Ada Nowak in 2014.',
    'The film Lanternfall was directed by Ben Okoro in 2014.',
  ],
  ['version', 'Lanternfall v5 requires Node.js 18.', 'Lanternfall v5 requires Node.js 20.'],
  ['version', 'Lanternfall 5.0 requires Node.js 18.', 'Lanternfall 5.0 requires Node.js 20.'],
  ['date', 'Pigeonpost 3.0 was released on 14 March 2025.', 'Pigeonpost 3.0 was released on 21 March 2025.'],
  ['name', 'Ada Nowak is the CEO of Brightwater.', 'Ben Okoro is the CEO of Brightwater.'],
  ['name', 'Brightwater CEO Ada Nowak opened the fair.', 'Brightwater CEO Ben Okoro opened the fair.'],
  ['name', 'The Orchid Cup of 2019 was held in Tampa.', 'The Orchid Cup of 2019 was held in Glendale.'],
  ['name', 'Ada Nowak won the Orchid Cup of 2019.', 'Ben Okoro won the Orchid Cup of 2019.'],
  ['name', 'Ada Nowak was born in Lyon in 1980.', 'Ada Nowak was born in Paris in 1980.'],
];
const compatible: readonly (readonly [why: string, left: string, right: string])[] = [
  ['units convert', 'The bridge is 340 metres long.', 'The bridge is 0.34 kilometres long.'],
  ['one is coarser', 'The museum opened on 3 May 1912.', 'The museum opened in 1912.'],
  ['a limit holds for both', 'The cache holds at least 500 entries.', 'The cache holds 800 entries.'],
  ['about', 'The bridge is about 350 metres long.', 'The bridge is 340 metres long.'],
  ['another name', 'The bridge of Alton is 340 metres long.', 'The bridge of Breda is 430 metres long.'],
  ['another release', 'Pigeonpost 3.0 was released on 14 March 2025.', 'Pigeonpost 2.4 was released on 2 June 2024.'],
  ['another release, of another age', 'Pigeonpost 3.0 needs 2 GB of memory.', 'Pigeonpost 2.4 needs 1 GB of memory.'],
  [
    'another of many, by a number before a date',
    'The mill of basin 2 was built in 1802 and grinds oats.',
    'The mill of basin 3 was built in 1803 and grinds oats.',
  ],
  ['another part', 'The read timeout is 5 seconds.', 'The write timeout is 9 seconds.'],
  ['narrowed', 'The timeout is 5 seconds.', 'The connect timeout is 9 seconds.'],
  ['a condition', 'The timeout is 5 seconds.', 'On slow networks the timeout is 9 seconds.'],
  ['another measure', 'The bridge is 340 metres long.', 'The bridge is 12 metres wide.'],
  ['a question', 'The timeout is 5 seconds.', 'Is the timeout 9 seconds?'],
  ['a heading that asks', 'The gateway never compresses messages.', 'Does the gateway compress its messages'],
  ['an example', 'The timeout is 5 seconds.', 'For example, the timeout is 9 seconds.'],
  ['many do the same', 'Ada Nowak works in the legal department.', 'Ben Okoro works in the legal department.'],
  ['many are the same', 'France is a member of the Orchid Union.', 'Spain is a member of the Orchid Union.'],
  ['several may meet', 'Ada Nowak reviewed the Brightwater report.', 'Ben Okoro reviewed the Brightwater report.'],
  ['another subject', 'Ada Nowak was born in Paris in 1980.', 'Ben Okoro was born in Paris in 1980.'],
  ['another film', 'Ada Nowak directed Lanternfall in 2014.', 'Ada Nowak directed Saltmarsh in 2014.'],
  ['another company', 'Ada Nowak is the CEO of Brightwater.', 'Ada Nowak is the CEO of Saltmarsh.'],
  ['nothing in common', 'It was directed by Ada Nowak.', 'It was directed by Ben Okoro.'],
  ['a longer name', 'Ada Nowak won the Orchid Cup of 2019.', 'Ada Maria Nowak won the Orchid Cup of 2019.'],
  ['another grade', 'The notice period of grade 4 is 8 weeks.', 'The notice period of grade 2 is 4 weeks.'],
  ['labels of a kind unheard of', 'The fee of bracket 4 is 80 euros.', 'The fee of bracket 2 is 40 euros.'],
  ['nothing but labels', 'Staff of grade 4 sign in at door 4.', 'Staff of grade 2 sign in at door 2.'],
  ['another version', 'Lanternfall v4 requires Node.js 18.', 'Lanternfall v5 requires Node.js 20.'],
  ['each version its date', 'Version 2.0 was released in 2019.', 'Version 3.0 was released in 2021.'],
  ['each version its figure', 'Version 2.0 serves 50 users.', 'Version 3.0 serves 90 users.'],
  ['a number that names', 'The rules for engines fill part 5.', 'The rules for engines fill part 14.'],
  ['the same denial', 'The plugin does not support dark mode.', 'Dark mode is not supported by the plugin.'],
];

describe('contradictionOf', () => {
  for (const [kind, left, right] of contradicting)
    it(`finds that “${right}” contradicts “${left}” (${kind})`, () => {
      expect([kindOf(left, right), kindOf(right, left)]).toEqual([kind, kind]);
    });

  for (const [why, left, right] of compatible)
    it(`is silent on “${right}” beside “${left}”: ${why}`, () => {
      expect([kindOf(left, right), kindOf(right, left)]).toEqual([undefined, undefined]);
    });

  it('finds what stands in short under a heading contradicted by a sentence that names the heading', () => {
    const short = readStatement('Default: 1048576 (1 MiB)', 'Server. bodyLimit');
    const kindBeside = (text: string) => contradictionOf(short, readStatement(text, 'Uploads'))?.kind;
    expect(kindBeside('The default bodyLimit is 2 MiB.')).toBe('number');
    expect(contradictionOf(short, readStatement('The default bodyLimit is 2 MiB.'))?.about).toBe('bodyLimit Default');
    expect(kindBeside('The default bodyLimit is 1 MiB.')).toBeUndefined();
    expect(kindBeside('The default poolLimit is 2 MiB.')).toBeUndefined();
  });

  // Versions have a phrasing that shares no verb with the others ("connections use TLS 1.2"), which was never tuned for.
  it('finds nine in ten contradictions of invented facts (seven of versions) in phrasings it was not tuned on, and takes nothing else for one', () => {
    const pairs = pairsOf(makeFacts(7)).filter(({ isHeldOut }) => isHeldOut);
    for (const kind of factKinds) {
      const own = pairs.filter((pair) => pair.kind === kind);
      const found = own.filter(({ left, right }) => kindOf(left, right) !== undefined);
      const right = found.filter(({ contradicts }) => contradicts).length;
      expect(own.length).toBeGreaterThan(150);
      expect(right / own.filter(({ contradicts }) => contradicts).length).toBeGreaterThanOrEqual(
        kind === 'version' ? 0.7 : 0.9,
      );
      expect(right / found.length).toBeGreaterThanOrEqual(0.95);
    }
  });
});

it('says what a name alone does not tell', () => {
  const [one, other] = [14, 21].map((day) => readStatement(`Pigeonpost 3.0 was released on ${day} March 2025.`));
  expect(one && other && contradictionOf(one, other)?.about).toBe('Pigeonpost released');
});
