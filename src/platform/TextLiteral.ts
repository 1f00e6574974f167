/** Writes a text as a constant of an SQL statement, for values that the planner should see. */

/** Returns the text in quotes. PostgreSQL reads a backslash as itself, so only quotes are doubled. */
export const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`
