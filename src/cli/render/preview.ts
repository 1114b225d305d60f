// What reading something would bring, as a person reads it before deciding.
import { toSize } from '../../core/documents/sizes.ts';
import type { Footnote } from '../../footnote/facade.ts';
import { toCount, toDuration, toPrice } from '../terminal/figures.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import { renderDuplicates, renderReadings, renderTrouble } from './outcomes.ts';
import { plural, shorten } from './render.ts';

export type Preview = Awaited<ReturnType<Footnote['sources']['preview']>>;

const shownSkipped = 5;
const because = {
  never: 'never read: secrets, installed packages, files in use and the like',
  gitignore: '.gitignore',
  exclude: '--exclude',
  include: 'not in --include',
  link: 'links out of the folder, to nothing, or to what is read anyway',
  special: 'no file and no folder: a pipe, socket or device',
} as const;

function toSummary({ counts, files, omittedFiles }: Preview): string {
  const changed = files.filter(({ change }) => change === 'changed').length;
  const parts = [
    `${plural(counts.done, 'file')} would be read${changed > 0 && omittedFiles === 0 ? ` (${changed} of them changed)` : ''}`,
    ...(counts.unchanged > 0 ? [`${counts.unchanged} unchanged`] : []),
    ...(counts.deleted > 0 ? [`${plural(counts.deleted, 'document')} would go`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} cannot be read`] : []),
  ];
  return parts.join(', ');
}

function toVectors({ embedding }: Preview): string | undefined {
  if (!embedding) return undefined;
  const { setting, texts, tokens, calls, costUsd, seconds, rate } = embedding;
  const cost =
    costUsd === undefined
      ? `cost unknown: MODEL_PRICES has no price of ${setting}`
      : `${toPrice(costUsd)} by MODEL_PRICES`;
  return `${setting}: ${plural(texts, 'text')}, ${toCount(tokens)} tokens in ${plural(calls, 'call')}, ${cost}, about ${toDuration(seconds)} (${rate.from})`;
}

export function renderPreview(terminal: Terminal, preview: Preview): void {
  const { source, counts, bytes, tokens, kinds, files, omittedFiles, skipped, omittedSkipped, time } = preview;
  const line = (name: string, text: string): void => terminal.line(toPrintable(`  ${name.padEnd(9)} ${text}`));
  terminal.line(`${terminal.paint('bold', toPrintable(source))}: ${toSummary(preview)}`);
  const rows = kinds.map((one) => [
    `  ${one.kind}`,
    plural(one.files, 'file'),
    one.bytes > 0 ? toSize(one.bytes) : 'in others',
    plural(one.chunks, 'chunk'),
  ]);
  terminal.table(rows);
  line('Found', `${plural(counts.found, 'file')}, ${toSize(bytes)}`);
  line('Chunks', `${toCount(counts.chunks)} with ${toCount(tokens)} tokens`);
  line(
    'Time',
    `about ${toDuration(time.seconds)}: parsing took ${toDuration(time.readingSeconds)} now, and ${toCount(time.chunksPerSecond)} chunks a second come in (${time.from === 'measured' ? 'measured in earlier runs' : 'assumed'})`,
  );
  const vectors = toVectors(preview);
  if (vectors !== undefined) line('Vectors', vectors);
  const left = skipped.length + omittedSkipped;
  if (left > 0) {
    const shown = Map.groupBy(skipped.slice(0, shownSkipped), ({ reason }) => reason);
    const groups = [...shown].map(
      ([reason, some]) => `${some.map(({ path }) => shorten(path, 60)).join(', ')} (${because[reason]})`,
    );
    const more = left - Math.min(skipped.length, shownSkipped);
    line('Left out', `${groups.join('; ')}${more > 0 ? ` and ${more} more` : ''}`);
  }
  renderReadings(terminal, counts, true);
  // As of a run: those of unchanged files were told when they came in.
  renderDuplicates(
    terminal,
    files.filter(({ state }) => state === 'done'),
  );
  renderTrouble(terminal, files);
  if (omittedFiles > 0) terminal.line(`  … ${plural(omittedFiles, 'file')} without trouble not listed.`);
}
