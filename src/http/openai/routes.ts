// The door for clients of OpenAI's API: models, and completions of a chat, over the facade alone. Files and vector stores stand in stores/.
import type { Scope } from '../../core/scope.ts';
import { openai } from '../../operations/openai.ts';
import { lenient } from '../foreign/chat-request.ts';
import type { TextStyle } from '../foreign/foreign-text.ts';
import { getModel, listModels } from '../foreign/models.ts';
import { askedOf, type OwnRoutes } from '../routes/routes.ts';
import type { Door, IdempotencyPort } from '../wire/http-types.ts';
import { serveChat } from './chat.ts';
import { responseRoutes } from './responses.ts';
import { uiChatRoutes } from './ui-chat.ts';

/** `usual`: the text for models that choose none. */
export function openaiRoutes(
  door: Door,
  idempotency: (scope: Scope) => IdempotencyPort,
  usual: TextStyle = 'marks',
): OwnRoutes {
  // Menus want a time, and a choice of what is asked has none: since when this server offers it.
  const created = Math.floor(Date.now() / 1000);
  return [
    [openai.models, ({ request }) => listModels(door.footnoteOf(request), created)],
    [
      openai.model,
      ({ request }) => getModel(door.footnoteOf(request), askedOf(openai.model, request).params.id, created),
    ],
    [
      openai.chat,
      {
        ...lenient,
        handle: (exchange) => serveChat(door, exchange, usual),
      },
    ],
    ...responseRoutes(door, usual, idempotency),
    ...uiChatRoutes(door),
  ];
}
