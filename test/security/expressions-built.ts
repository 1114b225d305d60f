// Functions of the source that build a regular expression when they are called, called once. Each builds it from what the source itself says:
// one that is built from a text of others is refused here, and written as a comparison instead.
import type { Expression } from './expressions-of-source.ts';

/** What cannot be called in a few lines: an expression as it is built there, each for one place. */
export const notCalled: readonly Expression[] = [
  { pattern: '^subject:[ \\t]*(.+)$', flags: 'imu', files: ['packages/readers/src/mail/mail-outlook.ts'] },
  ...['chat/completions', 'models'].map((path) => ({
    pattern: `^/openai/(v1|deployments/[^/]+)/${path}$`,
    flags: 'u',
    files: ['src/testing/fake-openai.ts'],
  })),
];

export async function callBuilders(): Promise<void> {
  const { codeClasses } = await import('../../src/text/language/code-classes.ts');
  codeClasses();
  const { split } = await import('../../src/agent/plan/split.ts');
  for (const question of [
    'Which is longer, the Rhine or the Danube?',
    'Are Ada and Bob both kings?',
    'Are Ada and Bob of the same band?',
    'When were Ada and Bob born?',
    'Compare Ada and Bob in height',
  ])
    split(question, 8);
  const { readWhen } = await import('../../src/memory/archive/time/when.ts');
  const { calendarOf } = await import('../../src/memory/archive/time/calendar.ts');
  readWhen('What did we say last spring about the move in March 2024?', { calendar: calendarOf('UTC'), nowMs: 0 });
  const { createRouteBook } = await import('../../src/http/hardening/methods.ts');
  createRouteBook().add('GET', '/v1/documents/:id/text');
  const { parseFile } = await import('@footnote/readers/registry/registry');
  const files: Readonly<Record<string, string>> = {
    'a.po': 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "a"\nmsgstr "b"\n',
    'a.eml': 'From: a@example.org\r\nTo: b@example.org\r\nSubject: caf\u00e9\r\n\r\nText.\r\n',
  };
  for (const [name, text] of Object.entries(files)) await parseFile({ name, bytes: Buffer.from(text, 'latin1') });
}
