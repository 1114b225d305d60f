// Rows that say in words what their first cell names.
import { describe, expect, it } from 'vitest';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { explains, explainsSubject } from '../../../src/answer/tables/glossary.ts';
import { contextOf } from '../../../testkit/evidence-of.ts';

const row = '| <a id="W03">W03</a> | The pump was started while its valve was closed. | [#12](x) |';

describe('a row of a list of codes', () => {
  it('explains what its first cell names, as a whole word', () => {
    expect(explains(row)).toBe(true);
    expect(explainsSubject(row, 'the warning W03')).toBe(true);
    expect(explainsSubject(row, 'the warning W031')).toBe(false);
    expect(explainsSubject(row, 'the valve')).toBe(false);
    expect(explains('| Kestrel | 9 m | laid up |')).toBe(false);
  });

  it('answers what the code means before a sentence that mentions it', () => {
    const text = `Pass --silent=W03 to silence the warning W03.\n\n| code | meaning | see |\n|---|---|---|\n| W01 | The tank of the pump has run dry again. | x |\n| W03 | The pump was started while its valve was closed. | y |`;
    const { claims } = composeAnswer({
      question: 'What does the warning W03 mean?',
      context: contextOf({ id: 'codes', title: 'Warnings', text }),
    });
    expect(claims[0]?.text).toContain('its valve was closed');
  });
});
