/** A page of a listing as a value: its items, and the cursor of the next page. */
import { Schema, SchemaAST } from "effect"
import type { Cursor } from "./Cursor.ts"

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** The place where the next page begins. Null if this page is the last one. */
  readonly next: Cursor | null
}

/** An answer that is made from a page but is not a list, together with the place where the next page begins. */
export interface PagedAnswer<A> {
  readonly answer: A
  readonly next: Cursor | null
}

/**
 * The greatest count in an answer. The pod stops counting at this number, because a full count takes longer with more
 * data.
 */
export const countedMax = 10_000

/** Writes a count as a text for people. The maximum gets a `+`, because the real number might be greater. */
export const shownCount = (count: number): string =>
  count >= countedMax ? `${countedMax.toLocaleString("en")}+` : `${count}`

/** Makes the page of a listing that has only one page. */
export const singlePage = <A>(items: ReadonlyArray<A>): Page<A> => ({ items, next: null })

/**
 * Makes a page. The store reads one row more than the limit. This row is not on the page, and only shows that a next
 * page exists.
 */
export const cutPage = <A>(rows: ReadonlyArray<A>, limit: number, cursorOf: (last: A) => Cursor): Page<A> => {
  const last = rows[limit - 1]
  return rows.length <= limit || last === undefined
    ? singlePage(rows)
    : { items: rows.slice(0, limit), next: cursorOf(last) }
}

export const mapPage = <A, B>({ items, next }: Page<A>, change: (item: A) => B): Page<B> => ({
  items: items.map(change),
  next
})

/** Builds an answer from the items of a page and keeps the cursor of the page. */
export const pagedAnswer = <A, B>(page: Page<A>, answer: (items: ReadonlyArray<A>) => B): PagedAnswer<B> => ({
  answer: answer(page.items),
  next: page.next
})

const continues = Symbol.for("pod/Page/continues")

/** Returns true if an answer of this schema can have the cursor of a next page. */
export const hasNextCursor = ({ ast }: Schema.Schema.Any): boolean =>
  SchemaAST.getAnnotation<boolean>(ast, continues)._tag === "Some"

const isObjectWith = (value: unknown, field: string) =>
  typeof value === "object" && value !== null && field in value && "next" in value

/** Checks only that the value is a page. The schema of the list encodes the items of the page. */
const aPage = <A>() => Schema.declare((value): value is Page<A> => isObjectWith(value, "items"))
const aContinued = <A>() => Schema.declare((value): value is PagedAnswer<A> => isObjectWith(value, "answer"))

/**
 * Makes the success schema of a list. The handler returns a `Page`. The items of the page become the body, and the pod
 * sends the cursor in a header. So a page that a client decodes from a body has no cursor.
 */
export const pageOf = <A, I>(item: Schema.Schema<A, I>): Schema.Schema<Page<A>, ReadonlyArray<I>> =>
  Schema.transform(Schema.Array(item), aPage<A>(), {
    strict: true,
    decode: (items) => singlePage(items),
    encode: ({ items }) => items
  }).annotations({ [continues]: true })

/**
 * Makes the success schema of a list whose body is a struct. The handler returns the struct together with the cursor,
 * as `PagedAnswer`.
 */
export const pagedStruct = <A, I>(answer: Schema.Schema<A, I>): Schema.Schema<PagedAnswer<A>, I> =>
  Schema.transform(answer, aContinued<A>(), {
    strict: true,
    decode: (answer) => ({ answer, next: null }),
    encode: ({ answer }) => answer
  }).annotations({ [continues]: true })

const WithCursor = Schema.Struct({
  nextCursor: Schema.optional(
    Schema.String.annotations({
      description: "Cursor of the next page: send it as `cursor`. The last page has none."
    })
  )
})

/**
 * Makes the success schema of an MCP tool that returns a list. Tools have no headers, so the cursor of the next page is
 * a field of the answer.
 */
export const toolPage = <A extends object, I extends object>(answer: Schema.Schema<A, I>) =>
  Schema.transform(Schema.extend(answer, WithCursor), aContinued<A>(), {
    strict: true,
    decode: (answer) => ({ answer, next: null }),
    // `Operation.answerOf` has replaced the place of the next page by its text, so the cast is safe.
    encode: ({ answer, next }) => (next === null ? answer : { ...answer, nextCursor: next as unknown as string })
  }).annotations({ [continues]: true })
