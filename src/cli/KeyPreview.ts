/** Shows what a key is allowed to do. The pod, and not the command line, decides this. */
import { Effect } from "effect"
import { badUsage, type CliFailure } from "./CliFailure.ts"
import { type Fields, fieldsOf, rowsOf, textOf } from "./AnswerFields.ts"
import { cell, type Paint } from "./Output.ts"
import { isObjectId, operationOfRoute, wholePath } from "../shared/operationOfRoute.ts"
import { PodClient } from "./PodClient.ts"

const shownMax = 12

const countsIn = (preview: Fields): string => {
  const totals = new Map<string, number>()
  for (const { count, kind, type } of rowsOf(preview["counts"])) {
    const name = textOf(kind) === "" ? textOf(type) : textOf(kind)
    totals.set(name, (totals.get(name) ?? 0) + Number(count))
  }
  const countTexts = [...totals].filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`)
  return countTexts.length === 0 ? "nothing that exists now" : countTexts.join(" · ")
}

/** Writes the preview as a text for people: what the key can read, and which operations it is allowed to call. */
export const previewText = (data: unknown, paint: Paint): string => {
  const preview = fieldsOf(data)
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
    `Reads now: ${countsIn(preview)}`,
    `Operations: ${paint.green(`${open.length} open`)}, ${closed.length} closed to this key`,
    ...closed
      .slice(0, shownMax)
      .map(({ operation, reason }) => `  ${paint.red("✗")} ${cell(operation)}  ${paint.dim(cell(reason, 100))}`),
    ...(closed.length > shownMax ? [`  … and ${closed.length - shownMax} more: --json shows them all`] : [])
  ].join("\n")
}

interface Question {
  readonly operation: string
  readonly objectId?: string
}

/**
 * Turns the text of a person into the operation about which the person asks. In: `GET /api/hub/entities/<id>`, or the
 * name of an operation or tool, optionally followed by the id of an object.
 */
export const questionOf = (text: string): Effect.Effect<Question, CliFailure, PodClient> =>
  Effect.gen(function* () {
    const client = yield* PodClient
    const { data } = yield* client.request("GET", "/api/hub/manifest")
    const doors = rowsOf(fieldsOf(data)["doors"])
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
