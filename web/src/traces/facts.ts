// How times, costs and outcomes are told.
import type { TraceSummary } from '../shared/contract.ts';

const fine = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 2 });
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const seconds = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function timeOf(ms: number): string {
  if (ms >= 10_000) return `${seconds.format(ms / 1000)} s`;
  return `${(ms < 10 ? fine : whole).format(ms)} ms`;
}

const dollars = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
export const costOf = (costUsd: number | undefined): string => (costUsd ? dollars.format(costUsd) : 'nothing');

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
/** What is no instant is told as its text: a trace may have been taken in from anywhere. */
export const momentOf = (at: string): string => (Number.isNaN(Date.parse(at)) ? at : moments.format(new Date(at)));

/** The command that makes a case for evaluations of a trace; undefined where its id could mean something to a shell. */
export const caseCommandOf = (id: string): string | undefined =>
  /^\w[\w.-]{0,199}$/.test(id) ? `footnote eval from-trace ${id} --out suite/cases.jsonl` : undefined;

/** What makes an answer worth a look, as the list names it. */
export const doubtNames = {
  abstained: 'no answer',
  unsure: 'unsure',
  degraded: 'limited',
} as const;

export const outcomeOf = ({ status }: TraceSummary): string =>
  status === undefined ? 'not known' : status === 'done' ? 'done' : `failed: ${status}`;
