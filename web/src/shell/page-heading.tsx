// The heading of a page: the tab is called by it, and it takes focus when the page is opened.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function PageHeading({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    document.title = `${title} – Footnote`;
  }, [title]);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h2>
  );
}
