/** Makes a Markdown table with aligned columns. */
export const padded = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [head = []] = rows
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(" | ")} |`
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`
  return [line(head), rule, ...rows.slice(1).map(line), ""].join("\n")
}
