/**
 * Cursors: the place where the next page of a list begins, and the text of it that clients send back. The text has a
 * mark of the list and of the person, so that a cursor works only in the list that returned it.
 */
import { hash } from "node:crypto"
import { ParseResult, Schema, SchemaAST } from "effect"

/**
 * The place where the next page of a list begins: after the row with this time and id. `at` is null if the list is
 * sorted only by id.
 */
export interface Cursor {
  readonly at: string | null
  readonly id: string
}

/** A cursor that a client sent. The pod's own code makes cursors without a mark. */
interface SentCursor extends Cursor {
  readonly mark?: string | undefined
}

const cursorForm =
  /^([\w-]{11}) (?:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) )?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * Returns true if the time exists. The pattern accepts 30 February and the year 0000, but the database refuses both.
 */
const isTime = (text: string): boolean => {
  const time = new Date(text)
  return !text.startsWith("0000") && !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** Returns the text of a cursor as clients get it. Clients must not interpret this text. */
export const cursorText = ({ at, id }: Cursor, mark: string): string =>
  Buffer.from([mark, ...(at === null ? [] : [at]), id].join(" ")).toString("base64url")

export const foreignCursor =
  "This is not a cursor of this list: send the cursor that the previous page of the same list returned to you."

const declaredList = Symbol.for("pod/Cursor/list")

/** The list that an operation shows. A cursor works only in the list from which it comes. */
interface DeclaredList {
  readonly name: string
  /**
   * A field of the input whose value tells this list from others, such as the id of the record whose history is listed.
   */
  readonly of: string | undefined
}

const SentCursorValue = Schema.Struct({
  at: Schema.NullOr(Schema.String),
  id: Schema.String,
  mark: Schema.optional(Schema.String)
})

/**
 * Makes the field `cursor` of a query or an input. Operations that show the same list, over REST, tRPC or MCP, declare
 * the same `list`, and accept the cursors of each other. `of`: the field whose value is also a part of the mark. The
 * parameters of a path always are a part of it.
 */
export const cursorField = (list: string, of?: string) =>
  Schema.optional(
    Schema.transformOrFail(
      Schema.String.pipe(Schema.maxLength(200)),
      SentCursorValue.annotations({ [declaredList]: { name: list, of } }),
      {
        strict: true,
        decode: (text, _, ast) => {
          const [, mark, at, id] = cursorForm.exec(Buffer.from(text, "base64url").toString("latin1")) ?? []
          return mark === undefined || id === undefined || (at !== undefined && !isTime(at))
            ? ParseResult.fail(new ParseResult.Type(ast, text, foreignCursor))
            : ParseResult.succeed<SentCursor>({ at: at ?? null, id, mark })
        },
        encode: ({ mark, ...cursor }) => ParseResult.succeed(cursorText(cursor, mark ?? ""))
      }
    ).annotations({
      jsonSchema: {
        description: "Start of the page: the header `X-Svc-Next-Cursor` of the previous page.",
        type: "string",
        maxLength: 200
      }
    })
  )

/** Returns the mark of a list of this person. It is no secret: what a page shows depends only on the caller's reach. */
export const markOf = (list: string, personId: string, of: ReadonlyArray<unknown> = []): string =>
  hash("sha256", JSON.stringify([list, personId, ...of]), "base64url").slice(0, 11)

/** Returns the list that the field `cursor` of this schema declares. Returns undefined if there is no such field. */
const listIn = ({ ast }: Schema.Schema.Any): DeclaredList | undefined => {
  const field = SchemaAST.getPropertySignatures(SchemaAST.typeAST(ast)).find(({ name }) => name === "cursor")?.type
  if (field === undefined) return undefined
  for (const member of SchemaAST.isUnion(field) ? field.types : [field]) {
    const declared = SchemaAST.getAnnotation<DeclaredList>(member, declaredList)
    if (declared._tag === "Some") return declared.value
  }
  return undefined
}

interface Paged extends Readonly<Record<string, unknown>> {
  readonly cursor?: SentCursor
}

/** How an operation reads cursors: the mark of its list, and the cursor that the client sent. */
export interface CursorReader {
  readonly markOf: (input: unknown, personId: string) => string
  readonly sentIn: (input: unknown) => SentCursor | undefined
}

/**
 * Makes the reader of the cursors of an operation from the schema of its query or input. `parts` returns the decoded
 * query or input, and the values of the path. Returns undefined if the operation takes no cursor.
 */
export const cursorReader = (
  schema: Schema.Schema.Any | undefined,
  parts: (input: unknown) => { readonly query: unknown; readonly path: ReadonlyArray<unknown> }
): CursorReader | undefined => {
  const list = schema === undefined ? undefined : listIn(schema)
  if (list === undefined) return undefined
  return {
    markOf: (input, personId) => {
      const { path, query } = parts(input)
      // The decoder has read this input by the schema with the field `cursor`, so the cast is safe.
      const own = list.of === undefined ? [] : [(query as Paged)[list.of] ?? null]
      return markOf(list.name, personId, [...path, ...own])
    },
    sentIn: (input) => (parts(input).query as Paged).cursor
  }
}
