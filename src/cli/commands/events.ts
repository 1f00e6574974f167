/** `pod events`: lists past events, follows new events, and shows the causes and effects of one event. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Stream } from "effect"
import { isObjectId } from "../../shared/operationOfRoute.ts"
import { type CliFailure, notFound } from "../CliFailure.ts"
import { group, leaf } from "../CommandTree.ts"
import { type Fields, fieldsOf, rowsOf, textOf } from "../AnswerFields.ts"
import { findAgent, findWorkspace, idFrom } from "../Lookups.ts"
import { cell, moreText, Output, timeCell } from "../Output.ts"
import { eventText } from "../EventText.ts"
import { PodClient } from "../PodClient.ts"
import { followEvents } from "../PodEvents.ts"
import { sinceTime } from "../SinceTime.ts"

const type = Options.text("type").pipe(
  Options.withDescription("Only events of this type, such as entity.create."),
  Options.optional
)
const workspace = Options.text("workspace").pipe(
  Options.withDescription("Only events of this workspace, by id or name."),
  Options.optional
)

const query = (parts: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(parts).flatMap(([name, value]): Array<[string, string]> =>
    value === undefined ? [] : [[name, value]]
  )
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`
}

/** Returns the id for an option that takes an id or a name. Returns undefined if the option was not given. */
const given = (
  option: Option.Option<string>,
  find: (idOrName: string) => Effect.Effect<Fields, CliFailure, PodClient>
) => (Option.isNone(option) ? Effect.as(Effect.void, undefined) : idFrom(option.value, find))

const list = leaf(
  "list",
  {
    summary: "List events, newest first.",
    examples: [
      "pod events list",
      "pod events list --type entity.create -n 5 --json",
      "pod events list --since 7d --until 1d"
    ]
  },
  {
    type,
    workspace,
    limit: Options.integer("limit").pipe(
      Options.withAlias("n"),
      Options.withDescription("The largest number of events to list."),
      Options.withDefault(20)
    ),
    actor: Options.text("actor").pipe(
      Options.withDescription("Only events of this actor: the id of a person, or the id or name of an agent."),
      Options.optional
    ),
    since: Options.text("since").pipe(
      Options.withDescription("Only events since this time: a duration before now, such as 30m, 1h or 7d, or a time."),
      Options.optional
    ),
    until: Options.text("until").pipe(
      Options.withDescription("Only events until this time: a duration before now, such as 30m, 1h or 7d, or a time."),
      Options.optional
    )
  },
  Effect.fnUntraced(function* (options) {
    const client = yield* PodClient
    const output = yield* Output
    const since = Option.isNone(options.since) ? undefined : yield* sinceTime(options.since.value, Date.now())
    const until = Option.isNone(options.until) ? undefined : yield* sinceTime(options.until.value, Date.now())
    const answer = yield* client.request(
      "GET",
      `/api/hub/events${query({
        type: Option.getOrUndefined(options.type),
        workspaceId: yield* given(options.workspace, findWorkspace),
        actorId: yield* given(options.actor, findAgent),
        fromDate: since,
        until,
        limit: String(options.limit)
      })}`
    )
    output.data(
      rowsOf(answer.data, "items"),
      {
        columns: [
          { title: "TIME", isWhole: true, of: ({ timestamp }) => timeCell(timestamp, "second") },
          { title: "TYPE", of: (row) => cell(row["type"]) },
          { title: "SUBJECT", isWhole: true, isSecondary: true, of: ({ subjectId }) => cell(subjectId) },
          { title: "ID", isWhole: true, of: ({ id }) => textOf(id) }
        ],
        none: "No events in that time."
      },
      answer
    )
    if (answer.next !== undefined) output.note(moreText("events"))
  })
)

const tail = leaf(
  "tail",
  {
    summary: "Print each event as it happens, one line each (two on a narrow terminal), until Ctrl-C.",
    examples: ["pod events tail", "pod events tail --type entity.create", "pod events tail -o ndjson | jq .type"]
  },
  {
    type,
    workspace,
    since: Options.text("since").pipe(
      Options.withDescription("A position from an earlier stream: print the events after it."),
      Options.optional
    ),
    count: Options.integer("count").pipe(Options.withDescription("End after this many events."), Options.optional)
  },
  Effect.fnUntraced(function* (options) {
    const output = yield* Output
    const path = `/api/hub/events/stream${query({
      type: Option.getOrUndefined(options.type),
      workspaceId: yield* given(options.workspace, findWorkspace)
    })}`
    const events = followEvents(path, Option.getOrUndefined(options.since)).pipe(
      Stream.filter(({ event }) => event === "event")
    )
    yield* Stream.runForEach(
      Option.isNone(options.count) ? events : Stream.take(events, options.count.value),
      ({ data }) =>
        Effect.sync(() => output.item(fieldsOf(JSON.parse(data)), (event, columns) => eventText(event, { columns })))
    )
  })
)

const depthMax = 50
const pageMax = 200
const pagesMax = 10

/** Finds the first event in the chain of causes of an event. It follows the chain for at most 50 steps. */
const rootOf = Effect.fnUntraced(function* (event: Fields) {
  const client = yield* PodClient
  let root = event
  for (let depth = 0; depth < depthMax && textOf(root["causationId"]) !== ""; depth++) {
    const above = yield* Effect.option(client.procedure("events.get", { eventId: root["causationId"] }))
    // the caller is not allowed to read the cause, or the log does not have the cause
    if (Option.isNone(above)) break
    root = fieldsOf(above.value.data)
  }
  return root
})

/**
 * Reads the events since the time of the root event, page by page. It reads at most ten pages, because the log can be
 * long.
 */
const eventsSince = Effect.fnUntraced(function* (root: Fields) {
  const client = yield* PodClient
  const all: Array<Fields> = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const answer = yield* client.request(
      "GET",
      `/api/hub/events${query({ fromDate: textOf(root["timestamp"]), limit: String(pageMax), cursor })}`
    )
    all.push(...rowsOf(answer.data, "items"))
    if (answer.next === undefined) return { all, isWhole: true }
    cursor = answer.next
  }
  return { all, isWhole: false }
})

interface Branch {
  readonly event: Fields
  readonly causes: ReadonlyArray<Branch>
}

const treeOf = (event: Fields, all: ReadonlyArray<Fields>, depth = 0): Branch => ({
  event,
  causes:
    depth === depthMax
      ? []
      : all.filter(({ causationId }) => causationId === event["id"]).map((each) => treeOf(each, all, depth + 1))
})

const treeLines = (
  { causes, event }: Branch,
  eventId: string,
  columns: number | undefined,
  indent = ""
): ReadonlyArray<string> => [
  eventText(event, { columns, indent, mark: event["id"] === eventId ? "→ " : "" }),
  ...causes.flatMap((each) => treeLines(each, eventId, columns, `${indent}  `))
]

const trace = leaf(
  "trace",
  {
    summary: "Show what led to an event and what it caused, as a tree.",
    examples: ["pod events trace 0192f3ab-…", "pod events trace 0192f3ab-… --json"]
  },
  { event: Args.text({ name: "event" }).pipe(Args.withDescription("The id of an event or of a decision.")) },
  Effect.fnUntraced(function* ({ event: id }) {
    if (!isObjectId(id)) {
      return yield* notFound(`There is no event ${JSON.stringify(id)}.`, "To see the events, run `pod events list`.")
    }
    const client = yield* PodClient
    const output = yield* Output
    const answer = yield* client.procedure("events.get", { eventId: id })
    const root = yield* rootOf(fieldsOf(answer.data))
    const { all, isWhole } = yield* eventsSince(root)
    const tree = treeOf(root, all.toReversed())
    output.data(tree, { text: (found, columns) => treeLines(found, id, columns).join("\n") }, answer)
    if (!isWhole)
      output.note(
        `There are more events than this command reads. The tree has only events from the latest ${all.length} events.`
      )
  })
)

export const events = group("events", "List and watch what happened in the pod, and trace its causes.", [
  list,
  tail,
  trace
])
