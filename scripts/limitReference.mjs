/**
 * Makes the body of docs/reference/limits.md from the settings, the constants of the sources and the schemas of
 * operations.
 */
import { code, table } from "./markdown.mjs"
import { load } from "./sources.mjs"
import { constantsOf, numberIn, sourceOf } from "./sourceTree.mjs"

const stop = (problem) => {
  process.stderr.write(`scripts/limitReference.mjs: ${problem}\n`)
  process.exit(1)
}

const number = (value) => value.toLocaleString("en-US")
const plural = (count, unit) => `${number(count)} ${unit}${count === 1 ? "" : "s"}`

const steps = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"]
]
const seconds = (count) => {
  const [size, unit] = steps.find(([step]) => count >= step && count % step === 0) ?? [1, "second"]
  return plural(count / size, unit)
}
const milliseconds = (count) => seconds(count / 1000)
const bytes = (count) => (count >= 1024 * 1024 ? `${number(count / 1024 / 1024)} MB` : `${number(count / 1024)} kB`)
const of = (unit) => (count) => plural(count, unit)

/**
 * Limits that are constants in the sources. Each entry has the meaning of the limit, the file below src/, the name of
 * the constant, and the function that writes its number for people.
 */
const constants = {
  Requests: [
    ["Body of an operation that needs no credential", "surfaces/RestCall.ts", "publicBodyBytes", bytes],
    ["Values and names in one body", "surfaces/Json.ts", "valuesMax", number],
    ["Levels of nesting in one body", "surfaces/Json.ts", "depthMax", number],
    ["Characters of a field with free JSON, texts and names together", "doors/Fields.ts", "textMax", number],
    ["Values and names in a field with free JSON", "doors/Fields.ts", "valuesMax", number],
    ["Levels of nesting in a field with free JSON", "doors/Fields.ts", "depthMax", number],
    ["URL of a procedure", "surfaces/TrpcInput.ts", "urlLengthMax", of("character")],
    ["Messages in one batch of MCP", "surfaces/McpGuard.ts", "batchMax", number],
    ["`offset` of a list; go further with `cursor`", "doors/PageFields.ts", "offsetMax", number],
    ["Records in one answer together; then 400", "platform/ResultSize.ts", "resultBytesMax", bytes],
    ["The largest number that a count returns, even if there are more records", "doors/Page.ts", "countedMax", number],
    ["How long a repeated `Idempotency-Key` gets the first answer", "doors/Idempotency.ts", "keptMs", milliseconds]
  ],
  "At the same time": [
    ["Open streams of one credential", "doors/Streams.ts", "streamsMax", number],
    ["Open streams of one person, in each process", "doors/Streams.ts", "streamsOfPersonMax", number],
    [
      "Answers of the OpenAI routes for one credential, in each process",
      "features/chat/OpenAnswers.ts",
      "answersMax",
      number
    ],
    ["Statements of one credential that wait for the database", "platform/FairShare.ts", "waitingMax", number]
  ],
  Time: [
    ["A statement of the database", "platform/PostgresSession.ts", "timeoutMs", milliseconds],
    [
      "The wait for a turn at the database; then 503 with `Retry-After`",
      "platform/FairShare.ts",
      "waitWithinMs",
      milliseconds
    ],
    ["An answer that its client does not read", "surfaces/Connections.ts", "unreadAnswerTimeoutMs", milliseconds],
    ["Running requests when the pod stops", "surfaces/GracefulClose.ts", "drainMs", milliseconds],
    ["A proposal waits for a decision", "features/proposals/Proposal.ts", "lifetimeDays", of("day")],
    ["A rotated key stays valid beside its successor", "features/keys/Keys.ts", "overlapMax", seconds],
    ["Notifications are kept", "features/notifications/NotificationStore.ts", "keptDays", of("day")],
    ["Age of the events that `webhooks.replay` sends", "features/webhooks/Replays.ts", "replayDaysMax", of("day")],
    [
      "Pause that a webhook's receiver asks for with `Retry-After`",
      "features/webhooks/Delivery.ts",
      "retryAfterMax",
      seconds
    ]
  ],
  "Keys and grants": [
    ["Permissions of a grant", "features/grants/Grant.ts", "permissionsMax", number],
    ["Workspaces, and projects, of a grant", "features/grants/Grant.ts", "idsMax", number],
    ["Single records of a grant", "features/grants/Grant.ts", "objectsMax", number],
    ["Parts of a permission", "features/grants/Permission.ts", "segmentsMax", number]
  ],
  Records: [
    ["Content of a document", "features/documents/Document.ts", "contentMax", of("character")],
    ["A stored file", "features/attachments/StoredFiles.ts", "sizeMax", bytes],
    ["A picture", "features/attachments/ImageBytes.ts", "imageMax", bytes],
    [
      "Records to which the properties of an entity refer in one write",
      "features/entities/EntityRules.ts",
      "namedMax",
      number
    ],
    ["Options of one property of a profile", "features/profiles/PropertyRules.ts", "optionsMax", number],
    ["Pattern of a property", "features/profiles/LinearPattern.ts", "patternMax", of("character")],
    ["Widgets of one view", "features/views/View.ts", "widgetsMax", number],
    ["Messages of one request", "features/conversations/Message.ts", "batchMax", number]
  ],
  "Search and graph": [
    ["A question", "features/retrieval/RetrievalRequest.ts", "questionMax", of("character")],
    ["Phrases of a question", "features/search/text/Question.ts", "phrasesMax", number],
    ["Distance of a traversal of the graph, in relations", "features/graph/GraphNode.ts", "depthMax", number],
    ["Token budget of `svc_ask` and `svc_find`", "features/retrieval/RetrievalTools.ts", "budgetMax", of("token")]
  ],
  "Rules and webhooks": [
    ["Runs of one rule in a minute", "features/automations/Firing.ts", "runsPerMinute", number],
    ["Runs in a chain of rules that start each other", "features/automations/Firing.ts", "depthMax", number],
    ["Attempts of one run", "features/automations/Firing.ts", "attemptsMax", number],
    ["Steps of a rule", "features/automations/Steps.ts", "stepsMax", number],
    ["Calls of one webhook at the same time", "features/webhooks/CallStore.ts", "callsOfWebhookMax", number],
    [
      "Calls of all webhooks of one person at the same time",
      "features/webhooks/PersonCalls.ts",
      "callsOfPersonMax",
      number
    ],
    ["Attempts of a delivery that are shown", "features/webhooks/Delivery.ts", "attemptsKept", number]
  ]
}

const rowOf = ([what, file, name, shown]) => {
  const init = constantsOf(sourceOf(file)).get(name)
  const value = init === undefined ? undefined : numberIn(init)
  if (value === undefined) stop(`src/${file} has no constant ${name} with a number`)
  return [what, shown(value), `\`${file}\``]
}

const settingNames = [
  "rateLimitPerMinute",
  "bodyLimitBytes",
  "batchLimit",
  "databasePoolMax",
  "searchMemoryBytes",
  "sessionSeconds"
]

const limitWords = { maxLength: "character", maxItems: "item", maxProperties: "field" }

/** Returns every limit of a field in the inputs of operations: the path of the field, the limit and the operation. */
const fieldLimits = (api, catalog) => {
  const found = []
  const walk = (schema, path, operation, depth) => {
    if (schema?.$ref !== undefined) return walk(referred(schema.$ref), path, operation, depth)
    if (schema === null || typeof schema !== "object" || depth > 8) return
    found.push(...limitsOf(schema).map((limit) => ({ path, operation, schema, limit })))
    for (const [name, part] of Object.entries(schema.properties ?? {})) {
      walk(part, path === "" ? name : `${path}.${name}`, operation, depth + 1)
    }
    walk(schema.items, `${path}[]`, operation, depth + 1)
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
      walk(part, path, operation, depth + 1)
    }
  }
  const referred = (ref) =>
    ref
      .slice(2)
      .split("/")
      .reduce((part, name) => part[name], api)
  const limitsOf = (schema) => [
    ...Object.entries(limitWords).flatMap(([name, unit]) => (name in schema ? [plural(schema[name], unit)] : [])),
    ...("maximum" in schema ? [`at most ${number(schema.maximum)}`] : [])
  ]
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path.replace("/api/hub/", "/")}`
      for (const given of operation.parameters ?? []) {
        const parameter = given.$ref === undefined ? given : referred(given.$ref)
        // The schema has no maximum for the page size, because the pod reduces a larger number and does not refuse it.
        // So the maximum is read from the description.
        const cutAt = /the pod returns at most (\d+)/.exec(
          parameter.description ?? parameter.schema.description ?? ""
        )?.[1]
        if (cutAt === undefined && parameter.name === "limit" && parameter.schema.maximum === undefined)
          stop(`the description of \`limit\` of ${name} has no maximum`)
        const cut = cutAt === undefined ? {} : { maximum: Number(cutAt) }
        walk({ ...parameter.schema, ...cut }, parameter.name, name, 0)
      }
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) walk(schema, "", name, 0)
    }
  }
  for (const { input, name } of catalog.operations) walk(input, "", name, 0)
  return found
}

const grouped = (items, keyOf) => {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

const shownMax = 3
const operationsOf = (items) => {
  const names = [...new Set(items.map(({ operation }) => operation))]
  const shown = names.slice(0, names.length === shownMax + 1 ? shownMax + 1 : shownMax).map(code)
  return names.length > shown.length ? `${shown.join(", ")} and ${names.length - shown.length} more` : shown.join(", ")
}

export const limitSections = async ({ api, catalog }) => {
  const [{ settingsTable }, { standardTimes }, { quotas }] = await load(
    "platform/settings/Settings.ts",
    "features/webhooks/Delivery.ts",
    "features/gate/Quota.ts"
  )
  const settings = settingNames.map((name) => settingsTable[name] ?? stop(`there is no setting ${name}`))
  const limits = fieldLimits(api, catalog)
  const isPage = ({ path, schema }) => path === "limit" && schema.maximum !== undefined
  const pages = grouped(limits.filter(isPage), ({ schema }) => `${schema.default} ${schema.maximum}`)
  const fields = grouped(
    limits.filter((limit) => !isPage(limit) && limit.path !== "offset" && limit.schema.maximum !== 2 ** 31 - 1),
    ({ limit, path }) => `${path} ${limit}`
  ).toSorted(([one], [other]) => (one.path < other.path ? -1 : 1))
  return [
    "## Settings",
    table(
      ["Setting", "Unless set", "What it limits"],
      settings.map(({ defaultText, doc, name }) => [code(name), code(defaultText.value ?? ""), doc])
    ),
    ...Object.entries(constants).flatMap(([title, members]) => [
      `## ${title}`,
      table(["What", "At most", "Constant in `src/`"], members.map(rowOf))
    ]),
    "## Quotas",
    "How many records one person can have, and how many proposals of one agent can wait. The pod refuses a further record with 403 and the code `QUOTA_REACHED`. Deleted, archived and ended records do not count.",
    table(
      ["What", "At most", "Counted for"],
      Object.values(quotas)
        .toSorted((one, other) => (one.what < other.what ? -1 : 1))
        .map(({ max, owner, what }) => [
          `${what[0].toUpperCase()}${what.slice(1)}`,
          number(max),
          owner === "person" ? "a person" : "an agent"
        ])
    ),
    "## Webhook calls",
    `The receiver has ${standardTimes.timeout} to answer a call. The pod repeats a failed call after ${standardTimes.schedule.join(", ")}. A webhook whose calls failed for ${standardTimes.disableAfter} is stopped. After a rotation, the former secret still signs for ${standardTimes.formerSecret}.`,
    "## Pages",
    table(
      ["At most", "Without `limit`", "Operations"],
      pages
        .toSorted(([one], [other]) => one.schema.maximum - other.schema.maximum)
        .map((group) => [
          number(group[0].schema.maximum),
          group[0].schema.default === undefined ? "" : number(group[0].schema.default),
          [...new Set(group.map(({ operation }) => code(operation)))].join(", ")
        ])
    ),
    "## Fields",
    "The limits of single fields. `[]` marks the items of a list. Texts are counted in UTF-16 units.",
    table(
      ["Field", "At most", "Operations"],
      fields.map((group) => [code(group[0].path), group[0].limit.replace("at most ", ""), operationsOf(group)])
    )
  ].join("\n\n")
}
