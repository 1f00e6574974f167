/**
 * Cuts a snippet into marked and unmarked pieces. The pieces are shown as text, so the browser never reads a snippet as
 * HTML.
 */
export interface Mark {
  readonly from: number
  readonly to: number
}

export interface Piece {
  readonly text: string
  readonly isMarked: boolean
  /** The index in the text at which the piece begins. */
  readonly at: number
}

/**
 * Cuts the text at the marks. Marks may overlap, be unsorted or reach beyond the text; only their part inside the text
 * is used.
 */
export const markedPieces = (text: string, marks: ReadonlyArray<Mark>): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let at = 0
  for (const { from, to } of marks.toSorted((one, other) => one.from - other.from)) {
    const [start, end] = [Math.max(at, Math.min(from, text.length)), Math.min(to, text.length)]
    if (end <= start) continue
    if (start > at) pieces.push({ text: text.slice(at, start), isMarked: false, at })
    pieces.push({ text: text.slice(start, end), isMarked: true, at: start })
    at = end
  }
  return at < text.length ? [...pieces, { text: text.slice(at), isMarked: false, at }] : pieces
}
