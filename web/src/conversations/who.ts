// Who said something and when, in plain words.
import { dayText, instantText } from '../shared/instants.ts';
import { inOrder } from '../shared/text.ts';

export const roleName = (role: string): string => `${role.slice(0, 1).toUpperCase()}${role.slice(1)}`;

export const whoSaid = ({ role, author }: { readonly role: string; readonly author?: string | undefined }): string =>
  author ? inOrder(author) : roleName(role);

export const timeOf = (timestamp: string | undefined): string =>
  timestamp === undefined ? 'without a time' : instantText(timestamp);

export const spanOf = (first: string | undefined, last: string | undefined): string => {
  if (!first || !last) return 'without times';
  const [from, to] = [first, last].map((one) => dayText(one));
  return from === to ? `${from}` : `${from} – ${to}`;
};
