// The archive of conversations: when something was spoken of, who said it, the threads themselves, and questions to them all.
import '../shell/fields.css';
import './conversations.css';
import { address } from '../shared/address.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { ArchiveChat } from './archive-chat.tsx';
import { ArchiveLook } from './archive-look.tsx';
import { ConversationList } from './conversation-list.tsx';
import { Thread } from './thread.tsx';

export function ConversationsPage() {
  const at = address.value;
  if (at.page !== 'conversations') return null;
  const { id, query = {} } = at;
  return (
    <main id="main" class="document archive" tabIndex={-1}>
      {id === undefined ? (
        <>
          <PageHeading key="all" title="Conversations" />
          <ArchiveLook query={query}>
            <ArchiveChat query={query} />
          </ArchiveLook>
          {!query['q'] && <ConversationList />}
        </>
      ) : (
        <Thread key={id} id={id} turn={query['turn']} />
      )}
    </main>
  );
}
