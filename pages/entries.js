/** Everything the reference lists, in one form: the operations of openapi.json, and the procedures and tools of the catalog. */

const lower = (texts) => texts.filter(Boolean).join(" ").toLowerCase()

const restEntry = (api, path, method, operation) => ({
  api,
  surface: "rest",
  kind: method,
  id: operation.operationId,
  name: operation.operationId,
  title: path,
  groups: operation.tags,
  path,
  method,
  operation,
  names: [operation.operationId, path, path.replace(/^\/api\/hub(?=\/)/, ""), `${method} ${path}`].map((each) =>
    each.toLowerCase()
  ),
  told: lower([operation.summary]),
  besides: lower([operation.description, ...operation.tags, ...(operation["x-pod-permissions"] ?? [])])
})

/** A procedure or a tool as an operation of OpenAPI, so that it is shown and tried in the same way. */
const operationOf = ({ credentials, door, input, permissions, scope, summary }) => ({
  summary,
  description: door,
  security: credentials.map((name) => ({ [name]: [] })),
  "x-pod-permissions": permissions,
  ...(scope === null ? {} : { "x-pod-scope": scope }),
  parameters: [],
  ...(input === null ? {} : { requestBody: { content: { "application/json": { schema: input } } } }),
  responses: {}
})

const catalogEntry = (catalog, each) => {
  const surface = each.kind === "tool" ? "tool" : "procedure"
  return {
    api: catalog,
    surface,
    kind: each.kind,
    id: `${surface}:${each.name}`,
    name: each.name,
    title: each.name,
    groups: [each.group],
    operation: operationOf(each),
    names: [each.name.toLowerCase()],
    told: lower([each.summary]),
    besides: lower([each.door, surface, each.kind, ...each.permissions])
  }
}

const toolsNote =
  "What agents call at `/mcp`, with a key. An MCP client lists those that its key may call; here are all of them."

/** The groups in the order of the page, each with its entries: those of REST first, and the tools at the end. */
export const groupsOf = (api, catalog) => {
  const entries = [
    ...Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => restEntry(api, path, method, operation))
    ),
    ...catalog.operations.map((each) => catalogEntry(catalog, each))
  ]
  const tagged = new Set(api.tags.map(({ name }) => name))
  const groups = [
    ...api.tags.map(({ name, description, ...shown }) => ({
      name,
      title: shown["x-displayName"] ?? name,
      description
    })),
    ...catalog.groups.flatMap(({ name, title }) =>
      tagged.has(name) ? [] : [{ name, title, description: name === "tools" ? toolsNote : undefined }]
    )
  ]
  return groups
    .map((group) => ({ ...group, entries: entries.filter((entry) => entry.groups.includes(group.name)) }))
    .filter(({ entries: own }) => own.length > 0)
}

/** The words of a name: `entities.getEntities` has the words entities, get, entities. */
const wordsIn = (entry) =>
  `${entry.name} ${entry.title}`
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/**
 * How well an entry fits, 0 the best; undefined if it does not. The very name or path, how a name begins, words of its name,
 * parts of its name, words of its summary, words of anything else.
 */
export const rankOf = (entry, asked) => {
  const words = asked.split(/\s+/).filter(Boolean)
  if (words.length === 0) return 0
  if (entry.names.includes(asked)) return 0
  if (entry.names.some((name) => name.startsWith(asked))) return 1
  const own = wordsIn(entry)
  if (words.every((word) => own.includes(word))) return 2
  const inName = (word) => entry.names.some((name) => name.includes(word))
  if (words.every(inName)) return 3
  if (words.every((word) => inName(word) || entry.told.includes(word))) return 4
  return words.every((word) => inName(word) || entry.told.includes(word) || entry.besides.includes(word))
    ? 5
    : undefined
}
