/** Writes texts in Markdown for the generated references. */

/**
 * Returns the text of a table cell. The text is on one line, and bars are escaped, because a bar would end the cell.
 */
const cell = (text) =>
  String(text)
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ")

export const code = (text) => (text === null || text === undefined || text === "" ? "" : `\`${text}\``)

export const table = (heads, rows) =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")
