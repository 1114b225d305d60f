// A dry run in the terminal: what reading folders and files would bring, one after another. Nothing changes.
import type { Source } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { AddDocument, Footnote } from '../../footnote/facade.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import { openBar } from './bar.ts';
import { type Preview, renderPreview } from './preview.ts';

export interface PreviewWork {
  readonly terminal: Terminal;
  readonly sources: readonly Source[];
  /** Each read when its turn comes. */
  readonly documents: readonly (() => Promise<AddDocument>)[];
  readonly signal: AbortSignal;
}

/** A dry run changes nothing: what asks for a change goes ill with it. */
export function assertDryRun(options: {
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly retry?: boolean;
  readonly reread?: boolean;
  readonly wait?: boolean;
}): void {
  if (!options.dryRun) return;
  for (const name of ['report', 'retry', 'reread', 'wait'] as const)
    if (options[name] !== undefined)
      throw new FootnoteError(
        'invalid-request',
        `--${options[name] === false ? 'no-' : ''}${name} goes with a run that reads files in, and --dry-run only looks. Leave one of them out; --dry-run --json tells of every file.`,
      );
}

/** Several documents as if they were one folder. */
function joined(previews: readonly Preview[]): Preview | undefined {
  const [first] = previews;
  if (first === undefined) return undefined;
  const sum = (of: (preview: Preview) => number): number => previews.reduce((total, one) => total + of(one), 0);
  const kinds = new Map<string, Preview['kinds'][number]>();
  for (const one of previews.flatMap((preview) => preview.kinds)) {
    const { files = 0, bytes = 0, chunks = 0 } = kinds.get(one.kind) ?? {};
    kinds.set(one.kind, {
      kind: one.kind,
      files: files + one.files,
      bytes: bytes + one.bytes,
      chunks: chunks + one.chunks,
    });
  }
  const { embedding } = first;
  const costs = previews.map((one) => one.embedding?.costUsd);
  return {
    ...first,
    counts: {
      found: sum(({ counts }) => counts.found),
      done: sum(({ counts }) => counts.done),
      unchanged: sum(({ counts }) => counts.unchanged),
      failed: sum(({ counts }) => counts.failed),
      deleted: sum(({ counts }) => counts.deleted),
      chunks: sum(({ counts }) => counts.chunks),
    },
    bytes: sum(({ bytes }) => bytes),
    tokens: sum(({ tokens }) => tokens),
    kinds: [...kinds.values()],
    files: previews.flatMap(({ files }) => files),
    time: {
      ...first.time,
      seconds: sum(({ time }) => time.seconds),
      readingSeconds: sum(({ time }) => time.readingSeconds),
    },
    ...(embedding && {
      embedding: {
        setting: embedding.setting,
        texts: sum((one) => one.embedding?.texts ?? 0),
        truncated: sum((one) => one.embedding?.truncated ?? 0),
        tokens: sum((one) => one.embedding?.tokens ?? 0),
        calls: sum((one) => one.embedding?.calls ?? 0),
        seconds: sum((one) => one.embedding?.seconds ?? 0),
        rate: embedding.rate,
        ...(costs.every((cost) => cost !== undefined) && { costUsd: sum((one) => one.embedding?.costUsd ?? 0) }),
      },
    }),
  };
}

export async function previewAll(
  footnote: Footnote,
  { terminal, sources, documents, signal }: PreviewWork,
): Promise<void> {
  const previews: Preview[] = [];
  for (const source of sources) {
    const bar = openBar(terminal, toPrintable(source.name));
    try {
      const preview = await footnote.sources.preview(source, {
        signal,
        onProgress: ({ counts }, file) =>
          bar.update(counts.done + counts.unchanged + counts.failed, counts.found, file?.uri ?? ''),
      });
      previews.push(preview);
    } finally {
      bar.end();
    }
  }
  const single: Preview[] = [];
  for (const read of documents) single.push(await footnote.documents.preview(await read(), { signal }));
  const files = joined(single);
  if (files) previews.push(files);
  for (const preview of previews) renderPreview(terminal, preview);
  terminal.value({ dryRun: true, previews });
  terminal.note('Nothing was read in and nothing changed.');
}
