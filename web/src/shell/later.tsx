// A part of the pages that is loaded when it is shown first.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface LaterProps {
  load(): Promise<ComponentType>;
}

export function Later({ load }: LaterProps) {
  const [part, setPart] = useState<{ readonly Shown: ComponentType }>();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    load().then(
      (Shown) => setPart({ Shown }),
      () => setMissing(true),
    );
  }, []);
  if (isMissing) return <p class="notice failure">This part of the page could not be loaded. Load the page again.</p>;
  return part ? <part.Shown /> : <p class="place">Opening…</p>;
}
