/** Shows what a key is allowed to do. The pod, and not the command line, decides this. */
import { Effect } from "effect"
import { badUsage, type CliFailure } from "./CliFailure.ts"
import { type Fields, fieldsOf, rowsOf, textOf, textsOf } from "./AnswerFields.ts"
import { cell, Output, type Paint } from "./Output.ts"
import { isObjectId, operationOfRoute, wholePath } from "../shared/operationOfRoute.ts"
import { PodClient } from "./PodClient.ts"

const kindsMax = 12 // the maximum number of kinds of records that a preview lists
const reasonsMax = 8 // the maximum number of reasons of closed operations
const namesMax = 4 // the maximum number of operations of each reason

const typeWords: Readonly<Record<string, string>> = { knowledge_entry: "knowledge entries", memory: "memory facts" }

/** The name of a kind of record. Entities of the kind `knowledge` are not knowledge entries, so they get another name. */
const kindWords = ({ kind, type }: Fields): string => {
  const name = textOf(kind)
  return name === "" ? (typeWords[textOf(type)] ?? textOf(type)) : name === "knowledge" ? "knowledge records" : name
}

const totalsIn = (preview: Fields): ReadonlyMap<string, number> => {
  const totals = new Map<string, number>()
  for (const row of rowsOf(preview["counts"])) {
    const name = kindWords(row)
    totals.set(name, (totals.get(name) ?? 0) + Number(row["count"]))
  }
  return totals
}

const sumOf = (totals: ReadonlyMap<string, number>): number => [...totals.values()].reduce((sum, one) => sum + one, 0)

/**
 * Says how many records the person can see, and how many of these the key can read. The first line has the totals, and
 * each further line has the numbers of one kind.
 */
const countLines = (preview: Fields, whole: Fields): ReadonlyArray<string> => {
  const [mine, all] = [totalsIn(preview), totalsIn(whole)]
  const kinds = [...new Set([...mine.keys(), ...all.keys()])]
    .map((name) => ({ name, count: mine.get(name) ?? 0, of: Math.max(all.get(name) ?? 0, mine.get(name) ?? 0) }))
    .filter(({ of }) => of > 0)
    .toSorted((one, other) => other.count - one.count || other.of - one.of || one.name.localeCompare(other.name))
  if (kinds.length === 0) return ["Reads now: nothing, because you can see no record yet"]
  return [
    `Reads now: ${sumOf(mine)} of the ${Math.max(sumOf(all), sumOf(mine))} records that you can see`,
    ...kinds.slice(0, kindsMax).map(({ count, name, of }) => `  ${count} of ${of} ${cell(name)}`),
    ...(kinds.length > kindsMax ? [`  … and ${kinds.length - kindsMax} more kinds`] : [])
  ]
}

const subjectOf = (permission: string): string => permission.split(".")[0] ?? ""

/** The answers of the pod from which the text of a preview is made. */
export interface PreviewAnswers {
  readonly preview: Fields
  /** The preview of a key without limits: it counts everything that the person can see. */
  readonly whole: Fields
  /** The operations of the pod, as the manifest lists them. */
  readonly operations: ReadonlyArray<Fields>
  /** The permissions of the previewed key, such as `["*"]`. */
  readonly permissions: ReadonlyArray<string>
}

interface ClosedGroup {
  readonly reason: string
  /** The rank of the operation of this group that needs the fewest further rights. 0 means the fewest. */
  readonly distance: number
  readonly names: ReadonlyArray<string>
}

/**
 * Groups the operations that are closed to the key by their reason. The operations that need the fewest further rights
 * come first. An operation needs few further rights if the permissions of the key are about all its subjects. It needs
 * more if they are about only some of its subjects or about none. It also needs more if the key lacks its scope, or if
 * the tool profile of the key lacks it.
 */
const closedGroups = (
  closed: ReadonlyArray<Fields>,
  { operations, permissions }: Omit<PreviewAnswers, "preview" | "whole">
): ReadonlyArray<ClosedGroup> => {
  const subjects = new Set(permissions.map(subjectOf))
  const needs = new Map(operations.map(({ name, permissions: needed }) => [textOf(name), textsOf(needed)]))
  const distanceOf = ({ code, operation }: Fields): number => {
    const needed = needs.get(textOf(operation)) ?? []
    const related = needed.filter((permission) => subjects.has("*") || subjects.has(subjectOf(permission)))
    const bySubject = related.length === 0 ? 4 : related.length < needed.length ? 2 : 0
    return bySubject + (code === "SCOPE_MISSING" || code === "TOOL_PROFILE" ? 1 : 0)
  }
  const groups = new Map<string, ClosedGroup>()
  const nearestFirst = closed
    .map((door) => ({ distance: distanceOf(door), name: textOf(door["operation"]), reason: textOf(door["reason"]) }))
    .toSorted((one, other) => one.distance - other.distance)
  for (const { distance, name, reason } of nearestFirst) {
    const group = groups.get(reason)
    groups.set(reason, { reason, distance: group?.distance ?? distance, names: [...(group?.names ?? []), name] })
  }
  return [...groups.values()].toSorted(
    (one, other) => one.distance - other.distance || other.names.length - one.names.length
  )
}

const closedLines = (groups: ReadonlyArray<ClosedGroup>, paint: Paint): ReadonlyArray<string> => [
  ...groups.slice(0, reasonsMax).flatMap(({ names, reason }) => {
    const more = names.length - namesMax
    return [
      `  ${paint.red("✗")} ${cell(reason, 300)}`,
      `    ${paint.dim(
        `${names
          .slice(0, namesMax)
          .map((name) => cell(name))
          .join(", ")}${more > 0 ? ` and ${more} more` : ""}`
      )}`
    ]
  }),
  ...(groups.length > reasonsMax ? [`  … and ${groups.length - reasonsMax} more reasons: --json shows them all`] : [])
]

/** Writes the preview as a text for people: what the key can read, and which operations it is allowed to call. */
export const previewText = ({ preview, whole, ...key }: PreviewAnswers, paint: Paint): string => {
  const doors = rowsOf(preview["doors"])
  const open = doors.filter(({ isOpen }) => isOpen === true)
  // No key is allowed to call an operation that is `SESSION_ONLY` or `OPERATOR_ONLY`. So these operations are not
  // listed as closed to this key.
  const closed = doors.filter(
    ({ code, isOpen }) => isOpen !== true && code !== "SESSION_ONLY" && code !== "OPERATOR_ONLY"
  )
  return [
    textOf(preview["sentence"]),
    ...rowsOf(preview["risks"]).map(({ reason }) => `${paint.yellow("Check:")} ${textOf(reason)}`),
    ...countLines(preview, whole),
    `Operations: ${paint.green(`${open.length} open`)}, ${closed.length} closed to this key${closed.length === 0 ? "" : ", those that need the fewest further rights first:"}`,
    ...closedLines(closedGroups(closed, key), paint)
  ].join("\n")
}

/**
 * Writes a preview as a text for people. The function first asks the pod for everything that the person can see and for
 * all operations, because the text compares the preview with them.
 */
export const previewFor = Effect.fnUntraced(function* (preview: unknown, permissions: ReadonlyArray<string>) {
  const client = yield* PodClient
  const { paint } = yield* Output
  const { data: whole } = yield* client.procedure("grants.preview", { grant: { permissions: ["*"] } })
  const operations = yield* operationsOfPod
  return previewText({ preview: fieldsOf(preview), whole: fieldsOf(whole), operations, permissions }, paint)
})

/** Reads the list of all operations of the pod. */
const operationsOfPod = Effect.gen(function* () {
  const client = yield* PodClient
  const { data } = yield* client.request("GET", "/api/hub/manifest")
  return rowsOf(fieldsOf(data)["doors"])
})

interface Question {
  readonly operation: string
  readonly objectId?: string
}

/**
 * Turns the text of a person into the operation about which the person asks. The text is a method and a path, such as
 * `GET /api/hub/entities/<id>`, or the name of an operation or tool. The id of an object can follow the name.
 */
export const questionOf = (text: string): Effect.Effect<Question, CliFailure, PodClient> =>
  Effect.gen(function* () {
    const doors = yield* operationsOfPod
    const [first = "", second = "", ...more] = text.trim().split(/\s+/)
    if (more.length > 0)
      return yield* badUsage("--can takes at most two words.", 'Write, for example, --can "GET /api/hub/entities".')
    if (second.startsWith("/")) {
      const routes = doors.map(({ method, name, path }) => ({
        method: textOf(method),
        name: textOf(name),
        path: textOf(path)
      }))
      return (
        operationOfRoute(routes, first, second) ??
        (yield* badUsage(
          `The pod has no operation ${first.toUpperCase()} ${wholePath(second)}.`,
          "To see the operations, run `pod docs rest`."
        ))
      )
    }
    if (!doors.some(({ name }) => name === first)) {
      return yield* badUsage(
        `The pod has no operation ${JSON.stringify(first)}.`,
        'Write, for example, --can "GET /api/hub/entities" or --can entities.update.'
      )
    }
    return { operation: first, ...(isObjectId(second) ? { objectId: second } : {}) }
  })
