// Going on after folders were read: the server watches them where one runs, else this command does until it is interrupted.
import { folderOf } from '../../core/connector.ts';
import { watchFolder } from '../../footnote/sources/folder-watch.ts';
import type { Access } from '../remote/access.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { followRun, type RunReport, renderRun } from './runs.ts';

export async function watchOn(
  { footnote, remote }: Access,
  { terminal, runs }: { readonly terminal: Terminal; readonly runs: readonly RunReport[] },
  signal: AbortSignal,
): Promise<void> {
  if (remote) {
    terminal.line('The server reads them again when something changes.');
    return;
  }
  const touched = new Set<string>();
  let wake: (() => void) | undefined;
  const sources = await Promise.all(runs.map(({ run }) => footnote.sources.get(run.source)));
  const watches = sources.flatMap(({ name, connector }) => {
    const folder = folderOf(connector);
    const changed = (): void => {
      touched.add(name);
      wake?.();
    };
    return folder === undefined ? [] : [watchFolder(folder, changed)];
  });
  const interrupt = (): void => wake?.();
  signal.addEventListener('abort', interrupt, { once: true });
  terminal.line('Watching. Ctrl-C ends.');
  // Watches alone keep no process alive.
  const alive = setInterval(() => undefined, 60_000);
  try {
    while (!signal.aborted) {
      const [name] = touched;
      if (name === undefined) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
        continue;
      }
      touched.delete(name);
      renderRun(terminal, await followRun(footnote, { terminal, source: name }, signal));
    }
  } finally {
    clearInterval(alive);
    for (const watch of watches) watch.close();
  }
}
