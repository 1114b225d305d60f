// What a key is limited to and which parts are switched on, in plain words. Pure.
import type { KeyLimits } from '../shared/contract.ts';
import { listed } from '../shared/written.ts';
import type { Caller } from '../shell/holdings.ts';

const numbers = new Intl.NumberFormat();

/** The fields of a key's limits, with what they are called. */
export const limitNames: Readonly<Record<keyof KeyLimits, string>> = {
  rate: 'Requests, such as 60/min',
  dailyRequests: 'Requests a day',
  dailyTokens: 'Tokens of models a day',
  dailyUsd: 'US dollars a day',
  dailyBytes: 'Bytes of documents a day',
};

export function limitsText(limits: KeyLimits | undefined): string {
  const { rate, dailyRequests, dailyTokens, dailyUsd, dailyBytes } = limits ?? {};
  return [
    rate,
    dailyRequests !== undefined && `${numbers.format(dailyRequests)} requests a day`,
    dailyTokens !== undefined && `${numbers.format(dailyTokens)} tokens a day`,
    dailyUsd !== undefined && `$${numbers.format(dailyUsd)} a day`,
    dailyBytes !== undefined && `${numbers.format(dailyBytes)} bytes of documents a day`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Rows of what is on; parts that only admins are told of are absent for others. */
export function whatIsOn({ webSearch, metrics, keys }: Caller['features']): (readonly string[])[] {
  const isOn = (value: boolean): string => (value ? 'on' : 'off');
  return [
    ['Search of the web', isOn(webSearch)],
    ...(metrics === undefined ? [] : [['Metrics', isOn(metrics)]]),
    ...(keys === undefined ? [] : [['Keys over HTTP', isOn(keys)]]),
  ];
}

export interface KeyFields {
  readonly name: string;
  readonly role: string;
  readonly tenant: string;
  readonly groups: string;
  readonly sources: string;
  readonly doors: readonly string[];
  /** The last day on which it opens anything. */
  readonly lastDay: string;
  readonly limits: Readonly<Record<string, string>>;
}

/** The request for a key: what is empty is not limited. */
export function keyRequestOf({ name, role, tenant, groups, sources, doors, lastDay, limits }: KeyFields) {
  const set = Object.entries(limits).filter(([, value]) => value.trim() !== '');
  const limited = set.map(([field, value]) => [field, field === 'rate' ? value.trim() : Number(value)]);
  const ends = lastDay && new Date(`${lastDay}T24:00:00`).toISOString();
  return {
    name: name.trim(),
    role,
    ...(tenant.trim() && { tenant: tenant.trim() }),
    ...(listed(groups).length > 0 && { groups: listed(groups) }),
    ...(listed(sources).length > 0 && { sources: listed(sources) }),
    ...(doors.length > 0 && { doors }),
    ...(ends && { expiresAt: ends }),
    ...(limited.length > 0 && { limits: Object.fromEntries(limited) as KeyLimits }),
  };
}
