// What Outlook keeps as a message but is none ([MS-OXOCAL], [MS-OXOCNTC], [MS-OXOTASK]): when and where an appointment is, how a contact is reached, when a
// task is due. Invariant: only what the item says, as lines of `label: value`.
import type { FieldsData } from '@kenjiuno/msgreader';

export type ItemFact = readonly [label: string, value: string];

/** The set of properties of tasks, and those in it ([MS-OXPROPS] 2.322 ff.). */
const taskSet = '00062003-0000-0000-c000-000000000046';
const [taskStart, taskDue] = ['8104', '8105'];
/** The set of contacts: a second and a third address, and where they live (§2.3 of [MS-OXOCNTC]). */
const addressSet = '00062004-0000-0000-c000-000000000046';
const [secondEmail, thirdEmail, homeAddress] = ['8093', '80a3', '801a'];
/** PidLidRecurrencePattern: the recurrence in words. */
const appointmentSet = '00062002-0000-0000-c000-000000000046';
const recurrenceWords = '8232';

export function itemFacts(fields: FieldsData): ItemFact[] {
  const kind = /^IPM\.(Appointment|Schedule\.Meeting|Contact|Task)/iu
    .exec(fields.messageClass ?? '')?.[1]
    ?.toLowerCase();
  if (kind === 'contact') return contactFacts(fields);
  if (kind === 'task')
    return present([
      ['Start', dayOf(textOf(named(fields, taskSet, taskStart)))],
      ['Due', dayOf(textOf(named(fields, taskSet, taskDue)))],
    ]);
  if (kind === undefined) return [];
  return present([
    ['When', span(fields.apptStartWhole, fields.apptEndWhole)],
    ['Repeats', textOf(named(fields, appointmentSet, recurrenceWords))],
    ['Where', fields.apptLocation],
  ]);
}

function contactFacts(fields: FieldsData): ItemFact[] {
  return present([
    ['Organisation', fields.companyName],
    ['Department', fields.departmentName],
    ['Title', fields.title],
    ['Email', fields.email1EmailAddress],
    ['Email', textOf(named(fields, addressSet, secondEmail))],
    ['Email', textOf(named(fields, addressSet, thirdEmail))],
    ['Phone (work)', fields.businessTelephoneNumber],
    ['Phone (home)', fields.homeTelephoneNumber],
    ['Phone (cell)', fields.mobileTelephoneNumber],
    ['Fax (work)', fields.businessFaxNumber],
    ['Address', joined(fields.postalAddress, fields.country)],
    ['Address (work)', unlike(fields.workAddress, fields.postalAddress)],
    ['Address (home)', unlike(textOf(named(fields, addressSet, homeAddress)), fields.postalAddress)],
    ['Link', fields.businessHomePage],
  ]);
}

const present = (facts: readonly (readonly [string, string | undefined])[]): ItemFact[] =>
  facts.flatMap(([label, value]) => (value?.trim() ? [[label, value] as const] : []));

const joined = (address: string | undefined, country: string | undefined): string | undefined =>
  address && country && !address.includes(country) ? `${address} ${country}` : address;
const unlike = (value: string | undefined, other: string | undefined): string | undefined =>
  value === other ? undefined : value;

const named = ({ rawProps = [] }: FieldsData, set: string, number: string): unknown =>
  rawProps.find(
    ({ propertySet, propertyLid }) =>
      propertySet?.toLowerCase() === set && propertyLid?.toLowerCase().endsWith(number) === true,
  )?.value;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** `2024-05-06 10:00`: all times of such items are kept as UTC. */
function minuteOf(value: string | undefined): string | undefined {
  const milliseconds = Date.parse(value ?? '');
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

const dayOf = (value: string | undefined): string | undefined => minuteOf(value)?.slice(0, 10);

function span(start: string | undefined, end: string | undefined): string | undefined {
  const [from, to] = [minuteOf(start), minuteOf(end)];
  if (from === undefined) return undefined;
  if (to === undefined) return `${from} (UTC)`;
  return `${from} – ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to} (UTC)`;
}
