// What the doors may use of the verifier by itself: claims with their quotes, judged without documents.
export { type VerifiedClaimLine, verifyClaims } from '../answer/verify-claims.ts';
