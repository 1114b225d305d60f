// The pages that are opened less often, behind one button of the header.
import { useRef } from 'preact/hooks';
import { address, go, hrefOf, inThisTab } from '../shared/address.ts';
import type { PlainPage } from '../shared/router.ts';

const names: readonly (readonly [page: PlainPage, name: string])[] = [
  ['conversations', 'Conversations'],
  ['memory', 'Memory'],
  ['evals', 'Evaluations and costs'],
  ['health', 'Health'],
  ['settings', 'Settings'],
];

export function MorePages() {
  const list = useRef<HTMLElement>(null);
  return (
    <>
      <button type="button" popovertarget="more-pages">
        More
      </button>
      <nav id="more-pages" ref={list} popover="auto" aria-label="More pages">
        {names.map(([page, name]) => (
          <a
            key={page}
            href={hrefOf({ page })}
            aria-current={address.value.page === page ? 'page' : undefined}
            onClick={inThisTab(() => {
              list.current?.hidePopover();
              go({ page });
            })}
          >
            {name}
          </a>
        ))}
      </nav>
    </>
  );
}
