/** Reads server-sent events from the pieces in which they arrive (WHATWG HTML, section 9.2). */

export interface EventReader {
  /** Reads a piece of the stream. Returns the data of the events that this piece completes. */
  readonly take: (piece: Uint8Array) => ReadonlyArray<string>
  /** Call this when the stream ends. Returns the data of the last event if no empty line has completed it. */
  readonly end: () => ReadonlyArray<string>
}

/**
 * Makes a reader for one stream. The reader ignores names and ids of events, because model services use only the data.
 */
export const eventReader = (): EventReader => {
  const decoder = new TextDecoder()
  let rest = ""
  let data: Array<string> = []
  // true if the last piece ended in \r; a \n at the beginning of the next piece belongs to the same line end
  let endsInReturn = false
  const line = (text: string): ReadonlyArray<string> => {
    if (text === "") {
      const complete = data.length === 0 ? [] : [data.join("\n")]
      data = []
      return complete
    }
    if (text.startsWith("data:")) data.push(text.slice(text.startsWith("data: ") ? 6 : 5))
    return []
  }
  return {
    take: (piece) => {
      const text = decoder.decode(piece, { stream: true })
      if (text === "") return []
      const isWithinLine = !endsInReturn && !/[\r\n]/.test(text)
      endsInReturn = text.endsWith("\r")
      // Looks at the whole line only when a piece ends it, because a line can have thousands of pieces.
      if (isWithinLine) {
        rest += text
        return []
      }
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ""
      return lines.flatMap(line)
    },
    end: () => {
      const last = rest.replace(/\r$/, "")
      rest = ""
      return [...(last === "" ? [] : line(last)), ...line("")]
    }
  }
}
