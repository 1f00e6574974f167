/** Lists the keys of a table that is written out in the code. */

/**
 * Returns the keys of a table. The table must be an object literal or declared `as const`, so that its type lists
 * exactly its keys. Only then is the cast right.
 */
export const keysOf = <T extends object>(table: T): ReadonlyArray<keyof T & string> =>
  Object.keys(table) as Array<keyof T & string>
