// The address of this tab as a signal, and the two ways to change it.
import { signal } from '@preact/signals';
import { home } from './api.ts';
import { type Address, formatAddress, parseAddress } from './router.ts';

const read = (): Address => parseAddress(new URL(location.href), home.pathname);

export const address = signal<Address>(read());

addEventListener('popstate', () => {
  address.value = read();
});

export const hrefOf = (to: Address): string => formatAddress(to, home.pathname);

export function go(to: Address, how: 'push' | 'replace' = 'push'): void {
  history[`${how}State`](null, '', hrefOf(to));
  address.value = to;
}

/** For the click on a link: does this in place of the browser, unless another tab was asked for. */
export const inThisTab =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    act();
  };

/** For the click on a link: leads there. */
export const follow = (to: Address) => inThisTab(() => go(to));

/** For links to pages of ours: the key of this tab is copied into a tab that has an opener, and into no other. */
export const ownTab = { target: '_blank', rel: 'opener' } as const;
