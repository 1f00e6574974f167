/**
 * Writes docs/reference/ and the page of errors from the declarations. With --check, writes nothing and only checks
 * whether the pages are up to date.
 */
import { eventSections } from "./eventReference.mjs"
import { committedOrWritten } from "./generated.mjs"
import { limitSections } from "./limitReference.mjs"
import { code, table } from "./markdown.mjs"
import { load } from "./sources.mjs"

const [
  { describeApi, describeCatalog },
  { conflictCodes },
  { failureAnswers },
  { codeMeanings, failureMeanings },
  { mintableScopes, opensScope }
] = await load(
  "Description.ts",
  "doors/FailureCode.ts",
  "doors/FailureAnswer.ts",
  "doors/FailureReference.ts",
  "doors/Scope.ts"
)

const made = "This page is made from the declarations by scripts/references.mjs."

const page = (name, title, about, body) =>
  committedOrWritten(`docs/reference/${name}.md`, `# ${title}\n\n${about} ${made}\n\n${body}\n`)

const api = describeApi()
const catalog = describeCatalog()

const endpoints = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => operation.operationId !== undefined)
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation }))
)
const titles = new Map(api.tags.map(({ name, "x-displayName": title = name }) => [name, title]))

/** Returns the text of sections. Each group of items has a section with one table. */
const sections = (items, groupOf, titleOf, heads, rowOf) => {
  const groups = new Map()
  for (const item of items) groups.set(groupOf(item), [...(groups.get(groupOf(item)) ?? []), item])
  return [...groups]
    .map(([group, members]) => `## ${titleOf(group)}\n\n${table(heads, members.map(rowOf))}`)
    .join("\n\n")
}

page(
  "rest",
  "REST endpoints",
  "What each endpoint does, and what a key needs to call it: a scope, and permissions for the records it touches. The whole description is `/openapi.json`; with `?tag=` and the name of a group, such as `/openapi.json?tag=entities`, the answer has only this group.",
  sections(
    endpoints,
    ({ tags }) => tags[0],
    (group) => titles.get(group) ?? group,
    ["Endpoint", "What it does", "Scope", "Permissions"],
    ({ method, path, summary, "x-pod-scope": scope, "x-pod-permissions": permissions = [] }) => [
      `\`${method} ${path}\``,
      summary,
      code(scope),
      permissions.map(code).join(" ")
    ]
  )
)

const groupTitles = new Map(catalog.groups.map(({ name, title }) => [name, title]))
const isTool = ({ kind }) => kind === "tool"

page(
  "procedures",
  "tRPC procedures",
  "The procedures on `/trpc` (sign-in session) and `/api/hub/trpc` (key), and what a caller needs for each. Their types are `types/app-router.d.ts`.\n\nIf a listing has more rows, the cursor of the next page is beside `data`, as `result.nextCursor`. A link of a client can read the cursor there, for each call of a batch: `httpBatchLink` keeps the cursor, `httpBatchStreamLink` drops it. The header `X-Svc-Next-Cursor` is only for a request with one call. Under one `Idempotency-Key`, each call of a batch is a write of its own.\n\nThe header `x-workspace-id` names the workspace of every call whose input may have `workspaceId` and leaves it out; other calls ignore the header. An input that names another workspace, or null, is refused with 400.",
  sections(
    catalog.operations.filter((entry) => !isTool(entry)),
    ({ group }) => group,
    (group) => groupTitles.get(group) ?? group,
    ["Procedure", "Kind", "What it does", "Who may call it"],
    ({ name, kind, summary, door }) => [code(name), kind, summary, door]
  )
)

/** Every operation of the pod (REST, procedures and MCP tools), with what a caller needs for it. */
const doors = [
  ...endpoints.map(({ method, path, security = api.security, ...operation }) => ({
    surface: "REST",
    call: `${method} ${path}`,
    credentials: security.flatMap((way) => Object.keys(way)),
    scope: operation["x-pod-scope"] ?? null,
    permissions: operation["x-pod-permissions"] ?? []
  })),
  ...catalog.operations.map(({ name, credentials, scope, permissions, ...entry }) => ({
    surface: isTool(entry) ? "MCP" : "tRPC",
    call: name,
    credentials,
    scope,
    permissions
  }))
]
const credentialNames = { bearer: "a key", session: "a sign-in session", operator: "the local operator" }
const credentialsOf = ({ credentials }) =>
  credentials.length === 0 ? "none: everybody" : credentials.map((name) => credentialNames[name] ?? name).join(" or ")
const doorHeading = (door) =>
  door.scope === null ? `Without a scope: ${credentialsOf(door)}` : `Scope ${code(door.scope)}`

/** Returns the other scopes whose operations a scope opens too. */
const alsoOpenedBy = (scope) => mintableScopes.filter((other) => other !== scope && opensScope([scope], other))
/** The scopes that no operation names. Such a scope opens the operations of another scope. */
const otherNames = mintableScopes.flatMap((scope) =>
  doors.some((door) => door.scope === scope)
    ? []
    : alsoOpenedBy(scope).map((other) => ({
        heading: `Scope ${code(scope)}`,
        text: `Opens the same as the scope ${code(other)}.`
      }))
)
const doorsUnder = (heading) =>
  doors.filter(
    (door) =>
      doorHeading(door) === heading ||
      (door.scope !== null &&
        mintableScopes.some((scope) => heading === `Scope ${code(scope)}` && alsoOpenedBy(scope).includes(door.scope)))
  )

page(
  "doors",
  "Doors",
  "Which credential, scope and permission opens which operation. Find what you want to call, and give the key the scope of its section and the permissions of its row; `pod keys check` asks a pod about one key. A session of a person needs no scope and no permission. The permission `*` is a grant without limits.",
  [...new Set([...doors.map(doorHeading), ...otherNames.map(({ heading }) => heading)])]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((heading) => {
      const same = otherNames.find((other) => other.heading === heading)
      if (same !== undefined) return `## ${heading.replaceAll("`", "")}\n\n${same.text}`
      const members = doorsUnder(heading)
      const rows = new Map()
      for (const door of members) {
        const key = JSON.stringify([credentialsOf(door), door.permissions])
        rows.set(key, [...(rows.get(key) ?? []), door])
      }
      return `## ${heading.replaceAll("`", "")}\n\n${table(
        ["Credential", "Permissions", "Opens"],
        [...rows.values()].map((group) => [
          credentialsOf(group[0]),
          group[0].permissions.map(code).join(" "),
          ["REST", "tRPC", "MCP"]
            .flatMap((surface) => {
              const calls = group.filter((door) => door.surface === surface).map(({ call }) => code(call))
              return calls.length === 0 ? [] : [`${surface}: ${calls.join(", ")}`]
            })
            .join("; ")
        ])
      )}`
    })
    .join("\n\n")
)

/** Returns the meaning of an argument. If the argument can be null, each alternative has its own meaning. */
const meaningOf = ({ anyOf = [], description }) =>
  description ??
  anyOf.map(({ description: meaning = "", type }) => (type === "null" ? `\`null\`: ${meaning}` : meaning)).join(" ")

const inputs = ({ input }) =>
  Object.entries(input?.properties ?? {}).map(([name, schema]) => {
    const isNeeded = (input.required ?? []).includes(name)
    return `- \`${name}\`${isNeeded ? " (required)" : ""}: ${meaningOf(schema)}`
  })

const strictSchemas = `## Strict schemas

The strict mode of OpenAI accepts a tool only if each object in its schema requires every property and allows no other. A client that uses this mode connects to \`/mcp?schemas=strict\`; a client that
starts a program uses \`pod mcp --strict-schemas\`. Every tool then has a strict schema, and the pod reads the arguments in this form:

| Argument | Ordinary form | Strict form |
|---|---|---|
| optional | left out | \`null\` |
| an object with fields of any name, such as \`properties\` | \`{"due":"2026-01-01"}\` | the JSON text of the object: \`"{\\"due\\":\\"2026-01-01\\"}"\` |
| a field that \`null\` clears, such as \`description\` of \`svc_update_entity\` | \`"words"\`, or \`null\` to clear it | \`{"value":"words"}\`, \`{"value":null}\` to clear it, or \`null\` to leave it as it is |

The results are the same. The address decides for each request, so send calls to the address from which you listed the tools. In the ordinary form \`null\` for an optional argument counts as absent too, also
in nested objects, except where it clears a field; JSON text in place of an object is refused. Use the strict form only with the strict mode: models write objects more reliably than JSON text.

\`\`\`python
# OpenAI Agents SDK
pod = MCPServerStreamableHttp(params={"url": "http://localhost:8787/mcp?schemas=strict", "headers": {"Authorization": f"Bearer {key}"}})
agent = Agent(name="Assistant", mcp_servers=[pod], mcp_config={"convert_schemas_to_strict": True})
\`\`\``

page(
  "mcp-tools",
  "MCP tools",
  "The tools that `/mcp` offers to a key. A client is shown only those that its key may call.",
  `${strictSchemas}\n\n${catalog.operations
    .filter(isTool)
    .map((tool) => {
      const needs = [
        ...(tool.scope === null ? [] : [`scope ${code(tool.scope)}`]),
        ...tool.permissions.map((permission) => `permission ${code(permission)}`)
      ]
      return [
        `## ${tool.name}`,
        tool.summary,
        needs.length === 0 ? "" : `Needs ${needs.join(", ")}.`,
        inputs(tool).join("\n")
      ]
        .filter(Boolean)
        .join("\n\n")
    })
    .join("\n\n")}`
)

/** Every failure with its status, and after them the codes that distinguish failures with the same status. */
const failures = Object.entries(failureAnswers)
  .map(([name, { status }]) => ({ name, status, meaning: failureMeanings[name] }))
  .sort((one, other) => one.status - other.status)
const codes = Object.entries(codeMeanings).map(([name, meaning]) => ({ name, meaning }))
const codeParts = [
  { title: "Codes of 403", members: codes.filter(({ name }) => !(name in conflictCodes)) },
  { title: "Codes of 409", members: codes.filter(({ name }) => name in conflictCodes) }
]
const aboutErrors =
  "Every failure is a JSON object with a text `error` for people; `code` or `reason` is for programs, and `docs` leads to its place on `/docs/errors`."

page(
  "errors",
  "Errors",
  aboutErrors,
  [
    table(
      ["Status", "Failure", "What it means"],
      failures.map(({ meaning, name, status }) => [String(status), name, meaning])
    ),
    ...codeParts.map(
      ({ members, title }) =>
        `## ${title}\n\n${members.map(({ meaning, name }) => `### ${name}\n\n${meaning}`).join("\n\n")}`
    )
  ].join("\n\n")
)

page(
  "events",
  "Events",
  "Every type of event that the pod writes, what it says, the fields of its `data`, and the operations that write it. `?` marks a field that is not always there. The fields that all events have are in the schema `Event` of `/openapi.json`; how to follow the log: [streams](../guides/webhooks-and-streams.md#streams). Nobody else can log these types (`events.log` refuses them).",
  await eventSections({ catalog, endpoints })
)

page(
  "limits",
  "Limits",
  "What a call may ask for at most, from the settings, the constants and the schemas of the code. A call beyond a limit is refused and changes nothing, unless the line says otherwise. Limits of the model services are in the [settings](../configuration.md).",
  await limitSections({ catalog, api })
)

const html = (text) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/`([^`]*)`/g, "<code>$1</code>")
const part = (title, members) => `      <section>
        <h2>${title}</h2>
        <dl>
${members
  .map(
    ({ meaning, name, status }) => `          <dt id="${name}">${name}${status === undefined ? "" : ` · ${status}`}</dt>
          <dd>${html(meaning)}</dd>`
  )
  .join("\n")}
        </dl>
      </section>`

committedOrWritten(
  "pages/errors.html",
  `<!doctype html>
<!-- Made from the declarations by scripts/references.mjs. -->
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Errors · Pod</title>
    <link rel="icon" href="../assets/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="../assets/page.css" />
    <link rel="stylesheet" href="../assets/errors.css" />
  </head>
  <body>
    <header class="bar">
      <a class="brand" href="../"><img src="../assets/icon.svg" alt="" />Pod</a>
      <a href="../docs">API reference</a>
    </header>
    <main class="errors">
      <h1>Errors</h1>
      <p>${html(aboutErrors)}</p>
${[part("Failures", failures), ...codeParts.map(({ members, title }) => part(title, members))].join("\n")}
    </main>
  </body>
</html>
`
)
