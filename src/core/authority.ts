// Who is believed first where nothing else tells: defaults of authority by kind of source. A source may declare its own.
import type { SourceType } from './document.ts';

export const typeAuthority: Readonly<Record<SourceType, number>> = {
  code: 3,
  textbook: 3,
  docs: 2,
  guide: 2,
  qa: 1,
  web: 1,
  conversation: 1,
  workspace: 3,
};
