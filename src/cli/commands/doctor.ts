// footnote doctor: what this installation is made of, what is wrong with it, and what to do. Works with and without a
// running server, and also when the data cannot be opened.

import type { Command } from 'commander';
import { version } from '../../config/version.ts';
import type { Config } from '../../config.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Finding } from '../../footnote/doctor.ts';
import type { StoreStatus } from '../../footnote/facade.ts';
import { addressOfRecord } from '../../footnote/parts/where.ts';
import { type Access, openAccess } from '../remote/access.ts';
import { askStandings, standingFindings } from '../remote/model-standings.ts';
import { toAddress } from '../remote/remote-http.ts';
import { plural } from '../render/render.ts';
import { encoderOf, holdingOf } from '../render/stores.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

function adviceOf({ name, status, deliveries }: StoreStatus): string {
  if (!deliveries) return 'Read the sources again with "footnote sync".';
  return status === 'down'
    ? 'What it lacks is brought by itself when it is back.'
    : `Bring what it lacks at once with "footnote stores sync ${name}".`;
}

async function examineData(access: Access, signal?: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { footnote, opened, remote } = access;
  if (remote?.owner.server)
    findings.push({
      area: 'server',
      state: 'ok',
      detail: `running on ${toAddress(remote.owner.server)} (pid ${remote.owner.pid}, since ${remote.owner.startedAt})`,
    });
  const standings = remote && (await askStandings(remote.http, signal));
  if (standings) findings.push(...standingFindings(standings));
  if (opened) {
    const { record } = await opened.health();
    findings.push({
      area: 'record',
      state: 'ok',
      detail: `${record.path}, schema ${record.schemaVersion}, synchronous ${record.synchronous}`,
    });
    const faults = await opened.check();
    for (const fault of faults.slice(0, 20))
      findings.push({
        area: 'record',
        state: 'problem',
        detail: fault,
        advice: 'Run: footnote doctor --repair. What that leaves, ingest again; the files themselves are untouched.',
      });
    if (faults.length === 0)
      findings.push({ area: 'record', state: 'ok', detail: 'every page, text and chunk is sound' });
  }
  const stores = await footnote.stores.list();
  for (const store of stores) {
    const { name, status, detail, coverage, deliveries } = store;
    const share = `${(coverage * 100).toFixed(0)} % of the corpus${deliveries ? ' brought' : ''}`;
    findings.push({
      area: `store ${name}`,
      state: status === 'ok' && coverage === 1 ? 'ok' : 'warning',
      detail: `${status}: ${holdingOf(store)}, ${share}. ${detail} ${encoderOf(store)}`.trim(),
      ...(coverage < 1 && { advice: adviceOf(store) }),
    });
  }
  for (const { erasing } of stores)
    if (erasing)
      findings.push({
        area: 'deletions',
        state: erasing.failure === undefined ? 'ok' : 'warning',
        detail: `${plural(erasing.documents, 'document')} and ${plural(erasing.sessions, 'session')} deleted since ${erasing.since} are still being taken out of what else is kept${erasing.failure === undefined ? '' : `: ${erasing.failure}`}`,
        ...(erasing.failure !== undefined && { advice: 'It is tried again; free some space if the disk is full.' }),
      });
  const { total, superseded } = await footnote.memories.stats();
  if (total > 0) {
    const { pruned } = await footnote.memories.prune({ dryRun: true });
    findings.push({
      area: 'memory',
      state: 'ok',
      detail: `${total} remembered of you, ${superseded} superseded; ${pruned} old and hardly used (footnote memory prune)`,
    });
  }
  const sources = await footnote.sources.list();
  findings.push({
    area: 'sources',
    state: 'ok',
    detail:
      sources.length === 0
        ? 'none yet; add one with "footnote ingest FOLDER"'
        : sources.map((one) => one.name).join(', '),
  });
  return findings;
}

async function repairData({ opened, remote }: Access, signal: AbortSignal): Promise<Finding[]> {
  if (opened === undefined)
    throw new FootnoteError(
      'already-running',
      `A server uses this data folder (pid ${remote?.owner.pid}). Stop it, then run "footnote doctor --repair".`,
    );
  const { repaired, left } = await opened.repair(signal);
  if (repaired.length + left.length === 0)
    return [{ area: 'repair', state: 'ok', detail: 'nothing of the documents is damaged' }];
  return [
    ...repaired.map((detail): Finding => ({ area: 'repair', state: 'ok', detail })),
    ...left.map((detail): Finding => ({ area: 'repair', state: 'problem', detail })),
  ];
}

async function examineServices(config: Config, { terminal, signal }: Cli): Promise<Finding[]> {
  const { examineLive } = await import('../../footnote/live/examine-live.ts');
  try {
    return await examineLive(config, { signal, tell: (message) => terminal.note(toPrintable(message)) });
  } catch (thrown) {
    const { code, message } = toFootnoteError(thrown);
    if (code === 'cancelled') throw thrown;
    return [{ area: 'live', state: 'problem', detail: `${code}: ${message}` }];
  }
}

interface DoctorOptions {
  readonly repair?: boolean;
  readonly live?: boolean;
  readonly settings?: boolean;
}

export function addDoctorCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('doctor')
    .description('Check the installation, the configuration and the data, and say what to do')
    .option('--repair', 'put right what is damaged in the record, as far as that can be')
    .option('--live', 'check each hosted store that is configured against its service, in a scratch index')
    .option('--settings', 'list every setting, also those that are as they come')
    .addHelpText('after', '\nExamples:\n  footnote doctor\n  footnote doctor --repair\n  footnote doctor --live');
  command.action(async (options: DoctorOptions) => {
    const { repair = false, live = false } = options;
    const { examineConfig, examineEncoder, examineFolder, examineModels, examineParsers, examineRuntime } =
      await import('../../footnote/doctor.ts');
    const { examineBackup } = await import('../../footnote/backup/backup.ts');
    const config = cli.config(command);
    const findings = [
      ...examineRuntime(),
      ...examineConfig(config),
      ...examineModels(config),
      ...(await examineEncoder(config)),
      ...(await examineFolder(config.data)),
      ...(addressOfRecord(config) === undefined ? await examineBackup(config.data) : []),
      ...(await examineParsers()),
    ];
    try {
      const access = await openAccess(config, { needsData: true }, cli.signal);
      try {
        if (repair) findings.push(...(await repairData(access, cli.signal)));
        findings.push(...(await examineData(access, cli.signal)));
      } finally {
        await access.close();
      }
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (error.code === 'cancelled') throw error;
      if (error.code === 'not-found') findings.push({ area: 'record', state: 'ok', detail: 'no data yet' });
      else findings.push({ area: 'record', state: 'problem', detail: `${error.code}: ${error.message}` });
    }
    if (live) findings.push(...(await examineServices(config, cli)));
    terminal.value({ version, settings: config.effective, findings });
    terminal.line(`Footnote ${version}`);
    terminal.line();
    const marks = {
      ok: terminal.paint('green', 'ok'),
      warning: terminal.paint('yellow', '!!'),
      problem: terminal.paint('red', 'XX'),
    };
    for (const { area, state, detail, advice } of findings) {
      terminal.line(`${marks[state]}  ${area}: ${toPrintable(detail)}`);
      if (advice !== undefined && state !== 'ok') terminal.line(`      ${toPrintable(advice)}`);
    }
    terminal.line();
    const isChanged = ({ origin }: (typeof config.effective)[number]): boolean =>
      origin !== 'default' && origin !== 'not set';
    const shown = config.effective.filter((one) => isChanged(one) || (options.settings === true && !one.unused));
    terminal.line(
      options.settings === true
        ? 'Settings in force (secrets are not shown; "not used" ones belong to later versions):'
        : `Settings that are not as they come (${shown.length === 0 ? 'none' : 'secrets are not shown'}; --settings lists all):`,
    );
    const rows = shown.map(({ name, value, origin, unused }) => [
      `  ${name}`,
      value === undefined ? '' : toPrintable(String(value)),
      unused ? `${origin}, not used by this version` : origin,
    ]);
    terminal.table(rows);
    if (findings.some(({ state }) => state === 'problem')) cli.exitCode = 1;
  });
}
