/**
 * Cuts a snippet of a search result into marked and unmarked pieces. The console shows the pieces as text, so the
 * browser never reads a snippet as HTML.
 */
export interface Mark {
  readonly from: number
  readonly to: number
}

export interface Piece {
  readonly text: string
  readonly isMarked: boolean
  /** The index at which the piece begins in the text. */
  readonly at: number
}

/**
 * Cuts the text at the marks. Marks can overlap, can be unsorted, and can reach beyond the end of the text. The
 * function ignores the part of a mark beyond the end.
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
