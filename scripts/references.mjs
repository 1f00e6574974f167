/** Writes docs/reference/ from the declarations; with --check only says whether the pages are up to date. */
import { committedOrWritten } from "./generated.mjs"
import { load } from "./sources.mjs"

const [{ describeApi, describeCatalog }, { conflictCodes, forbiddenCodes, grantDoorUnsupported }, { failureAnswers }] =
  await load("Description.ts", "doors/FailureCode.ts", "doors/FailureAnswer.ts")

const made = "This page is made from the declarations by scripts/references.mjs."

/** A cell of a table: one line, and no bar that would end it. */
const cell = (text) =>
  String(text)
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ")
const code = (text) => (text === null || text === undefined || text === "" ? "" : `\`${text}\``)
const table = (heads, rows) =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

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

/** One section for each group, with one table. */
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
  "What each endpoint does, and what a key needs to call it: a scope, and permissions for the records it touches. The whole description is `/openapi.json`.",
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
  "Procedures on `/trpc` (sign-in session) and `/api/hub/trpc` (key), with what it takes to call each. Their types are `types/app-router.d.ts`.",
  sections(
    catalog.operations.filter((entry) => !isTool(entry)),
    ({ group }) => group,
    (group) => groupTitles.get(group) ?? group,
    ["Procedure", "Kind", "What it does", "Who may call it"],
    ({ name, kind, summary, door }) => [code(name), kind, summary, door]
  )
)

const inputs = ({ input }) =>
  Object.entries(input?.properties ?? {}).map(([name, { description = "" }]) => {
    const isNeeded = (input.required ?? []).includes(name)
    return `- \`${name}\`${isNeeded ? " (required)" : ""}: ${description}`
  })

page(
  "mcp-tools",
  "MCP tools",
  "The tools that `/mcp` offers to a key. A client is shown only those that its key may call.",
  catalog.operations
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
    .join("\n\n")
)

const statuses = Object.entries(failureAnswers).map(([tag, { status }]) => [String(status), tag])
const anchored = (meanings) =>
  Object.entries(meanings)
    .map(([name, meaning]) => `### ${name}\n\n${meaning}`)
    .join("\n\n")

page(
  "errors",
  "Errors",
  "Every failure is a JSON object with a text `error` for people; `code` or `reason` is for programs.",
  [
    table(
      ["Status", "Failure"],
      statuses.sort(([one], [other]) => (one < other ? -1 : 1))
    ),
    "## Codes of 403",
    anchored({
      [grantDoorUnsupported]:
        "The operation reads more kinds of record than the grant of the key could narrow. `openTo` names what the key may call instead.",
      ...forbiddenCodes
    }),
    "## Codes of 409",
    anchored(conflictCodes)
  ].join("\n\n")
)
