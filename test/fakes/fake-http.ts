// The fake moved into the test kit: tests find it here until they import it from there.
export { type FakeServer, openFakeServer, type SeenRequest, type Wire } from '../../src/testing/fake-http.ts';
