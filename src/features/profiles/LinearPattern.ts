/**
 * Matches texts with patterns from users. The time grows only linearly with the length of the text, so no pattern can
 * block the pod.
 */
import { Either } from "effect"

/**
 * A pattern that works like a JavaScript regular expression with the flag `u`. The pattern matches anywhere in the
 * text, unless it contains `^` or `$`. It can contain characters, `.`, classes, escapes, groups, alternatives,
 * repetitions, `^`, `$`, `\b` and `\B`. It cannot contain back-references or look-around, because the method of this
 * file (Thompson, CACM 1968) reads the text only once. It cannot contain named groups either.
 */
export interface LinearPattern {
  readonly test: (text: string) => boolean
}

// the maximum number of characters of a pattern
export const patternMax = 200
// The maximum number of states of a pattern after its repetitions are written out. A match of 10,000 characters with
// this number of states takes at most 0.1 s.
const statesMax = 250
// the maximum number of levels of groups within groups
const depthMax = 20

type Node =
  | { readonly is: "character"; readonly source: string }
  | { readonly is: "place"; readonly holds: Place }
  | { readonly is: "sequence" | "choice"; readonly of: ReadonlyArray<Node> }
  | { readonly is: "repeat"; readonly of: Node; readonly min: number; readonly max: number }

/**
 * Tests whether a part of a pattern such as `^` or `\b` matches between two characters. `before` is undefined at the
 * start of the text, and `after` is undefined at the end of the text.
 */
type Place = (before: number | undefined, after: number | undefined) => boolean

type State =
  | { readonly is: "character"; readonly accepts: (point: number) => boolean; readonly next: number }
  | { readonly is: "place"; readonly holds: Place; readonly next: number }
  | { readonly is: "either"; readonly of: Array<number> }
  | { readonly is: "end" }

const wordPoints = new Set(
  Array.from({ length: 128 }, (_, point) => point).filter((point) => /\w/.test(String.fromCodePoint(point)))
)
const isWord = (point: number | undefined) => point !== undefined && wordPoints.has(point)
const isEdge: Place = (before, after) => isWord(before) !== isWord(after)

const places: Readonly<Record<string, Place>> = {
  "^": (before) => before === undefined,
  $: (_, after) => after === undefined,
  "\\b": isEdge,
  "\\B": (before, after) => !isEdge(before, after)
}

// Two escapes that form a surrogate pair count as one character.
const escapeForm =
  /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u[^]{4}|x[^]{2}|[pP]\{[^}]*\}|c[^]|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/uy
const repeatForm = /(?:([*+?])|\{(\d+)(?:(,)(\d+)?)?\})\??/y

const whyNot = (source: string): string | null => {
  if (source.length > patternMax) return `is longer than ${patternMax} characters`
  return Either.isLeft(Either.try(() => new RegExp(source, "u"))) ? "is not a regular expression" : null
}

/** Parses a well-formed pattern. Returns a Left with the reason if this file does not support the pattern. */
const parse = (source: string): Either.Either<Node, string> => {
  let at = 0
  const refused: Array<string> = []

  const token = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at
    const found = form.exec(source)
    at += found?.[0].length ?? 0
    return found
  }

  const choice = (depth: number): Node => {
    if (depth > depthMax) refused.push(`has more than ${depthMax} nested groups`)
    const of = [sequence(depth)]
    while (refused.length === 0 && source[at] === "|") {
      at += 1
      of.push(sequence(depth))
    }
    return { is: "choice", of }
  }

  const sequence = (depth: number): Node => {
    const of: Array<Node> = []
    while (refused.length === 0 && at < source.length && source[at] !== "|" && source[at] !== ")") {
      of.push(repeated(single(depth)))
    }
    return { is: "sequence", of }
  }

  const single = (depth: number): Node => {
    if (source[at] === "(") {
      if (source[at + 1] === "?" && source[at + 2] !== ":") refused.push("uses look-around, named groups or flags")
      at += source[at + 1] === "?" ? 3 : 1
      const within = choice(depth + 1)
      at += 1
      return within
    }
    const [text = ""] = token(escapeForm) ?? []
    if (/^\\[1-9k]/.test(text)) refused.push("uses a back-reference")
    const holds = Object.hasOwn(places, text) ? places[text] : undefined
    return holds === undefined ? { is: "character", source: text } : { is: "place", holds }
  }

  const repeated = (of: Node): Node => {
    const [found, sign, minText, comma, maxText] = token(repeatForm) ?? []
    if (found === undefined) return of
    if (sign !== undefined) return { is: "repeat", of, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity }
    const max = comma === undefined ? minText : (maxText ?? Infinity)
    return { is: "repeat", of, min: Number(minText), max: Number(max) }
  }

  const whole = choice(0)
  return refused[0] === undefined ? Either.right(whole) : Either.left(refused[0])
}

/**
 * Returns the number of states that a part of the pattern (a node) needs. The number is at least 1, even for an empty
 * part. So the maximum number of states also limits how often an empty part is repeated.
 */
const sizeOf = (node: Node): number => {
  switch (node.is) {
    case "character":
    case "place":
      return 1
    case "sequence":
    case "choice":
      return node.of.reduce((sum, one) => sum + sizeOf(one), 1)
    case "repeat": {
      const one = sizeOf(node.of)
      return node.min * one + (node.max === Infinity ? one + 1 : (node.max - node.min) * (one + 1)) + 1
    }
  }
}

const acceptor = (source: string): ((point: number) => boolean) => {
  const form = new RegExp(`^(?:${source})$`, "u")
  const known = new Map<number, boolean>()
  return (point) => {
    const before = known.get(point)
    if (before !== undefined) return before
    const fits = form.test(String.fromCodePoint(point))
    known.set(point, fits)
    return fits
  }
}

interface Program {
  readonly states: ReadonlyArray<State>
  readonly start: number
}

/** Converts a pattern to a list of states. The first state in the list is the end state. */
const layOut = (whole: Node): Program => {
  const states: Array<State> = [{ is: "end" }]
  const acceptors = new Map<string, (point: number) => boolean>()
  const add = (state: State): number => states.push(state) - 1

  const lay = (node: Node, next: number): number => {
    switch (node.is) {
      case "character": {
        const accepts = acceptors.get(node.source) ?? acceptor(node.source)
        acceptors.set(node.source, accepts)
        return add({ is: "character", accepts, next })
      }
      case "place":
        return add({ is: "place", holds: node.holds, next })
      case "sequence":
        return node.of.reduceRight((after, one) => lay(one, after), next)
      case "choice":
        return node.of.length === 1
          ? lay(node.of[0], next)
          : add({ is: "either", of: node.of.map((o) => lay(o, next)) })
      case "repeat": {
        let entry = next
        if (node.max === Infinity) {
          const of = [next]
          entry = add({ is: "either", of })
          of.push(lay(node.of, entry))
        } else {
          for (let more = node.min; more < node.max; more++) {
            entry = add({ is: "either", of: [lay(node.of, entry), next] })
          }
        }
        for (let more = 0; more < node.min; more++) entry = lay(node.of, entry)
        return entry
      }
    }
  }

  const start = lay(whole, 0)
  return { states, start }
}

/** A set of states of a pattern, with one bit for each state. */
type States = Uint32Array

const forEachState = (set: States, visit: (id: number) => void): void => {
  for (let word = 0; word < set.length; word++) {
    for (let bits = set[word]; bits !== 0; bits &= bits - 1) visit(word * 32 + 31 - Math.clz32(bits & -bits))
  }
}
const addState = (set: States, id: number): void => {
  set[id >>> 5] |= 1 << (id & 31)
}
const putAll = (set: States, other: States): void => {
  for (let word = 0; word < set.length; word++) set[word] |= other[word]
}

/**
 * Returns the states that can be reached from one state at this place without reading a character. The result has only
 * the end state and states that wait for a character.
 */
const closure = ({ states }: Program, from: number, place: Parameters<Place>): States => {
  const [reached, seen] = [new Uint32Array((states.length >>> 5) + 1), new Set<number>()]
  const pending = [from]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    const state = states[id]
    if (state.is === "either") pending.push(...state.of)
    else if (state.is !== "place") addState(reached, id)
    else if (state.holds(...place)) pending.push(state.next)
  }
  return reached
}

/**
 * Makes the function that tests whether a text matches. The function reads the text character by character and follows
 * all possible states at once.
 */
const matcher = (program: Program): ((text: string) => boolean) => {
  const { start, states } = program
  const empty = () => new Uint32Array((states.length >>> 5) + 1)
  // The results of `closure` that are already computed, by the kind of place: the start of the text, the end of the
  // text, or the edge of a word.
  const closures = new Map<number, Array<States | undefined>>()

  return (text) => {
    let entered = empty()
    let before: number | undefined
    for (let at = 0; ;) {
      const point = text.codePointAt(at)
      const kind = (before === undefined ? 1 : 0) + (point === undefined ? 2 : 0) + (isEdge(before, point) ? 4 : 0)
      const known = closures.get(kind) ?? []
      closures.set(kind, known)
      const waiting = empty()
      addState(entered, start)
      forEachState(entered, (id) => putAll(waiting, (known[id] ??= closure(program, id, [before, point]))))
      // Bit 0 belongs to the end state. If this bit is set, the text matches the pattern.
      if ((waiting[0] & 1) === 1) return true
      if (point === undefined) return false
      const next = empty()
      forEachState(waiting, (id) => {
        const state = states[id]
        if (state.is === "character" && state.accepts(point)) addState(next, state.next)
      })
      entered = next
      before = point
      at += point > 0xffff ? 2 : 1
    }
  }
}

/**
 * Compiles a pattern. If this file does not support the pattern, returns a Left with the reason. The reason continues a
 * sentence that begins with “The pattern …”.
 */
export const linearPattern = (source: string): Either.Either<LinearPattern, string> => {
  const wrong = whyNot(source)
  if (wrong !== null) return Either.left(wrong)
  return Either.flatMap(parse(source), (whole) => {
    if (!(sizeOf(whole) <= statesMax))
      return Either.left("repeats too many times: use smaller counts, or minLength and maxLength")
    return Either.right({ test: matcher(layOut(whole)) })
  })
}
