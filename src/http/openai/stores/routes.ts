// Files and vector stores of OpenAI's API: sources and documents as its clients see them. Null is as absent in all that they send.

import { lenient } from '../../foreign/chat-request.ts';
import type { OwnRoutes } from '../../routes/routes.ts';
import type { Door } from '../../wire/http-types.ts';
import { fileRoutes } from './files.ts';
import { storeSearchRoutes } from './search.ts';
import { storeFileRoutes } from './store-files.ts';
import { storeRoutes } from './stores.ts';

export const vectorStoreRoutes = (door: Door): OwnRoutes =>
  [fileRoutes, storeRoutes, storeFileRoutes, storeSearchRoutes].flatMap((routes) =>
    routes(door).map(([operation, handle]) => [operation, { ...lenient, handle }] as const),
  );
