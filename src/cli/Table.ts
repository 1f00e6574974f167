/**
 * Prints rows as a table of text. On a terminal, long texts are shortened so that the table fits. Ids are always shown
 * whole. If the terminal is too narrow for the table, each row becomes a block of lines.
 */

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string
  /** True if the values of the column are never shortened, because a person copies them: ids, times or words. */
  readonly isWhole?: true
  /**
   * True if the column has long texts to read. These texts continue on further lines and are not shortened. Only the
   * last column can have this property.
   */
  readonly isRead?: true
  /** True if the column is left out when the table is too wide even after its texts are shortened. */
  readonly isSecondary?: true
}

type ColumnCells<Row> = Column<Row> & {
  readonly cells: ReadonlyArray<string>
  readonly width: number
}

// spaces between two columns of the table
const gap = 2
// the least width in characters of a column with shortened texts; the column also stays at least as wide as its title
const shortest = 8
// the least width of such a column while the table still has a less important column, which is left out first
const shortestReadable = 20

const lengthOf = (text: string) => [...text].length

const cutCell = (text: string, max: number): string => {
  const characters = [...text]
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : text
}

/** Breaks a text into lines, between words. */
export const wrapText = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/**
 * Returns the lines of a text that begins after a head. Further lines begin below the text, `indent` characters from the
 * left. Without a terminal there is one line.
 */
export const indentedLines = (
  head: string,
  text: string,
  columns: number | undefined,
  indent: number
): ReadonlyArray<string> => {
  const [first = "", ...others] = columns === undefined ? [text] : wrapText(text, columns - indent)
  return [head + first, ...others.map((line) => " ".repeat(indent) + line)]
}

const widthOf = (columns: ReadonlyArray<{ readonly width: number }>): number =>
  columns.reduce((sum, { width }) => sum + width, gap * (columns.length - 1))

// the least width of a column with a long text to read, in characters
const shortestRead = 30

const minWidthOf = ({ isRead, isWhole, title, width }: ColumnCells<never>, least: number): number =>
  isWhole === true ? width : Math.min(width, Math.max(isRead === true ? shortestRead : least, lengthOf(title)))

/** Narrows the widest columns, until the table fits or no column can be narrower. */
const narrowColumns = <Row>(
  columns: ReadonlyArray<ColumnCells<Row>>,
  max: number,
  least: number
): ReadonlyArray<ColumnCells<Row>> => {
  const widths = columns.map(({ width }) => width)
  const minWidths = columns.map((column) => minWidthOf(column, least))
  for (let over = widthOf(columns) - max; over > 0; over -= 1) {
    const widest = Math.max(...widths.filter((width, at) => width > minWidths[at]))
    const at = widths.findLastIndex((width, index) => width === widest && width > minWidths[index])
    if (at === -1) break
    widths[at] -= 1
  }
  return columns.map((column, at) => ({ ...column, width: widths[at] }))
}

const fitColumns = <Row>(columns: ReadonlyArray<ColumnCells<Row>>, max: number): ReadonlyArray<ColumnCells<Row>> => {
  const at = columns.findLastIndex(({ isSecondary }) => isSecondary === true)
  const narrow = narrowColumns(columns, max, at === -1 ? shortest : shortestReadable)
  return widthOf(narrow) <= max || at === -1 ? narrow : fitColumns(columns.toSpliced(at, 1), max)
}

/**
 * Returns the lines of a row on a terminal that is too narrow for the table: the first value, and below it each further
 * value with its title. A whole value that is too long for its line has a line of its own.
 */
const blockLines = <Row>(
  columns: ReadonlyArray<ColumnCells<Row>>,
  row: number,
  width: number,
  paintTitle: (text: string) => string
): ReadonlyArray<string> => {
  const [first, ...others] = columns
  const titleWidth = Math.max(0, ...others.map(({ title }) => lengthOf(title)))
  const indent = "  "
  const roomFor = Math.max(shortest, width - indent.length - titleWidth - gap)
  const lines = others.flatMap(({ cells, isRead, isWhole, title }) => {
    const value = cells[row] ?? ""
    const head = indent + paintTitle(title.padEnd(titleWidth + gap))
    if (isWhole === true && lengthOf(value) > roomFor) return [indent + paintTitle(title), indent + value]
    if (isRead !== true) return [head + (isWhole === true ? value : cutCell(value, roomFor))]
    const [begin = "", ...more] = wrapText(value, roomFor)
    return [head + begin, ...more.map((text) => " ".repeat(width - roomFor) + text)]
  })
  const name = first?.cells[row] ?? ""
  return [first?.isWhole === true ? name : cutCell(name, width), ...lines]
}

/**
 * Returns a line with the titles and then the lines of each row. `width` is the number of columns of the terminal. If
 * it is undefined, no text is shortened.
 */
export const tableLines = <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<Column<Row>>,
  width: number | undefined,
  paintTitle: (text: string) => string
): ReadonlyArray<string> => {
  const tableColumns = columns.map((column) => {
    const cells = rows.map(column.of)
    return { ...column, cells, width: Math.max(lengthOf(column.title), ...cells.map(lengthOf)) }
  })
  const drawn = width === undefined ? tableColumns : fitColumns(tableColumns, width)
  if (width !== undefined && widthOf(drawn) > width) {
    return rows.flatMap((_, row) => blockLines(tableColumns, row, width, paintTitle))
  }
  const line = (textOf: (column: ColumnCells<Row>) => string, paint: (text: string) => string) =>
    drawn
      .map((column, at) => {
        const text = cutCell(textOf(column), column.width)
        return paint(at === drawn.length - 1 ? text : text + " ".repeat(column.width - lengthOf(text) + gap))
      })
      .join("")
      .trimEnd()
  const last = drawn.at(-1)
  const linesOf = (row: number): ReadonlyArray<string> => {
    if (last?.isRead !== true) return [line(({ cells }) => cells[row], unchangedText)]
    const [first = "", ...others] = wrapText(last.cells[row], last.width)
    const indent = " ".repeat(widthOf(drawn) - last.width)
    return [
      line((column) => (column === last ? first : column.cells[row]), unchangedText),
      ...others.map((text) => indent + text)
    ]
  }
  return [line(({ title }) => title, paintTitle), ...rows.flatMap((_, row) => linesOf(row))]
}
const unchangedText = (text: string) => text
