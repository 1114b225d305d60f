// What failed last, by its title and what to do, on whichever page that was.
import { notice } from '../ask/session.ts';
import { inOrder } from '../shared/text.ts';
import { Countdown } from './countdown.tsx';

export function Notice() {
  const failure = notice.value;
  if (!failure) return null;
  return (
    <section id="failure" aria-label="What failed" class="notice failure">
      <span>
        <strong>{inOrder(failure.title)}.</strong> {inOrder(failure.detail)}
        {failure.againAtMs !== undefined && <Countdown what="Try again" atMs={failure.againAtMs} />}
      </span>
      <button type="button" onClick={() => (notice.value = undefined)}>
        Dismiss
      </button>
    </section>
  );
}
