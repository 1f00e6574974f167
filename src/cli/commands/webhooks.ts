/** `pod webhooks`: the webhooks that the pod calls, and the deliveries that failed. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { badUsage } from "../CliFailure.ts"
import { group, leaf } from "../CommandTree.ts"
import { type Fields, fieldsOf, rowsOf, textOf, textsOf } from "../AnswerFields.ts"
import { chosenRow } from "../ChosenRow.ts"
import { allOf, listOf } from "../Lookups.ts"
import { cell, moreText, Output, shortId, timeCell } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { sinceTime } from "../SinceTime.ts"

const webhookArgument = Args.text({ name: "webhook" }).pipe(
  Args.withDescription("The id of the webhook, its beginning, or its name.")
)

const find = (idOrName: string) =>
  Effect.flatMap(allOf("webhooks.list"), (rows) =>
    chosenRow(rows, idOrName, {
      idOf: ({ id }) => textOf(id),
      nameOf: ({ name }) => textOf(name),
      noun: "webhook",
      list: "pod webhooks list"
    })
  )

const list = leaf(
  "list",
  { summary: "List your webhooks.", examples: ["pod webhooks list"] },
  {},
  Effect.fnUntraced(function* () {
    const output = yield* Output
    const { meta, rows } = yield* listOf("webhooks.list")
    output.data(
      rows,
      {
        columns: [
          { title: "ID", isWhole: true, of: ({ id }) => shortId(id) },
          { title: "NAME", of: ({ name }) => cell(name) },
          {
            title: "STATE",
            of: ({ active, disabledReason }) => (active === true ? "active" : `off: ${cell(disabledReason, 30)}`)
          },
          { title: "TYPES", isSecondary: true, of: ({ eventTypes }) => cell(textsOf(eventTypes).join(", ")) },
          { title: "URL", of: ({ url }) => cell(url) }
        ],
        none: "No webhooks."
      },
      meta
    )
  })
)

const test = leaf(
  "test",
  { summary: "Send a test event to a webhook.", examples: ["pod webhooks test slack"] },
  { webhook: webhookArgument },
  Effect.fnUntraced(function* ({ webhook }) {
    const client = yield* PodClient
    const output = yield* Output
    const { id } = yield* find(webhook)
    const answer = yield* client.procedure("webhooks.test", { id })
    output.data(
      answer.data,
      { text: () => `The pod is sending the test event. To see the result: pod webhooks deliveries ${shortId(id)}` },
      answer
    )
  })
)

const isFailed = ({ status }: Fields): boolean => status === "failed"

const pageMax = 100
const pagesMax = 20

/**
 * Reads the latest deliveries that failed. The pod lists deliveries of every status, so the function reads page after
 * page until it has found enough of them.
 */
const failedDeliveries = Effect.fnUntraced(function* (path: string, query: URLSearchParams, limit: number) {
  const client = yield* PodClient
  const pages = new URLSearchParams(query)
  pages.set("limit", String(pageMax))
  const rows: Array<Fields> = []
  let requestId: string | undefined
  for (let page = 0; page < pagesMax && rows.length < limit; page++) {
    const answer = yield* client.request("GET", `${path}?${pages.toString()}`)
    rows.push(...rowsOf(answer.data, "items").filter(isFailed))
    requestId = answer.requestId
    if (answer.next === undefined)
      return { rows: rows.slice(0, limit), meta: { requestId }, hasMore: rows.length > limit }
    pages.set("cursor", answer.next)
  }
  return { rows: rows.slice(0, limit), meta: { requestId }, hasMore: true }
})

const latestDeliveries = Effect.fnUntraced(function* (path: string, query: URLSearchParams, limit: number) {
  const client = yield* PodClient
  const answer = yield* client.request("GET", `${path}?${query.toString()}&limit=${limit}`)
  return { rows: rowsOf(answer.data, "items"), meta: answer, hasMore: answer.next !== undefined }
})

const deliveries = leaf(
  "deliveries",
  {
    summary: "List the latest deliveries of a webhook, with the answers.",
    examples: [
      "pod webhooks deliveries slack",
      "pod webhooks deliveries slack --failed --json",
      "pod webhooks deliveries slack --since 7d --until 1d"
    ]
  },
  {
    webhook: webhookArgument,
    failed: Options.boolean("failed").pipe(Options.withDescription("Only deliveries that failed.")),
    since: Options.text("since").pipe(
      Options.withDescription(
        "Only deliveries since this time: a duration before now, such as 30m, 1h or 7d, or a time."
      ),
      Options.optional
    ),
    until: Options.text("until").pipe(
      Options.withDescription(
        "Only deliveries until this time: a duration before now, such as 30m, 1h or 7d, or a time."
      ),
      Options.optional
    ),
    limit: Options.integer("limit").pipe(
      Options.withAlias("n"),
      Options.withDescription("The largest number of deliveries to list."),
      Options.withDefault(20)
    )
  },
  Effect.fnUntraced(function* ({ failed, limit, since, until, webhook }) {
    const output = yield* Output
    const query = new URLSearchParams()
    for (const [name, given] of Object.entries({ since, until })) {
      if (Option.isSome(given)) query.set(name, yield* sinceTime(given.value, Date.now()))
    }
    const { id } = yield* find(webhook)
    const read = failed ? failedDeliveries : latestDeliveries
    const { hasMore, meta, rows } = yield* read(`/api/hub/webhooks/${textOf(id)}/deliveries`, query, limit)
    output.data(
      rows,
      {
        columns: [
          { title: "TIME", isWhole: true, of: ({ createdAt }) => timeCell(createdAt, "second") },
          { title: "EVENT", isSecondary: true, of: ({ eventType }) => cell(eventType) },
          { title: "STATUS", isWhole: true, of: ({ status }) => textOf(status) },
          { title: "TRY", isWhole: true, isSecondary: true, of: ({ attempt }) => textOf(attempt) },
          { title: "ANSWER", of: ({ error, responseStatus }) => cell(responseStatus ?? error) },
          { title: "ID", isWhole: true, of: (row) => textOf(row["id"]) }
        ],
        none: "No deliveries."
      },
      meta
    )
    if (hasMore) output.note(moreText("deliveries"))
  })
)

const replay = leaf(
  "replay",
  {
    summary: "Repeat failed deliveries or one delivery, or send the events that a webhook did not get.",
    examples: [
      "pod webhooks replay slack --failed --since 1h",
      "pod webhooks replay slack --delivery 0192f3ab-…",
      "pod webhooks replay slack --missed --since 7d --type task.create"
    ]
  },
  {
    webhook: webhookArgument,
    failed: Options.boolean("failed").pipe(
      Options.withDescription("Repeat the deliveries that failed since the time of --since.")
    ),
    missed: Options.boolean("missed").pipe(
      Options.withDescription(
        "Send the events since the time of --since that the pod never sent, such as events during a pause."
      )
    ),
    delivery: Options.text("delivery").pipe(
      Options.withDescription("The id of one delivery to repeat."),
      Options.optional
    ),
    since: Options.text("since").pipe(
      Options.withDescription("The earliest time: a duration before now, such as 30m, 1h or 7d, or a time."),
      Options.withDefault("1h")
    ),
    type: Options.text("type").pipe(
      Options.withDescription("With --missed: send only events of this type, such as task.create; may be repeated."),
      Options.repeated
    )
  },
  Effect.fnUntraced(function* ({ delivery, failed, missed, since, type, webhook }) {
    if ([failed, missed, Option.isSome(delivery)].filter(Boolean).length !== 1) {
      return yield* badUsage("Give one of `--failed`, `--missed` and `--delivery`.")
    }
    if (type.length > 0 && !missed) return yield* badUsage("Use `--type` only together with `--missed`.")
    const client = yield* PodClient
    const output = yield* Output
    const { id } = yield* find(webhook)
    if (Option.isSome(delivery)) {
      const answer = yield* client.procedure("webhooks.resend", { subscriptionId: id, deliveryId: delivery.value })
      return output.data(answer.data, { text: () => "The pod repeats the delivery." }, answer)
    }
    const from = yield* sinceTime(since, Date.now())
    const answer = yield* client.procedure(failed ? "webhooks.recover" : "webhooks.replay", {
      id,
      since: from,
      ...(type.length === 0 ? {} : { eventTypes: type })
    })
    const text = (data: unknown) =>
      failed
        ? `${textOf(fieldsOf(data)["count"])} deliveries are repeated.`
        : "The pod will send the missed events. To see the results: pod webhooks deliveries."
    output.data(answer.data, { text }, answer)
  })
)

export const webhooks = group("webhooks", "Webhooks: calls that the pod makes to other servers.", [
  list,
  test,
  deliveries,
  replay
])
