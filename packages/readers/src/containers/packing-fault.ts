// What is wrong with packed data, in words that follow "is damaged:". A reader of a packing throws it, who opens the archive tells it.

export class PackingFault extends Error {
  override readonly name = 'PackingFault';
}
