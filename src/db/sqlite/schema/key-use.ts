// Step: what keys took of their limits, in the window that was open last.
export const keyUse = `
CREATE TABLE key_use (
  principal TEXT NOT NULL, what TEXT NOT NULL, since TEXT NOT NULL, amount REAL NOT NULL,
  PRIMARY KEY (principal, what)
) STRICT, WITHOUT ROWID;
`;
