// What a request may say of the folder that a source reads. What was saved before is read as it is (core/document.ts).
import { z } from 'zod';
import { folderConnectorSchema } from '../../core/document.ts';

const unreadable = /[\0\ud800-\udfff]/u;
/** A path on the machine: no system has one with a zero or with half a character. */
const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !unreadable.test(path), 'holds a character that no path has');
const globsSchema = z
  .array(
    z
      .string()
      .min(1)
      .max(500)
      .refine((glob) => !unreadable.test(glob), 'holds a character that no path has'),
  )
  .max(100)
  .optional();
export const givenConnectorSchema = folderConnectorSchema.extend({
  path: pathSchema,
  include: globsSchema,
  exclude: globsSchema,
  passwordFile: pathSchema.optional(),
});
