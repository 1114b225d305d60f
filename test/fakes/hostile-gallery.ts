// The gallery moved into the test kit (src/testing/hostile-gallery.ts: new behaviours go there); tests find it here until they import it from there.
export {
  type HostileBehaviour,
  type HostileTurn,
  hostileBehaviours,
  seededRandom,
} from '../../src/testing/hostile-gallery.ts';
