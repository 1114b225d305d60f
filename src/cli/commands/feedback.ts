// footnote feedback: say whether an answer was right, see what was said of answers, and take it out as cases of an evaluation.
import { Argument, type Command, Option } from 'commander';
import { ratings } from '../../core/feedback.ts';
import type { Feedback, Rating } from '../../footnote/facade/feedback.ts';
import { everyPage } from '../remote/every-page.ts';
import { toWholeNumber } from '../terminal/options.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

const cellsOf = ({ createdAt, rating, answerId, citation, question = '', comment = '' }: Feedback): string[] =>
  [
    createdAt.slice(0, 16).replace('T', ' '),
    rating,
    answerId + (citation ? ` [${citation}]` : ''),
    question,
    comment,
  ].map(toPrintable);

export function addFeedbackCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const feedback = program.command('feedback').description('Say whether an answer was right, and see what was said');
  const ratingOption = () => new Option('--rating <rating>', 'only those').choices([...ratings]);

  const list = feedback.command('list', { isDefault: true }).description('List what was said, newest first');
  list.addOption(ratingOption()).option('--limit <count>', 'how many', toWholeNumber, 50);
  cli.onData(list, async ({ footnote }, { rating, limit }: { rating?: Rating; limit: number }) => {
    const page = await footnote.feedback.list({ limit, ...(rating && { rating }) });
    terminal.value(page);
    terminal.table(page.data.map(cellsOf), 'There is no feedback on an answer yet.');
  });

  const give = feedback
    .command('give')
    .description('Say whether an answer was right')
    .argument('<answer>', 'id of the answer')
    .addArgument(new Argument('<rating>', 'what you say of it').choices([...ratings]))
    .option('--comment <text>', 'what was right or wrong')
    .option('--citation <index>', 'the citation that it is about, from 1', toWholeNumber)
    .addHelpText('after', '\nExample:\n  footnote feedback give ans_123 down --citation 2 --comment "of another year"');
  cli.onData(
    give,
    async ({ footnote }, answerId: string, rating: Rating, options: { comment?: string; citation?: number }) => {
      const given = await footnote.feedback.give(answerId, { rating, ...options });
      terminal.value(given);
      terminal.line(`Kept: ${given.rating} for ${toPrintable(given.answerId)}.`);
    },
  );

  const episodes = feedback
    .command('episodes')
    .description('Show answers that you found good to questions like this one')
    .argument('<question>', 'the question')
    .option('-k, --k <count>', 'how many (default: 5)', toWholeNumber);
  cli.onData(episodes, async ({ footnote }, query: string, { k }: { k?: number }) => {
    const data = await footnote.feedback.episodes({ query, ...(k !== undefined && { k }) });
    terminal.value({ data });
    terminal.table(
      data.map(({ similarity, at, answerId, question, claims, documents }) =>
        [
          similarity.toFixed(2),
          at.slice(0, 10),
          answerId,
          question,
          claims[0] ?? '',
          documents.map(({ title }) => title).join(', '),
        ].map(toPrintable),
      ),
      'No answer that you found good is to such a question.',
    );
  });

  const exported = feedback
    .command('export')
    .description('Print what was said as cases for "footnote eval answers", one JSON object a line')
    .addOption(ratingOption());
  cli.onData(exported, async ({ footnote }, { rating }: { rating?: Rating }) => {
    const cases = [];
    for await (const one of everyPage((page) => footnote.feedback.cases({ ...page, ...(rating && { rating }) }), 200)) {
      cases.push(one);
      terminal.line(JSON.stringify(one));
    }
    terminal.value({ data: cases });
  });
}
