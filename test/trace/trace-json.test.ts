// What a trace keeps is what was recorded, though the JSON of calls and rows is put together from pieces that were made before.

import { describe, expect, it } from 'vitest';
import { createEventLog, withRecorder } from '../../src/trace/recorder.ts';
import { createWrite, recordForEachTest } from '../../testkit/record-fixture.ts';
import { callContext } from '../../testkit/request-context.ts';

const place = recordForEachTest();

describe('traces', () => {
  it('are what was recorded: calls whose JSON was made before, others, and more than fits at once', async () => {
    const handle = place.tenant;
    const write = createWrite('Zürich – 東京 – \u{1F9EA}. '.repeat(20), { id: 'd', metadata: { a: ['b', { c: 1 }] } });
    await handle.commit([{ kind: 'put-document', write }]);
    const log = createEventLog({ now: () => '', elapsedMs: () => 1 / 3 });
    const documents = withRecorder('record.documents', handle.documents, callContext({ sink: log.sink }));
    await documents.chunksById(write.chunks.map(({ id }) => id));
    await documents.text('d');
    await documents.get('unknown');
    log.sink({ type: 'call', call: { port: 'p', method: 'm', request: { by: 'hand' }, latencyMs: 1 } });
    log.sink({ type: 'delta', text: 'ü\ud800"'.repeat(100_000) });
    await handle.traces.save(
      { id: 't', kind: 'ask', startedAt: '2026-01-01T00:00:00.000Z', totalMs: 1, eventCount: 5 },
      log.events,
    );
    const found = await handle.traces.get('t');
    expect(found?.events).toEqual(JSON.parse(JSON.stringify(log.events)));
    expect(found?.events).toHaveLength(5);
    expect(JSON.stringify(found?.events[0])).toContain('東京');
  });
});
