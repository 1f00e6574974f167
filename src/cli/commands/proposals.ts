/** `pod proposals`: shows field by field what agents want to change, and lets a person decide. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Stream } from "effect"
import { notFound } from "../CliFailure.ts"
import { group, leaf, leafThatAsks } from "../CommandTree.ts"
import { type Fields, fieldsOf, rowsOf, textOf } from "../AnswerFields.ts"
import { cell, moreText, Output, type Paint, shortId, timeCell } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { proposalNames } from "../ProposalNames.ts"
import { proposalLine, proposalText } from "../ProposalText.ts"
import { followEvents } from "../PodEvents.ts"

const proposalArgument = Args.text({ name: "proposal" }).pipe(
  Args.withDescription("The id of the proposal, or its first characters.")
)
const pathOf = (id: string) => `/api/hub/proposals/${encodeURIComponent(id)}`

/** Returns the path of the proposal that the person names. Fails if the text cannot be the beginning of an id. */
const proposalPath = (text: string) =>
  /^[0-9a-f-]{4,36}$/i.test(text)
    ? Effect.succeed(pathOf(text))
    : Effect.fail(
        notFound(`There is no proposal ${JSON.stringify(text)}.`, "To see the proposals, run `pod proposals list`.")
      )

const list = leaf(
  "list",
  {
    summary: "List proposals; only pending ones unless you set --status.",
    examples: ["pod proposals list", "pod proposals list --status all --json"]
  },
  {
    status: Options.choice("status", ["pending", "approved", "rejected", "expired", "all"]).pipe(
      Options.withDescription("The status of the proposals to list."),
      Options.withDefault("pending" as const)
    ),
    limit: Options.integer("limit").pipe(
      Options.withAlias("n"),
      Options.withDescription("The largest number of proposals to list."),
      Options.withDefault(50)
    )
  },
  Effect.fnUntraced(function* ({ limit, status }) {
    const client = yield* PodClient
    const output = yield* Output
    const answer = yield* client.request("GET", `/api/hub/proposals?status=${status}&limit=${limit}&view=basic`)
    output.data(
      rowsOf(answer.data, "proposals"),
      {
        columns: [
          { title: "ID", isWhole: true, of: ({ id }) => shortId(id) },
          { title: "MADE", isWhole: true, isSecondary: true, of: ({ createdAt }) => timeCell(createdAt) },
          { title: "STATUS", isWhole: true, of: (row) => textOf(row["status"]) },
          { title: "KIND", isSecondary: true, of: ({ proposalType }) => cell(proposalType) },
          { title: "WHAT", of: ({ summary }) => cell(summary) }
        ],
        none: status === "pending" ? "No proposals wait for you." : "There are no proposals with this status."
      },
      answer
    )
    if (answer.next !== undefined) output.note(moreText("proposals"))
  })
)

/** Writes a proposal as a text for people, with the names of its maker, its workspace and its key. */
const textWithNames = (proposal: Fields, paint: Paint, max?: number) =>
  Effect.map(proposalNames(proposal), (names) => proposalText(proposal, names, paint, max))

/** What a person can do next about a proposal that waits. Undefined if it does not wait. */
const nextStep = (proposal: Fields): string | undefined => {
  if (textOf(proposal["status"]) !== "pending") return undefined
  const id = shortId(proposal["id"])
  const reject = `pod proposals reject ${id} --reason "…"`
  return rowsOf(proposal["conflicts"]).length === 0
    ? `To decide: pod proposals approve ${id}, or ${reject}`
    : `Choose the value of each field on the page Inbox of the console, or reject the proposal: ${reject}`
}

const show = leaf(
  "show",
  {
    summary: "Show one proposal: every field that would change.",
    examples: ["pod proposals show 0192f3ab", "pod proposals show 0192f3ab --json"]
  },
  { proposal: proposalArgument },
  Effect.fnUntraced(function* ({ proposal }) {
    const client = yield* PodClient
    const output = yield* Output
    const answer = yield* client.request("GET", yield* proposalPath(proposal))
    const shown = output.format === "table" ? yield* textWithNames(fieldsOf(answer.data), output.paint) : ""
    output.data(answer.data, { text: () => shown }, answer)
    const next = nextStep(fieldsOf(answer.data))
    if (next !== undefined) output.note(next)
  })
)

// `approve` and `reject` both ask, even though the person has typed the id. An id says nothing about the change, and
// its first characters can belong to another proposal. So the command shows the proposal before the person decides.
const confirmation = { because: "a person decides about a proposal, and only once" }

const approve = leafThatAsks(
  "approve",
  {
    summary: "Show a proposal, and approve exactly the content that is shown; the pod applies it once.",
    confirmation,
    examples: ["pod proposals approve 0192f3ab", "pod proposals approve 0192f3ab --yes --json"]
  },
  { proposal: proposalArgument },
  Effect.fnUntraced(function* ({ proposal }, ask) {
    const client = yield* PodClient
    const output = yield* Output
    const seen = fieldsOf((yield* client.request("GET", yield* proposalPath(proposal))).data)
    // Shows every character of the proposal to the person who approves it.
    output.note(yield* textWithNames(seen, output.paint, Infinity))
    yield* ask(`Approve “${cell(seen["summary"], 120)}”?`)
    // The hash identifies the content that the person saw, so the pod answers with a conflict if somebody has edited
    // the proposal since.
    const answer = yield* client.request("POST", `${pathOf(textOf(seen["id"]))}/approve`, {
      contentHash: seen["contentHash"]
    })
    output.data(answer.data, { text: (data) => `Approved; wrote ${textOf(fieldsOf(data)["primaryId"])}.` }, answer)
  })
)

const reject = leafThatAsks(
  "reject",
  {
    summary: "Show a proposal, and reject it. Its agent can read the reason.",
    confirmation,
    examples: [
      'pod proposals reject 0192f3ab --reason "We have one already."',
      'pod proposals reject 0192f3ab --reason "We have one already." --yes'
    ]
  },
  {
    proposal: proposalArgument,
    reason: Options.text("reason").pipe(
      Options.withDescription("The reason, which the agent can read."),
      Options.optional
    )
  },
  Effect.fnUntraced(function* ({ proposal, reason }, ask) {
    const client = yield* PodClient
    const output = yield* Output
    const seen = fieldsOf((yield* client.request("GET", yield* proposalPath(proposal))).data)
    output.note(yield* textWithNames(seen, output.paint))
    yield* ask(`Reject “${cell(seen["summary"], 120)}”?`)
    const answer = yield* client.request(
      "POST",
      `${pathOf(textOf(seen["id"]))}/reject`,
      Option.isNone(reason) ? {} : { reason: reason.value }
    )
    output.data(answer.data, { text: () => "Rejected." }, answer)
  })
)

const watch = leaf(
  "watch",
  {
    summary: "Print each proposal when it is made or decided, until Ctrl-C.",
    examples: ["pod proposals watch", "pod proposals watch -o ndjson | jq .summary"]
  },
  {},
  Effect.fnUntraced(function* () {
    const client = yield* PodClient
    const output = yield* Output
    const waiting = yield* client.request("GET", "/api/hub/proposals?status=pending&limit=200&view=basic")
    for (const proposal of rowsOf(waiting.data, "proposals").toReversed()) output.item(proposal, proposalLine)
    yield* followEvents("/api/hub/events/stream?entityType=proposal").pipe(
      Stream.filter(({ event }) => event === "event"),
      Stream.runForEach(
        Effect.fnUntraced(function* ({ data }) {
          const { subjectId } = fieldsOf(JSON.parse(data))
          if (textOf(subjectId) === "") return
          const found = yield* Effect.option(client.request("GET", pathOf(textOf(subjectId))))
          if (Option.isSome(found)) output.item(found.value.data, proposalLine)
        })
      )
    )
  })
)

export const proposals = group("proposals", "See what agents want to change, and approve or reject it.", [
  list,
  show,
  approve,
  reject,
  watch
])
