// The same program without traces, in the same process: its modules loaded a second time, with those that record and save replaced by ones
// that do nothing. What is the same in both (the event log that streams are made of) stays.
import { registerHooks } from 'node:module';

/** Ends as every file does: some look at the end of their own address. */
const mark = '?untraced.ts';
const replaced: Readonly<Record<string, string>> = {
  '/src/trace/recorder.ts': new URL('./without/recorder.ts', import.meta.url).href,
  '/src/trace/tape.ts': new URL('./without/tape.ts', import.meta.url).href,
  '/src/trace/recorded-budget.ts': new URL('./without/recorded-budget.ts', import.meta.url).href,
  '/src/db/both/traces.ts': new URL('./without/traces.ts', import.meta.url).href,
};
const root = new URL('../../', import.meta.url).href;

/** Modules of the program that a marked module asks for are marked, too. */
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isMarked = specifier.endsWith(mark) || context.parentURL?.endsWith(mark) === true;
    const url = found.url.replace(mark, '');
    // Threads and processes are begun by their files, and record nothing.
    if (!isMarked || !url.startsWith(`${root}src/`) || /-(?:child|worker)\.ts$/u.test(url)) return found;
    return { ...found, url: replaced[url.slice(root.length - 1)] ?? `${url}${mark}` };
  },
});

type Composition = typeof import('../../src/footnote/compose.ts');

/** `openFootnote` of the program without traces. */
export async function openUntraced(): Promise<Composition['openFootnote']> {
  const composition = (await import(`../../src/footnote/compose.ts${mark}`)) as Composition;
  return composition.openFootnote;
}
