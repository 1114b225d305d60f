// A name of something, as requests give it.
import { z } from 'zod';

/** Refuses control characters, which no name needs and which would tear logs and headers. */
export const nameSchema = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}]+$/u, 'must not hold control characters');
