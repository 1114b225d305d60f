// footnote models: which model has each role and why, which local ones are found, what is missing; and `test`, which calls each once.
// Always of this command's own configuration: a running server decided when it started.
import type { Command } from 'commander';
import { changeTrust, readTrusted } from '../../config/trusted.ts';
import type { Config } from '../../config.ts';
import { systemClock } from '../../core/ids.ts';
import { type Owner, readOwner } from '../../footnote/lock.ts';
import type { FoundModel, ModelsReport } from '../../footnote/roles/models.ts';
import type { RoleModel, RoleRow } from '../../footnote/roles/role-table.ts';
import type { TrialReport } from '../../footnote/trials/role-trials.ts';
import type { WriterExam } from '../../footnote/trials/writer-exam.ts';
import { connect } from '../remote/access.ts';
import { askStandings, failedLast, type Standings, standingLine } from '../remote/model-standings.ts';
import { type Terminal, toPrintable, toTable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';
import { addKeptModelCommands, renderKept } from './kept-models.ts';

const defaultText = 'How many days of leave do new employees get?';

const megabytes = (bytes: number): string => `${Math.max(0.1, bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const quoted = (prefix: string): string => (prefix === '' ? 'none' : JSON.stringify(prefix));

function renderFound(terminal: Terminal, { name, usable, facts, message, notes }: FoundModel): void {
  const mark = usable ? terminal.paint('green', 'ok') : terminal.paint('red', 'XX');
  terminal.line(`${mark}  onnx:${toPrintable(name)}`);
  if (facts !== undefined) {
    const { architecture, dimensions, windowTokens, pooling, prefixes, weights, weightsBytes } = facts;
    terminal.line(
      toPrintable(
        `      ${architecture || 'unnamed architecture'}, ${dimensions} dimensions, window ${windowTokens} tokens, pooling ${pooling}`,
      ),
    );
    terminal.line(toPrintable(`      ${weights.join(', ')} (${megabytes(weightsBytes)})`));
    terminal.line(
      toPrintable(`      prefix of queries ${quoted(prefixes.query)}, of documents ${quoted(prefixes.document)}`),
    );
  }
  for (const line of [...(message === undefined ? [] : [message]), ...notes])
    terminal.line(`      ${toPrintable(line)}`);
}

function priceOf({ price }: RoleModel): string {
  if (!price) return 'unknown';
  const { inputPerMillionUsd: input, outputPerMillionUsd: output, cachedInputPerMillionUsd: cached } = price;
  return input + output + cached === 0 ? 'free' : `${input} / ${output} / ${cached}`;
}

function rowsOf({ role, models, from, unused, without }: RoleRow): string[][] {
  const note = unused ? 'nothing asks it as things are set' : '';
  if (models.length === 0) return [[role, 'off', from, '', '', unused ? note : without]];
  return models.map((model, at) => [
    at === 0 ? role : '',
    at === 0 ? model.model : `then ${model.model}`,
    at === 0 ? from : '',
    // Texts of any length go into the model that is learned here.
    String(model.contextTokens ?? (model.model === 'corpus' ? 'any' : 'unknown')),
    priceOf(model),
    at === 0 ? note : '',
  ]);
}

function renderRoles(terminal: Terminal, rows: readonly RoleRow[]): void {
  const head = ['ROLE', 'MODEL', 'FROM', 'CONTEXT', '$/M IN / OUT / CACHED', ''];
  for (const line of toTable([head, ...rows.flatMap(rowsOf)])) terminal.line(toPrintable(line));
  for (const hint of rows.flatMap(({ hints = [] }) => hints)) terminal.line(toPrintable(hint));
}

/** How the models that the server asks stand: what its calls have shown. */
function renderStandings(terminal: Terminal, { models }: Standings): void {
  if (models.length === 0) return;
  terminal.line();
  terminal.line('Models as the running server finds them:');
  const marks = { untried: '--', serving: terminal.paint('green', 'ok'), failing: terminal.paint('red', 'XX') };
  const markOf = (one: Standings['models'][number]): string =>
    one.state === 'serving' && failedLast(one) ? terminal.paint('yellow', '!!') : marks[one.state];
  for (const one of models)
    terminal.line(`${markOf(one)}  ${toPrintable(one.model)}: ${toPrintable(standingLine(one))}`);
}

function renderEmbedding(terminal: Terminal, { configured, folder, found, runtime, advice }: ModelsReport): void {
  const mark = configured.usable ? terminal.paint('green', 'ok') : terminal.paint('red', 'XX');
  terminal.line(toPrintable(`Embedding model: ${configured.setting} (${configured.origin})`));
  terminal.line(`${mark}  ${toPrintable(configured.detail)}`);
  if (configured.id !== undefined) terminal.line(`      vectors are named ${toPrintable(configured.id)}`);
  terminal.line();
  terminal.line(toPrintable(`Local models in ${folder.path}${folder.exists ? '' : ', which is not there'}:`));
  for (const model of found) renderFound(terminal, model);
  if (found.length === 0) terminal.line('      none');
  terminal.line(toPrintable(`What runs them: ${runtime.detail}`));
  if (advice.length > 0) terminal.line();
  for (const line of advice) terminal.line(toPrintable(line));
}

function costOf(costUsd: number | undefined): string {
  if (costUsd === undefined) return 'cost unknown';
  return costUsd === 0 ? 'free' : `${costUsd.toPrecision(2)} $`;
}

function renderTrial(terminal: Terminal, report: TrialReport): void {
  const mark = report.ok ? terminal.paint('green', 'ok') : terminal.paint('red', 'XX');
  const ms = `${report.latencyMs.toFixed(0)} ms`;
  if (!report.ok) {
    terminal.line(toPrintable(`${mark}  ${report.role}: ${report.model}, ${report.code} after ${ms}`));
    for (const line of report.reason.split('\n')) terminal.line(`      ${toPrintable(line)}`);
    return;
  }
  const { usage, costUsd, toldContextTokens: told } = report;
  const facts = [
    `${report.detail}, ${ms}`,
    ...(usage ? [`${usage.inputTokens} + ${usage.outputTokens} tokens`] : []),
    ...(usage ? [costOf(costUsd)] : []),
    ...(told === undefined ? [] : [`takes ${told} tokens`]),
  ];
  terminal.line(toPrintable(`${mark}  ${report.role}: ${report.served} ${facts.join(', ')}`));
  for (const note of report.notes ?? []) terminal.line(`      ${toPrintable(note)}`);
}

function renderExam(terminal: Terminal, { answers, verdict }: WriterExam): void {
  terminal.line();
  terminal.line('Six questions to the model that writes answers:');
  const marks = { right: 'answered', passage: 'passages', wrong: 'something else', refused: 'not answered' };
  for (const { question, result, hasAnswer, ms } of answers) {
    const isGood = result === (hasAnswer ? 'right' : 'refused') || (!hasAnswer && result === 'passage');
    const mark = isGood ? terminal.paint('green', 'ok') : terminal.paint('yellow', '!!');
    terminal.line(toPrintable(`${mark}  ${question} ${marks[result]}, ${ms} ms`));
  }
  for (const line of verdict) terminal.line(`      ${toPrintable(line)}`);
}

export function addModelsCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const models = program
    .command('models')
    .description('Show which models are configured and which local ones are found; fetch, test and use them');

  /** The server that owns the data, if one runs: it goes by the configuration that it was started with. */
  const noteOf = (owner: Owner | undefined): string | undefined =>
    owner?.server
      ? `A server (pid ${owner.pid}) is running over this data. It goes by the settings that it was started with; this is what the settings say now.`
      : undefined;
  /** A server that is about to end need not answer. */
  const askServer = async (folder: string, owner: Owner | undefined): Promise<Standings | undefined> => {
    const server = owner?.server && (await connect(folder, owner.server).catch(() => undefined));
    try {
      return server && (await askStandings(server.http, cli.signal).catch(() => undefined));
    } finally {
      await server?.close();
    }
  };

  const list = models
    .command('list', { isDefault: true })
    .description(
      'Show the model of each role, the local models, what was fetched or added, and what is missing; no model is called',
    )
    .addHelpText('after', '\nExamples:\n  footnote models\n  footnote models --json');
  list.action(async () => {
    const { examineModels } = await import('../../footnote/roles/models.ts');
    const { roleTable } = await import('../../footnote/roles/role-table.ts');
    const { keptModels } = await import('../../footnote/kept-models/kept-models.ts');
    const { findRunning, tellServer } = await import('../../footnote/kept-models/use-model.ts');
    const config = cli.config(list);
    const roles = roleTable(config);
    const running = findRunning(config, { signal: cli.signal });
    const report = await examineModels(config, { signal: cli.signal });
    const kept = await keptModels(config);
    const owner = await readOwner(config.data);
    const note = noteOf(owner);
    const server = await askServer(config.data, owner);
    const servers = await running;
    terminal.value({
      roles,
      ...report,
      kept,
      running: servers,
      ...(server && { server }),
      ...(note !== undefined && { note }),
    });
    renderRoles(terminal, roles);
    for (const one of servers) terminal.line(toPrintable(tellServer(one)));
    const goesOut = roles.some(
      ({ models: named, unused }) => !unused && named.some(({ model }) => !/^(corpus$|onnx:|gguf:)/.test(model)),
    );
    terminal.line(
      goesOut
        ? 'What a step reads goes to its provider. "footnote models test" makes one tiny call of each.'
        : 'Nothing leaves this machine. docs/models.md says how a model writes answers.',
    );
    terminal.line();
    renderEmbedding(terminal, report);
    renderKept(terminal, kept);
    if (server) renderStandings(terminal, server);
    if (note !== undefined) terminal.note(note);
    if (!report.configured.usable) cli.exitCode = 1;
  });

  const examine = async (config: Config): Promise<WriterExam> => {
    const { examineWriter } = await import('../../footnote/trials/writer-exam.ts');
    const onQuestion = (number: number, of: number): void => {
      if (terminal.isInteractive) terminal.redraw(`answer: question ${number} of ${of} …`);
    };
    return examineWriter(config, { onQuestion, signal: cli.signal });
  };

  const test = models
    .command('test')
    .description(
      'Make one tiny call of the model of each role, or of one role, and ask the one that writes answers six questions, to say what it can be trusted with',
    )
    .argument('[role]', 'router, planner, embed, rerank, answer, judge or critic; all that are on unless told')
    .option('--text <text>', 'what the embedding model embeds', defaultText)
    .option('--calls-only', 'ask no questions')
    .addHelpText(
      'after',
      '\nExamples:\n  footnote models test\n  footnote models test --calls-only\n  footnote models test embed --text "How long is the notice?"',
    );
  test.action(async (role: string | undefined, { text, callsOnly }: { text: string; callsOnly?: true }) => {
    const { tryRoles } = await import('../../footnote/trials/try-roles.ts');
    const config = cli.config(test);
    const onStart = (trial: { role: string; model: string }): void => {
      if (terminal.isInteractive) terminal.redraw(toPrintable(`${trial.role}: asking ${trial.model} …`));
    };
    const { trials, skipped, budget } = await tryRoles(
      config,
      { text, clock: systemClock, onStart, ...(role !== undefined && { role }) },
      cli.signal,
    );
    const isWriting = trials.some((trial) => trial.ok && trial.role === 'answer');
    const exam = isWriting && !callsOnly ? await examine(config) : undefined;
    if (terminal.isInteractive) terminal.redraw('');
    const note = noteOf(await readOwner(config.data));
    const ok = trials.every((trial) => trial.ok);
    terminal.value({ ok, trials, skipped, budget, ...(exam && { exam }), ...(note !== undefined && { note }) });
    for (const trial of trials) renderTrial(terminal, trial);
    for (const { role: name, why } of skipped) terminal.line(toPrintable(`--  ${name}: ${why}`));
    const { calls = 0, inputTokens = 0, outputTokens = 0 } = budget.limits;
    if (trials.length > 0)
      terminal.line(
        `That took ${budget.spent.calls} of the ${calls} calls that a test may make, with ${inputTokens} + ${outputTokens} tokens at most. "footnote usage" does not count them.`,
      );
    if (exam) renderExam(terminal, exam);
    if (note !== undefined) terminal.note(note);
    if (!ok) cli.exitCode = 1;
  });

  addKeptModelCommands(models, cli);

  const trust = models
    .command('trust')
    .description(
      'Confirm an address that a file names, so that keys of your environment may be sent there, or list those that are confirmed',
    )
    .argument(
      '[address]',
      'an address, whole, with its path, such as https://gateway.example/v1; all that are confirmed unless told',
    )
    .option('--remove', 'take it back')
    .addHelpText('after', '\nExamples:\n  footnote models trust http://127.0.0.1:11434/v1\n  footnote models trust');
  // Reads no configuration: without the confirmation it may be refused.
  trust.action((written: string | undefined, { remove = false }: { remove?: boolean }) => {
    if (written === undefined) {
      const { addresses } = readTrusted();
      terminal.value({ addresses });
      for (const one of addresses) terminal.line(toPrintable(one));
      if (addresses.length === 0) terminal.line('Nothing is confirmed.');
      return;
    }
    const { address, addresses, file, isChanged } = changeTrust(written, !remove);
    terminal.value({ address, trusted: !remove, changed: isChanged, addresses, file });
    const what = remove ? 'is not confirmed' : 'is confirmed: keys of your environment may be sent there';
    terminal.line(toPrintable(`${address} ${what}${isChanged ? '' : ', as before'}. This is kept in ${file}.`));
  });
}
