// The whole of a turn that asks for nothing: small talk is answered without a search, and says that it rests on no document.
import type { EventSink } from '../../core/events.ts';
import type { Understood, Verified } from '../turn/turn-state.ts';
import { unsearched } from './unsearched.ts';

const conversationalText =
  'Hello. Ask me something about your documents: every claim of an answer will cite the passage it rests on.';

export const greet = (state: Understood, sink: EventSink): Verified =>
  unsearched(state, { text: conversationalText, reason: 'conversation: nothing was searched', degraded: [] }, sink);
