// What `footnote eval answers` prints of a model that judged: its verdicts, what it took, and that it failed where it did.
import { expect, it } from 'vitest';
import { renderModelJudge } from '../../../src/cli/render/evaluation.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import type { ModelJudgeSummary } from '../../../src/evals/judges-by-model.ts';

const summary: ModelJudgeSummary = {
  model: 'compatible:qwen3\u001b[2J',
  scored: 1,
  failed: 0,
  supported: 3,
  unsupported: 1,
  unclear: 0,
  spent: { inputTokens: 900, outputTokens: 80, costUsd: 0.00125 },
};

function printed(judged: ModelJudgeSummary) {
  const lines: string[] = [];
  const warnings: string[] = [];
  const terminal = { line: (text: string) => lines.push(text), warn: (text: string) => warnings.push(text) };
  renderModelJudge(terminal as unknown as Terminal, judged);
  return { lines, warnings };
}

it('says what the judge said and took', () => {
  const { lines, warnings } = printed(summary);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /judged 1 answer: 3 claims supported, 1 unsupported, 0 unclear \(900 input tokens, 80 output tokens, known cost \$0\.0013/u,
  );
  expect(lines[0]).not.toContain('\u001b');
  expect(warnings).toEqual([]);
});

it('warns where it failed, with the first reason', () => {
  const { warnings } = printed({ ...summary, failed: 2, failure: 'relevance: The model declined to answer.' });
  expect(warnings).toEqual(['The judge failed on 2 answers; the first: relevance: The model declined to answer.']);
});
