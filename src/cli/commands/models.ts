// footnote models: which embedding model is configured, which ones lie in the folder of local models, and what is missing.
// Always of this command's own configuration: a running server decided when it started.
import type { Command } from 'commander';
import { systemClock } from '../../core/ids.ts';
import { readOwner } from '../../footnote/lock.ts';
import type { FoundModel } from '../../footnote/models.ts';
import type { Cli } from '../cli.ts';
import { type Terminal, toPrintable } from '../terminal.ts';

const defaultText = 'How many days of leave do new employees get?';

const megabytes = (bytes: number): string => `${Math.max(0.1, bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const quoted = (prefix: string): string => (prefix === '' ? 'none' : JSON.stringify(prefix));

function renderModel(terminal: Terminal, { name, usable, facts, message, notes }: FoundModel): void {
  const mark = usable ? terminal.paint('green', 'ok') : terminal.paint('red', 'XX');
  terminal.line(`${mark}  local:${toPrintable(name)}`);
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

export function addModelsCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const models = program
    .command('models')
    .description('Show which models are configured and which local ones are found, or test them');

  /** The server that owns the data, if one runs: it goes by the configuration that it was started with. */
  const serverNote = async (data: string): Promise<string | undefined> => {
    const owner = await readOwner(data);
    return owner?.server
      ? `A server (pid ${owner.pid}) is running over this data. It goes by the settings that it was started with; this is what the settings say now.`
      : undefined;
  };

  const list = models
    .command('list', { isDefault: true })
    .description('Show the configured model, the local models and what is missing')
    .addHelpText('after', '\nExamples:\n  footnote models\n  footnote models --json');
  list.action(async () => {
    const { examineModels } = await import('../../footnote/models.ts');
    const config = cli.config(list);
    const report = await examineModels(config, {}, cli.signal);
    const note = await serverNote(config.data);
    const { answerModelsOf } = await import('../../footnote/language-models.ts');
    const answers = answerModelsOf(config);
    terminal.value({ ...report, answers, ...(note !== undefined && { note }) });
    const { configured, folder, peer, found, advice } = report;
    const mark = configured.usable ? terminal.paint('green', 'ok') : terminal.paint('red', 'XX');
    terminal.line(
      toPrintable(
        answers.length > 0
          ? `Answers are written by: ${answers.join(', then ')} (questions and passages go there)`
          : 'Answers are sentences of the documents: no model is configured (docs/providers.md)',
      ),
    );
    terminal.line(toPrintable(`Embedding model: ${configured.setting} (${configured.origin})`));
    terminal.line(`${mark}  ${toPrintable(configured.detail)}`);
    if (configured.id !== undefined) terminal.line(`      vectors are named ${toPrintable(configured.id)}`);
    terminal.line();
    terminal.line(toPrintable(`Local models in ${folder.path}${folder.exists ? '' : ', which is not there'}:`));
    for (const model of found) renderModel(terminal, model);
    if (found.length === 0) terminal.line('      none');
    const runs = peer.version === undefined ? 'not installed' : `${peer.version} in ${peer.detail}`;
    terminal.line(toPrintable(`Package that runs them: ${runs}`));
    if (advice.length > 0) terminal.line();
    for (const line of advice) terminal.line(toPrintable(line));
    if (note !== undefined) terminal.note(note);
    if (!configured.usable) cli.exitCode = 1;
  });

  const test = models
    .command('test')
    .description('Embed a sentence with the configured model, and call the one that writes answers, if there is one')
    .argument('[text]', 'what to embed', defaultText)
    .addHelpText('after', '\nExample:\n  MODEL_EMBED=local:NAME footnote models test "How long is the notice period?"');
  test.action(async (text: string) => {
    const { tryModel } = await import('../../footnote/models.ts');
    const config = cli.config(test);
    const trial = await tryModel(config, { text, clock: systemClock }, cli.signal);
    const { tryLanguageModel } = await import('../../footnote/language-models.ts');
    const answers = await tryLanguageModel(config, cli.signal);
    const note = await serverNote(config.data);
    terminal.value({
      setting: config.models.embed,
      ...trial,
      ...(answers && { answers }),
      ...(note !== undefined && { note }),
    });
    terminal.line(toPrintable(`${config.models.embed}: ${trial.detail}`));
    if (trial.id !== undefined) {
      terminal.line(toPrintable(`  vectors    ${trial.id}, ${trial.dimensions} dimensions`));
      terminal.line(`  first one  ${(trial.firstMs ?? 0).toFixed(0)} ms with loading`);
      terminal.line(`  next ones  ${(trial.nextMs ?? 0).toFixed(1)} ms each`);
    }
    if (answers?.served !== undefined)
      terminal.line(
        toPrintable(`${answers.served}: answers, ${answers.latencyMs?.toFixed(0)} ms, ${answers.tokens} tokens`),
      );
    else if (answers) terminal.line(`${terminal.paint('red', 'XX')}  ${toPrintable(answers.failure ?? 'no answer')}`);
    if (answers?.failure !== undefined) cli.exitCode = 1;
    if (note !== undefined) terminal.note(note);
  });
}
