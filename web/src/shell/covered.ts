// Whether a source covers the page, as it does on a narrow screen (style.css): what lies beneath then takes no focus.
import { computed, signal } from '@preact/signals';
import { opened } from '../ask/session.ts';
import { address } from '../shared/address.ts';

const narrow = matchMedia('(max-width: 52rem)');
const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));

/** A result of the search is open: its address says so. */
const isResultOpen = computed(() => {
  const at = address.value;
  return at.page === 'search' && new URLSearchParams(at.query).has('open');
});

export const isCovered = computed(() => isNarrow.value && (opened.value !== undefined || isResultOpen.value));
