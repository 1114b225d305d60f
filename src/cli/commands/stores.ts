// footnote stores: what each store holds and what it still lacks; bring that at once, or stop and go on bringing it.
import type { Command } from 'commander';
import type { Footnote } from '../../footnote/facade.ts';
import { plural } from '../render/render.ts';
import { holdingOf } from '../render/stores.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

type Store = Awaited<ReturnType<Footnote['stores']['list']>>[number];

/** What is on its way, in words; empty where nothing is. */
function waitingOf({ deliveries }: Store): string {
  if (!deliveries) return '';
  const { pending, failed, deletions, paused, oldestPendingSeconds, failure } = deliveries;
  const parts = [
    paused ? 'paused' : '',
    pending > 0 ? `${pending} to bring` : '',
    failed > 0 ? `${failed} failed` : '',
    deletions > 0 ? `${deletions} to take away` : '',
    oldestPendingSeconds === undefined ? '' : `oldest ${Math.round(oldestPendingSeconds)} s`,
    failure ?? '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const rowOf = (store: Store): string[] => [
  toPrintable(store.name),
  store.status,
  holdingOf(store),
  `${(store.coverage * 100).toFixed(1)} % of the corpus${store.deliveries ? ' brought' : ''}`,
  toPrintable(waitingOf(store)),
];

export function addStoresCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const stores = program
    .command('stores')
    .description('Show what each store holds and lacks, deliver it, pause or resume');

  const status = stores.command('status', { isDefault: true }).description('Health, coverage and what is on its way');
  cli.onData(status, async ({ footnote }) => {
    const data = await footnote.stores.list();
    terminal.value({ data });
    terminal.table(data.map(rowOf));
    for (const { name, status: state, detail } of data)
      if (state !== 'ok') terminal.note(`${toPrintable(name)}: ${toPrintable(detail)}`);
  });

  const sync = stores
    .command('sync')
    .description('Deliver now what a store lacks')
    .argument('<store>', 'name of the store')
    .addHelpText('after', '\nExample:\n  footnote stores sync openai');
  cli.onData(sync, async ({ footnote }, name: string) => {
    const counts = await footnote.stores.sync(name, cli.signal);
    terminal.value({ store: name, ...counts });
    terminal.line(`${plural(counts.delivered, 'document')} brought to ${toPrintable(name)}.`);
    if (counts.failed > 0) {
      terminal.note(`It still lacks ${counts.failed}; why is in "footnote stores" and in its deliveries.`);
      cli.exitCode = 1;
    }
  });

  const compare = stores
    .command('reconcile')
    .description('Compare what a store holds with the record, and mend what differs')
    .argument('[store]', 'name of the store; none: all beside the record')
    .option('--dry-run', 'only tell')
    .addHelpText('after', '\nExample:\n  footnote stores reconcile azure --dry-run');
  cli.onData(
    compare,
    async ({ footnote }, name: string | undefined, { dryRun = false }: { readonly dryRun?: boolean }) => {
      const all =
        name === undefined ? (await footnote.stores.list()).filter(({ deliveries }) => deliveries) : [{ name }];
      const data = [];
      for (const one of all) {
        const report = await footnote.stores.reconcile(one.name, { dryRun, signal: cli.signal });
        data.push({ store: one.name, ...report });
        const { checked, missing, stale, duplicates, orphans, failed } = report;
        terminal.line(
          `${toPrintable(one.name)}: ${plural(checked, 'document')} compared, ${missing} missing, ${stale} not as they were brought, ${duplicates} twice, ${orphans} unknown here${dryRun ? ' (nothing was changed)' : ''}.`,
        );
        if (failed > 0 || (dryRun && missing + stale + duplicates + orphans > 0)) cli.exitCode = 1;
      }
      if (all.length === 0) terminal.note('There is no store beside the record.');
      terminal.value({ data });
    },
  );

  const switches = [
    { verb: 'pause', tells: 'Stop bringing documents to a store, also over restarts', done: 'Nothing is brought to' },
    { verb: 'resume', tells: 'Go on bringing documents to a store', done: 'Documents are brought again to' },
  ] as const;
  for (const { verb, tells, done } of switches) {
    const command = stores.command(verb).description(tells).argument('<store>', 'name of the store');
    cli.onData(command, async ({ footnote }, name: string) => {
      terminal.value(await footnote.stores[verb](name));
      terminal.line(`${done} ${toPrintable(name)}.`);
    });
  }
}
