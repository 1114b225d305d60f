// A slot of a part as one number of 32 bits, in the order of parts and slots.

/** More than any part has slots. */
export const partEntries = 65_536;

export const partOf = (reference: number): number => reference >>> 16;

export const slotOf = (reference: number): number => reference & 0xffff;
