// Who said something and when, in plain words.
import { inOrder } from '../shared/text.ts';

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

export const roleName = (role: string): string => `${role.slice(0, 1).toUpperCase()}${role.slice(1)}`;

export const whoSaid = ({ role, author }: { readonly role: string; readonly author?: string | undefined }): string =>
  author ? inOrder(author) : roleName(role);

export const timeOf = (timestamp: string | undefined): string =>
  timestamp === undefined ? 'without a time' : when.format(new Date(timestamp));

export const spanOf = (first: string | undefined, last: string | undefined): string => {
  if (!first || !last) return 'without times';
  const [from, to] = [first, last].map((one) => day.format(new Date(one)));
  return from === to ? `${from}` : `${from} – ${to}`;
};
