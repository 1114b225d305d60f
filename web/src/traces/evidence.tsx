// What became of what was found: which claims were kept and which dropped, which passages were cited, read or left out, each with why.
import { useState } from 'preact/hooks';
import { follow, hrefOf } from '../shared/address.ts';
import type { SavedTrace } from '../shared/contract.ts';
import { cut, inOrder } from '../shared/text.ts';
import { eventsOfType } from './findings.ts';
import type { PassageFate } from './passages.ts';

const share = new Intl.NumberFormat(undefined, { style: 'percent' });
const figure = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

export function Claims({ saved }: { readonly saved: SavedTrace }) {
  const verdicts = eventsOfType(saved, 'verdict').toSorted((one, other) => Number(one.kept) - Number(other.kept));
  if (verdicts.length === 0) return null;
  const dropped = verdicts.filter(({ kept }) => !kept).length;
  return (
    <section aria-labelledby="claims-title">
      <h3 id="claims-title">{`Claims that were checked: ${verdicts.length - dropped} kept, ${dropped} dropped`}</h3>
      <ul class="verdicts">
        {verdicts.map(({ claim, support, kept, reasons }, at) => (
          <li key={at} data-kept={kept}>
            <strong>{kept ? 'Kept' : 'Dropped'}</strong>
            {` (support ${share.format(support)}): `}
            <span dir="auto">{inOrder(cut(claim, 600))}</span>
            {reasons.length > 0 && <p class="place">{inOrder(reasons.join('; '))}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const first = 20;
const shownReasons = 2;

export function Passages({ passages }: { readonly passages: readonly PassageFate[] }) {
  const [isWhole, setWhole] = useState(false);
  if (passages.length === 0) return null;
  const shown = isWhole ? passages : passages.slice(0, first);
  return (
    <section aria-labelledby="passages-title">
      <h3 id="passages-title">What became of the passages</h3>
      <ul class="fates">
        {shown.map((one) => (
          <li key={one.chunkId} data-fate={one.fate}>
            <strong>{one.fate}</strong> <Title one={one} />
            {one.score !== undefined && <span class="facts">{` · score ${figure.format(one.score)}`}</span>}
            <Where one={one} />
            {one.reasons.length > 0 && (
              <p class="place">
                {inOrder(one.reasons.slice(0, shownReasons).join('; '))}
                {one.reasons.length > shownReasons && ` and ${one.reasons.length - shownReasons} reasons more`}
              </p>
            )}
          </li>
        ))}
      </ul>
      {passages.length > shown.length && (
        <button type="button" onClick={() => setWhole(true)}>
          {`All ${passages.length} passages`}
        </button>
      )}
    </section>
  );
}

/** Under which headings and on which page it stands, and how it begins: what was never read is known by its document alone. */
function Where({ one: { headings = [], place, words } }: { readonly one: PassageFate }) {
  const where = [headings.join(' › '), place].filter(Boolean).join(' · ');
  return (
    <>
      {where && (
        <p class="path" dir="auto">
          {inOrder(where)}
        </p>
      )}
      {words && (
        <p>
          <q dir="auto">{inOrder(words)}</q>
        </p>
      )}
    </>
  );
}

/** A link where it is known where the passage stands: to its text as it is now. */
function Title({ one: { title, documentId, start, end } }: { readonly one: PassageFate }) {
  const name = <bdi>{inOrder(cut(title, 160))}</bdi>;
  if (documentId === undefined) return name;
  const to = { page: 'document', id: documentId, start: start ?? 0, end: end ?? 0 } as const;
  return (
    <a href={hrefOf(to)} onClick={follow(to)}>
      {name}
    </a>
  );
}
