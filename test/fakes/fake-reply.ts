// The fake moved into the test kit: tests find it here until they import it from there.
export type { FakeReply } from '../../src/testing/fake-reply.ts';
