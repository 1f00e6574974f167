/**
 * The doors that are open to a caller beside the one that cannot be bounded for them: found with the very decision that each
 * door falls, so that none is named that refuses. Asked on the way of a refusal alone.
 */
import { Either } from "effect"
import type { Surface } from "./Call.ts"
import type { CatalogShape } from "./Catalog.ts"
import { type Door, type Subject, subjects } from "./Door.ts"
import { Forbidden } from "./Failure.ts"
import type { Operation, RestOperation } from "./Operation.ts"
import type { ReachShape } from "./Reach.ts"

/** The code of the refusal that is explained. */
export const unsupportedCode = "GRANT_DOOR_UNSUPPORTED"

const namedMost = 5 // operations; what one reads in a message

const isRest = (operation: Operation): operation is RestOperation => "method" in operation && "path" in operation

/** As a caller of its surface names it. */
const nameOf = (operation: Operation): string =>
  isRest(operation) ? `${operation.method} ${operation.path.replaceAll(/:(\w+)/g, "{$1}")}` : operation.name

/** What stands before the point of `documents.list`; tools have none. */
const groupOf = ({ name }: Operation): string | undefined => (name.includes(".") ? name.split(".")[0] : undefined)

const subjectsOf = ({ door }: Operation): ReadonlyArray<Subject> => {
  switch (door._tag) {
    case "Public":
    case "Session":
    case "Self":
    case "FullGrant":
      return []
    case "Rows":
    case "Write":
      return [door.subject]
    case "EveryKind":
      return door.subjects
  }
}

/** Whether a name such as `svc_get_entities` speaks of a subject. */
const speaksOf = (name: string, subject: Subject): boolean =>
  name.includes(subject) || name.includes(subject.replace(/y$/, "ies"))

const onSurface = ({ procedures, rest, tools }: CatalogShape, surface: Surface): ReadonlyArray<Operation> => {
  switch (surface) {
    case "rest":
      return rest
    case "bridge":
    case "session":
      return [...procedures.values()]
    case "mcp":
      return [...tools.values()]
  }
}

type Admit = (door: Door) => Either.Either<ReachShape, Forbidden>

/** Lets in, and not only in order to show nothing: a grant that reads no row of a subject passes its listing all the same. */
const isOpen = ({ door }: Operation, admit: Admit): boolean =>
  Either.match(admit(door), {
    onLeft: () => false,
    onRight: ({ bounds }) => door._tag !== "Rows" || bounds(door.subject, "read").spaces.length > 0
  })

/** Reads of the same group first, then of the same subjects; in the order of the catalog. */
const openBeside = (
  catalog: CatalogShape,
  surface: Surface,
  refused: Operation,
  admit: Admit
): ReadonlyArray<string> => {
  const all = onSurface(catalog, surface)
  const group = groupOf(refused)
  const isAlike = (other: Operation) => group !== undefined && groupOf(other) === group
  const about = new Set([
    ...all.filter(isAlike).flatMap(subjectsOf),
    ...subjectsOf(refused),
    ...subjects.filter((subject) => speaksOf(refused.name, subject))
  ])
  const candidates = all.filter((other) => other.kind === "query" && other.door._tag !== "Public" && other !== refused)
  const alike = candidates.filter(isAlike)
  const related = candidates.filter((other) => !isAlike(other) && subjectsOf(other).some((each) => about.has(each)))
  return [...alike, ...related]
    .filter((other) => isOpen(other, admit))
    .slice(0, namedMost)
    .map(nameOf)
}

/** The same refusal with the doors that are open beside it, in its words and as `openTo`. */
export const withOpenDoors = (
  refusal: Forbidden,
  catalog: CatalogShape,
  surface: Surface,
  refused: Operation,
  admit: Admit
): Forbidden => {
  const openTo = openBeside(catalog, surface, refused, admit)
  const why = openTo.length === 0 ? refusal.why : `${refusal.why} Open to this key: ${openTo.join(", ")}.`
  return new Forbidden({ ...refusal, why, details: { ...refusal.details, openTo } })
}
