// The tape of a request in its trace: what it was given that no port gives, so that a replay can give the same again.
import { z } from 'zod';

const integers = z.array(z.int());

export const tapeSchema = z
  .object({
    type: z.literal('tape'),
    /** Every reading of a clock, in microseconds: the first, then what each later one was more. */
    clock: z.array(z.number()),
    times: z.array(z.string()),
    /** Every id that the request was given, in order. */
    ids: z.array(z.string()),
    /** Timers that went off: the place of each among all that were set, and when, in microseconds of the clock. */
    timers: z.array(z.number()),
    /**
     * Of each event before this one, in order: twice the readings of the clock since the event before it, and 1 more where the event loop had gone on
     * meanwhile. What times do not tell: of what comes about in one turn nobody could act in between. Absent in traces from before it was recorded.
     */
    order: integers.exactOptional(),
    /** Of each event before this one, in order: looks at deadlines since the event before it. Absent in traces from before it was recorded. */
    looks: integers.exactOptional(),
    /**
     * Of each deadline and share of one, in the order in which they were made: what was left at each look, in microseconds; 0: it was over. What was
     * decided by it is decided again. Absent in traces from before it was recorded.
     */
    left: z.array(integers).exactOptional(),
    /**
     * Of each timer that went off, how many events there had been, and twice the readings of the clock, and 1 more where it went off in one turn of the
     * event loop with the timer before it, and the looks at deadlines. Absent in traces from before it was recorded.
     */
    fired: integers.exactOptional(),
  })
  .describe('Every reading of a clock, every id and every timer that went off, in order');
