// The facades of those who called last: tokens bring callers without end. Invariant: one that went and that somebody still holds is given again, so that
// nobody has two of it, and nothing in use is closed.
import { readerKey, type Scope } from '../core/scope.ts';
import { createRecent } from '../core/values/recent.ts';

/** Callers whose facades are held although nobody uses them: some 100 kB each. */
const mostHeld = 256;

/** `open` makes one; what it makes needs no closing. */
export function createScopedHandles<Handle extends object>(
  open: (scope: Scope) => Handle,
  most = mostHeld,
): (scope: Scope) => Handle {
  const recent = createRecent<string, Handle>(most);
  const used = new Map<string, WeakRef<Handle>>();
  const gone = new FinalizationRegistry<string>((key) => {
    if (used.get(key)?.deref() === undefined) used.delete(key);
  });
  return (scope) => {
    const key = readerKey(scope);
    const present = recent.get(key);
    if (present) return present;
    const left = used.get(key)?.deref();
    const handle = left ?? open(scope);
    if (!left) {
      used.set(key, new WeakRef(handle));
      gone.register(handle, key);
    }
    recent.set(key, handle);
    return handle;
  };
}
