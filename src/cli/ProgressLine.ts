/** The line on a terminal that shows the progress of a command. The next output replaces this line. */
/**
 * Returns the width of a terminal in columns. Some terminals report 0 because they do not know their width. Then the
 * width is 80.
 */
export const columnsOf = ({ columns }: { readonly columns?: number | undefined }): number => columns || 80

let shownLine = ""

/** Replaces the progress line by this text. */
export const drawProgress = (text: string): void => {
  const line = text.slice(0, columnsOf(process.stderr) - 1)
  process.stderr.write(`\r${line.padEnd(shownLine.length)}`)
  shownLine = line
}

/** Removes the progress line, if there is one. */
export const endProgress = (): void => {
  if (shownLine === "") return
  process.stderr.write(`\r${" ".repeat(shownLine.length)}\r`)
  shownLine = ""
}
