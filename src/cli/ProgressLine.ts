/** The one line of a terminal that shows how far a command is. What is printed next takes its place. */
/** The width of a terminal. Some say 0 because they do not know it. */
export const columnsOf = ({ columns }: { readonly columns?: number | undefined }): number => columns || 80

let shown = ""

/** Draws the line again with this text. */
export const drawProgress = (text: string): void => {
  const line = text.slice(0, columnsOf(process.stderr) - 1)
  process.stderr.write(`\r${line.padEnd(shown.length)}`)
  shown = line
}

/** Removes the line, if there is one. */
export const endProgress = (): void => {
  if (shown === "") return
  process.stderr.write(`\r${" ".repeat(shown.length)}\r`)
  shown = ""
}
