// A chat over an archive of its own record: by rules, or by a model that a test brings.
import { type ArchiveChatPorts, createArchiveChat } from '../src/agent/archive-chat/archive-chat.ts';
import { createArchiveChatRepository } from '../src/db/both/archive/chats.ts';
import { archivePortsOf } from '../src/db/sqlite/archive.ts';
import { createSpendingLedger } from '../src/models/money/spending-ledger.ts';
import { type RecordPlace, scopeOf } from './record-fixture.ts';

export interface ChatFixtureOptions extends Pick<ArchiveChatPorts, 'limits' | 'chatModelFor'> {
  readonly now?: string | undefined;
}

export function openArchiveChat(
  place: RecordPlace,
  archive: ArchiveChatPorts['archive'],
  { limits, chatModelFor, now = '2024-11-23T12:00:00.000Z' }: ChatFixtureOptions,
) {
  let made = 0;
  const scope = scopeOf();
  const clock = { now: () => now, elapsedMs: () => 0 };
  const ledger = createSpendingLedger({
    limits: { request: {}, session: {}, keyDay: {}, day: {} },
    clock,
    repositoryOf: () => place.tenant.spending,
  });
  return createArchiveChat({
    scope,
    record: place.tenant,
    archive,
    chats: createArchiveChatRepository(scope, archivePortsOf(place.record)),
    openBudget: () => ledger.budgetFor({ scope }),
    limits,
    chatModelFor,
    clock,
    ids: { next: (prefix) => `${prefix}_${++made}` },
    timeoutMs: 60_000,
  });
}
