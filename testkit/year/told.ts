// What the person of the year told of himself, each in a session of its own.
export const told: readonly string[] = [
  'I am allergic to hazelnuts.',
  'My daughter Lena plays the cello.',
  'I work as a ship surveyor.',
  'I commute by bicycle, even in winter.',
  'I prefer short answers with metric units.',
  'My brother Tom lives in Leeds.',
  'I speak Dutch and English.',
  'My boat is called Halcyon.',
  'I take my tea without sugar.',
  'My wife Ines teaches biology.',
];
