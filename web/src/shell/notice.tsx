// What failed last, by its title and what to do.
import { notice } from '../ask/session.ts';
import { inOrder } from '../shared/text.ts';

export function Notice() {
  const failure = notice.value;
  if (!failure) return null;
  return (
    <p class="notice failure">
      <strong>{inOrder(failure.title)}.</strong> {inOrder(failure.detail)}
    </p>
  );
}
