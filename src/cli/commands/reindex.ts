// footnote reindex: gives every chunk its vector of the configured model, beside the vectors in use, and swaps when all are there.
// What it takes is said first; --dry-run says only that. Ctrl-C keeps what was made: the next run goes on from there.
import type { Command } from 'commander';
import { FootnoteError } from '../../core/errors.ts';
import { localScope } from '../../core/scope.ts';
import type { OpenedFootnote } from '../../footnote/compose.ts';
import type { Access } from '../remote/access.ts';
import { plural } from '../render/render.ts';
import { toCount, toDuration, toPrice } from '../terminal/figures.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

type Estimate = Awaited<ReturnType<OpenedFootnote['estimate']>>;
type Status = Parameters<NonNullable<NonNullable<Parameters<OpenedFootnote['settle']>[1]>['onProgress']>>[0];

const redrawEveryMs = 100;
const askServerEveryMs = 1000;

function renderEstimate(terminal: Terminal, estimate: Estimate): void {
  const { setting, model, state, chunks, embedded, cached, texts, truncated, remote } = estimate;
  const line = (name: string, text: string): void => terminal.line(toPrintable(`${name.padEnd(9)} ${text}`));
  line(
    'Model',
    `${setting} (vectors ${model}${state === 'new' ? '' : `, ${state === 'active' ? 'in use' : 'begun'}`})`,
  );
  line(
    'Chunks',
    `${toCount(chunks)}: ${toCount(embedded)} have their vector, ${toCount(cached)} need no call, ${toCount(texts)} to embed`,
  );
  if (!remote) return;
  line('Tokens', `${toCount(remote.tokens)} in ${plural(remote.calls, 'call')}`);
  line(
    'Cost',
    remote.costUsd === undefined
      ? `unknown: MODEL_PRICES has no price of ${setting.replace(/@\d+$/u, '')}`
      : `${toPrice(remote.costUsd)} by MODEL_PRICES`,
  );
  const { textsPerSecond, from } = remote.rate;
  line('Time', `about ${toDuration(remote.seconds)} at ${toCount(textsPerSecond)} texts a second (${from})`);
  if (truncated > 0)
    line('Cut', `${plural(truncated, 'text')} longer than the model reads; the rest stays findable by words`);
}

/** Where a person looks on: how far it is, how fast, how long still. */
function progressTo(terminal: Terminal): (status: Pick<Status, 'state' | 'chunks' | 'embedded'>) => void {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let first: { readonly at: number; readonly embedded: number } | undefined;
  return ({ state, chunks, embedded }) => {
    if (!terminal.isInteractive || terminal.json) return;
    const now = performance.now();
    if (now - drawnAt < redrawEveryMs) return;
    drawnAt = now;
    if (state === 'training') return terminal.redraw(`Learning what words mean from ${plural(chunks, 'chunk')} …`);
    if (state !== 'embedding') return;
    first ??= { at: now, embedded };
    const rate = ((embedded - first.embedded) / Math.max(1, now - first.at)) * 1000;
    const left = rate > 0 ? `, ${toCount(rate)} a second, ${toDuration((chunks - embedded) / rate)} left` : '';
    terminal.redraw(`${toCount(embedded)} of ${plural(chunks, 'chunk')} have their vector${left}`);
  };
}

/** A server makes the vectors by the settings that it was started with. */
async function reindexByServer({ footnote, remote }: Access, terminal: Terminal, signal: AbortSignal): Promise<void> {
  terminal.note(
    `A server (pid ${remote?.owner.pid ?? 0}) owns the data and makes the vectors, by the settings that it was started with. Ctrl-C leaves it at work.`,
  );
  const tell = progressTo(terminal);
  const looking = setInterval(() => {
    footnote.stores.list().then(
      (stores) => {
        for (const { vectors } of stores) if (vectors) tell(vectors);
      },
      () => undefined,
    );
  }, askServerEveryMs);
  try {
    await footnote.stores.sync('embedded', signal);
  } finally {
    clearInterval(looking);
    if (terminal.isInteractive && !terminal.json) terminal.redraw('');
  }
  const vectors = (await footnote.stores.list()).find(({ name }) => name === 'embedded')?.vectors;
  terminal.value({ vectors });
  terminal.line(toPrintable(`Searches by meaning go by ${vectors?.model ?? 'the model of the server'}.`));
}

export function addReindexCommand(program: Command, cli: Cli): void {
  const { terminal, signal } = cli;
  const command = program
    .command('reindex')
    .description('Make the vectors of all chunks with the configured model, beside those in use, and swap')
    .option('--dry-run', 'only say what it would take: chunks, tokens, calls, cost, time')
    .option('--model <name>', 'with --dry-run: a model other than the configured one')
    .addHelpText(
      'after',
      `
Examples:
  footnote reindex --dry-run --model openai:text-embedding-3-small
  MODEL_EMBED=openai:text-embedding-3-small footnote reindex`,
    );
  command.action(async (options: { readonly dryRun?: boolean; readonly model?: string }) => {
    const setting = cli.config(command).models.embed;
    const { dryRun = false, model = setting } = options;
    if (!dryRun && model !== setting)
      throw new FootnoteError(
        'invalid-request',
        `MODEL_EMBED is ${setting}: vectors of ${model} would be dropped by the next program that goes by it. Set MODEL_EMBED to ${model}, then run "footnote reindex"; --dry-run tells what it would take.`,
      );
    if (model === 'none')
      throw new FootnoteError('unsupported', 'MODEL_EMBED is none: no vectors are kept. Set it to a model first.');
    await cli.withData(command, { needsData: true }, async (access) => {
      const { opened, remote } = access;
      if (!opened) {
        if (dryRun)
          throw new FootnoteError(
            'already-running',
            `A server (pid ${remote?.owner.pid ?? 0}) owns the data, and an estimate reads all of it. Stop the server first, or make the estimate over a copy with --data.`,
          );
        return reindexByServer(access, terminal, signal);
      }
      const { tenant } = localScope();
      const estimate = model === 'corpus' ? undefined : await opened.estimate(tenant, model, signal);
      if (estimate) renderEstimate(terminal, estimate);
      if (dryRun) {
        if (!estimate)
          throw new FootnoteError(
            'unsupported',
            'MODEL_EMBED is corpus: that model is learned here and costs nothing. Name another with --model, such as openai:text-embedding-3-small.',
          );
        terminal.value({ estimate, dryRun });
        terminal.note('Nothing was embedded and nothing changed.');
        return;
      }
      const startedAt = performance.now();
      try {
        await opened.settle(tenant, { exact: true, whole: true, onProgress: progressTo(terminal), signal });
      } catch (error) {
        if (signal.aborted) terminal.note('What was made is kept: "footnote reindex" goes on from there.');
        throw error;
      } finally {
        if (terminal.isInteractive && !terminal.json) terminal.redraw('');
      }
      const seconds = (performance.now() - startedAt) / 1000;
      terminal.value({ ...(estimate && { estimate }), dryRun, seconds });
      terminal.line(toPrintable(`Searches by meaning go by ${model} now (${toDuration(seconds)}).`));
    });
  });
}
