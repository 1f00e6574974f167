/**
 * Finds operations that a refusal can suggest to a caller whose grant cannot limit the refused operation. For each of
 * these operations, the pod makes the same decision as for a real call. So the caller is really allowed to call the
 * suggested operations.
 */
import { Either } from "effect"
import type { Surface } from "./Call.ts"
import type { CatalogShape } from "./Catalog.ts"
import { type Subject, subjects } from "./Door.ts"
import type { Refused } from "./Failure.ts"
import type { Operation, RestOperation } from "./Operation.ts"
import type { ReachShape } from "./Reach.ts"

// the maximum number of operations that one message suggests, because a message with more would be hard to read
const namedMax = 5

const isRest = (operation: Operation): operation is RestOperation => "method" in operation && "path" in operation

/** Returns the name that callers use for an operation of REST, of the procedures or of MCP. */
const nameOf = (operation: Operation): string =>
  isRest(operation) ? `${operation.method} ${operation.path.replaceAll(/:(\w+)/g, "{$1}")}` : operation.name

/**
 * Returns the group of an operation, such as `documents` for `documents.list`. Returns undefined for tools, which have
 * no group.
 */
const groupOf = ({ name }: Operation): string | undefined => (name.includes(".") ? name.split(".")[0] : undefined)

const subjectsOf = ({ door }: Operation): ReadonlyArray<Subject> => {
  switch (door._tag) {
    case "Public":
    case "Session":
    case "Operator":
    case "Self":
    case "FullGrant":
      return []
    case "Rows":
    case "Write":
      return [door.subject]
    case "SeveralRows":
    case "EveryKind":
      return door.subjects
  }
}

/** Returns true if a name such as `svc_get_entities` contains a subject. */
const mentions = (name: string, subject: Subject): boolean =>
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

type Admit = (operation: Operation) => Either.Either<ReachShape, Refused>

/**
 * Returns true if the door admits the caller, and the caller is allowed to read any rows through the door. Some doors
 * admit a grant that allows no rows. A caller with such a grant cannot use the operation.
 */
const isOpen = (operation: Operation, admit: Admit): boolean =>
  Either.match(admit(operation), {
    onLeft: () => false,
    onRight: ({ bounds }) => operation.door._tag !== "Rows" || bounds(operation.door.subject, "read").spaces.length > 0
  })

/**
 * Returns the reading operations that the caller can use instead of the refused operation. The operations of the same
 * group come first, and then the operations with the same subjects. Within both parts, the operations have the order of
 * the catalog.
 */
export const openBeside = (
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
    ...subjects.filter((subject) => mentions(refused.name, subject))
  ])
  const candidates = all.filter((other) => other.kind === "query" && other.door._tag !== "Public" && other !== refused)
  const alike = candidates.filter(isAlike)
  const related = candidates.filter((other) => !isAlike(other) && subjectsOf(other).some((each) => about.has(each)))
  return [...alike, ...related]
    .filter((other) => isOpen(other, admit))
    .slice(0, namedMax)
    .map(nameOf)
}
