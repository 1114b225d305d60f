// The events of a server-sent stream, however its bytes are cut. Comments and fields that are not asked for are passed over.

export interface ServerEvent {
  readonly id?: string;
  readonly data: string;
}

/** Feeds text in and takes whole events out. */
export function createEventReader(): (piece: string) => ServerEvent[] {
  let waiting = '';
  return (piece) => {
    waiting += piece;
    // A carriage return at the end may be half of a line end.
    const whole = waiting.endsWith('\r') ? waiting.slice(0, -1) : waiting;
    const held = waiting.slice(whole.length);
    const blocks = whole.replace(/\r\n?/g, '\n').split('\n\n');
    waiting = (blocks.pop() ?? '') + held;
    return blocks.flatMap((block) => eventOf(block) ?? []);
  };
}

function eventOf(block: string): ServerEvent | undefined {
  const data: string[] = [];
  let id: string | undefined;
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (line.slice(0, colon) === 'data') data.push(value);
    if (line.slice(0, colon) === 'id') id = value;
  }
  if (data.length === 0) return undefined;
  return { data: data.join('\n'), ...(id === undefined ? {} : { id }) };
}

/** The events of a reply, parsed. */
export async function* eventsOf<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const read = createEventReader();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
      for (const { data } of read(decoder.decode(value, { stream: true }))) yield JSON.parse(data) as Event;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
