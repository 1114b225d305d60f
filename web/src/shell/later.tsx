// A part of the pages that is loaded when it is shown first.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { report } from '../ask/session.ts';

interface LaterProps {
  load(): Promise<ComponentType>;
}

export function Later({ load }: LaterProps) {
  const [part, setPart] = useState<{ readonly Shown: ComponentType }>();
  useEffect(() => {
    load().then((Shown) => setPart({ Shown }), report);
  }, []);
  return part ? <part.Shown /> : <p class="place">Opening…</p>;
}
