/** `pod get`, `create`, `search` and `ask`: short commands for the records of the pod. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Either, Option } from "effect"
import { isObjectId } from "../../shared/operationOfRoute.ts"
import { didYouMean } from "../ChosenRow.ts"
import { badUsage, notFound } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"
import { type Fields, fieldsOf, isFields, rowsOf, textOf } from "../AnswerFields.ts"
import { findWorkspace, idFrom } from "../Lookups.ts"
import { cell, moreText, Output, timeCell } from "../Output.ts"
import { escapeInvisible } from "../../shared/visibleText.ts"
import { PodClient } from "../PodClient.ts"
import { jsonFrom } from "./api.ts"

/** The REST path of each record type that has a path of its own. */
const pathOf: Readonly<Record<string, string>> = {
  entity: "entities",
  document: "documents",
  project: "projects",
  proposal: "proposals",
  channel: "channels",
  thread: "threads",
  view: "views",
  track: "tracks",
  profile: "profiles",
  command: "commands",
  brand: "brands",
  skill: "skills",
  workspace: "workspaces"
}

const limit = Options.integer("limit").pipe(
  Options.withAlias("n"),
  Options.withDescription("The largest number of records to list."),
  Options.withDefault(20)
)

const recordText = (data: unknown): string => {
  const { title, name, ...others } = fieldsOf(data)
  const lines = Object.entries(others).flatMap(([field, value]) =>
    value === null || value === undefined || (isFields(value) && Object.keys(value).length === 0)
      ? []
      : [`  ${field.padEnd(14)} ${cell(value, 160)}`]
  )
  return [cell(title ?? name, 160), ...lines].join("\n")
}

/**
 * Fails if no entity kind with this slug exists for the caller, and suggests similar kinds. Does nothing if the caller
 * is not allowed to list the kinds, because the command then cannot check the slug.
 */
const refuseUnknownKind = Effect.fnUntraced(function* (slug: string) {
  const client = yield* PodClient
  const answer = yield* Effect.either(client.request("GET", "/api/hub/profiles?limit=1000"))
  if (Either.isLeft(answer)) return
  const slugs = rowsOf(answer.right.data, "items", "profiles").map((profile) => textOf(profile["slug"]))
  if (slugs.includes(slug)) return
  return yield* notFound(
    `There is no kind ${JSON.stringify(slug)}.`,
    `${didYouMean(slugs, slug)}To see the kinds, run \`pod api GET /api/hub/profiles\`.`
  )
})

export const get = leaf(
  "get",
  {
    summary: "Read a record by its id, or list the entities of a kind.",
    examples: ["pod get 0192f3ab-…", "pod get note --limit 5", "pod get task --json"]
  },
  {
    what: Args.text({ name: "id or kind" }).pipe(
      Args.withDescription("The id of a record, or a kind of entity such as note.")
    ),
    limit
  },
  Effect.fnUntraced(function* ({ limit, what }) {
    const client = yield* PodClient
    const output = yield* Output
    if (isObjectId(what)) {
      const type = textOf(fieldsOf((yield* client.request("GET", `/api/hub/resolve/${what}`)).data)["type"])
      const path = pathOf[type] ?? (type === "unknown" || type === "" ? undefined : "entities")
      if (path === undefined) return yield* notFound(`No record that you may read has the id ${what}.`)
      const answer = yield* client.request("GET", `/api/hub/${path}/${what}`)
      return output.data(answer.data, { text: recordText }, answer)
    }
    const answer = yield* client.request(
      "GET",
      `/api/hub/entities?profileSlug=${encodeURIComponent(what)}&limit=${limit}`
    )
    const rows = rowsOf(answer.data, "items", "entities")
    if (rows.length === 0) yield* refuseUnknownKind(what)
    output.data(
      rows,
      {
        columns: [
          { title: "ID", isWhole: true, of: ({ id }) => textOf(id) },
          { title: "TITLE", of: ({ title }) => cell(title) },
          { title: "CHANGED", isWhole: true, of: ({ updatedAt }) => timeCell(updatedAt) }
        ],
        none: `There is no entity of the kind ${what} that you may read.`
      },
      answer
    )
    if (answer.next !== undefined) output.note(moreText("entities"))
  })
)

const pair = (text: string) => {
  const at = text.indexOf("=")
  if (at < 1)
    return Effect.fail(badUsage(`${JSON.stringify(text)} is not a property.`, "Write a property as name=value."))
  const value = text.slice(at + 1)
  // A value that looks like a number, `true`, `false`, `null`, a list or an object is parsed as JSON. Every other value
  // is a text.
  const isJson = /^(?:-?\d+(?:\.\d+)?|true|false|null|[[{].*)$/.test(value)
  return Effect.map(isJson ? jsonFrom(value) : Effect.succeed(value), (read) => [text.slice(0, at), read] as const)
}

export const create = leaf(
  "create",
  {
    summary: "Create an entity. A write of an agent might wait for approval. Then `data.status` is `proposed`.",
    examples: [
      'pod create note "Call the roofer"',
      'pod create task "Fix the gate" --set priority=high --description "It squeaks."',
      'pod create note "Call the roofer" --require-applied'
    ]
  },
  {
    kind: Args.text({ name: "kind" }).pipe(Args.withDescription("A kind of entity, such as note or task.")),
    title: Args.text({ name: "title" }).pipe(Args.withDescription("The title of the entity.")),
    description: Options.text("description").pipe(Options.withDescription("The text of the entity."), Options.optional),
    workspace: Options.text("workspace").pipe(
      Options.withDescription("The workspace of the entity, by id or name."),
      Options.optional
    ),
    set: Options.text("set").pipe(
      Options.withDescription("A property as name=value; may be repeated."),
      Options.repeated
    )
  },
  Effect.fnUntraced(function* (options) {
    const client = yield* PodClient
    const output = yield* Output
    const properties = Object.fromEntries(yield* Effect.forEach(options.set, pair))
    const workspaceId = Option.isNone(options.workspace)
      ? undefined
      : yield* idFrom(options.workspace.value, findWorkspace)
    const draft = {
      profileSlug: options.kind,
      title: options.title,
      ...(Option.isNone(options.description) ? {} : { description: options.description.value }),
      ...(workspaceId === undefined ? {} : { workspaceId }),
      ...(options.set.length === 0 ? {} : { properties })
    }
    const answer = yield* Effect.tapError(client.request("POST", "/api/hub/entities", draft), ({ faultyFields }) =>
      faultyFields?.includes("profileSlug") === true ? refuseUnknownKind(options.kind) : Effect.void
    )
    const entity = fieldsOf(answer.data)
    const isProposed = entity["status"] === "proposed"
    output.data(
      entity,
      {
        text: () =>
          isProposed
            ? `Waits for approval: proposal ${textOf(entity["proposalId"])}`
            : textOf(fieldsOf(entity["entity"])["id"]) || textOf(entity["id"])
      },
      answer
    )
  })
)

const words = Args.text({ name: "question" }).pipe(Args.withDescription("The words of the question."), Args.atLeast(1))

const foundIn = (data: unknown): ReadonlyArray<Fields> =>
  rowsOf(fieldsOf(data)["answers"]).flatMap(({ items }) => rowsOf(items))

export const search = leaf(
  "search",
  {
    summary: "Find records by a question or by words.",
    examples: ['pod search "where is the spare key?"', "pod search roof type:task after:2026", "pod search key --json"]
  },
  { question: words, limit },
  Effect.fnUntraced(function* ({ limit, question }) {
    const client = yield* PodClient
    const output = yield* Output
    const answer = yield* client.request("POST", "/api/hub/knowledge/search", {
      query: question.join(" "),
      limit
    })
    const forPeople = (data: unknown) => {
      const items = foundIn(data)
      const { verdict } = fieldsOf(data)
      if (items.length === 0) return "No record that you may read was found."
      return [
        ...items.flatMap(({ id, snippet, title, type }) => [
          `${output.paint.bold(cell(title, 100))}  ${output.paint.dim(`${textOf(type)} ${textOf(id)}`)}`,
          ...(textOf(snippet) === "" ? [] : [`  ${cell(snippet, 200)}`])
        ]),
        ...(textOf(verdict) === "empty" ? [output.paint.dim("None of these has all of the words that matter.")] : [])
      ].join("\n")
    }
    output.data(answer.data, { text: forPeople }, answer)
  })
)

export const ask = leaf(
  "ask",
  {
    summary: "Ask a question; the answer cites its sources. Without a language model, only the sources are shown.",
    examples: ['pod ask "What did we decide about the release?"']
  },
  { question: words },
  Effect.fnUntraced(function* ({ question }) {
    const client = yield* PodClient
    const output = yield* Output
    const answer = yield* client.request("POST", "/api/hub/knowledge/answer", { question: question.join(" ") })
    output.data(
      answer.data,
      {
        text: (data) => {
          const { answer: text, error, sources } = fieldsOf(data)
          const sourceLines = rowsOf(sources).map(
            ({ id, title }, at) => `  [${at + 1}] ${cell(title, 100)}  ${output.paint.dim(textOf(id))}`
          )
          // If there is no source, this sentence replaces the message of the pod about the missing model. That message
          // says that the answer has sources.
          if (textOf(text) === "" && sourceLines.length === 0) return "No record that you may read answers this."
          const first =
            textOf(text) === "" ? textOf(error) || "There is no written answer." : escapeInvisible(textOf(text))
          return [first, ...(sourceLines.length === 0 ? [] : ["Sources", ...sourceLines])].join("\n")
        }
      },
      answer
    )
  })
)
