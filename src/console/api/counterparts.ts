/**
 * For each REST route, the table names the procedure and the MCP tool that answer the same question. The catalog of the
 * pod describes the fields of each operation. The names of the three operations differ, because existing clients need
 * these names.
 */
import type { Route } from "./hub.ts"
import type { ProcedureName } from "./procedures.ts"
import type { Catalog } from "./reference.ts"
import { type JsonSchema, resolveReference } from "./schemaWords.ts"

interface Counterpart {
  readonly procedure?: ProcedureName
  readonly tool?: `svc_${string}`
  /**
   * Maps the name of a field in the route to its name in the procedure and the tool. Contains only the fields whose two
   * names differ.
   */
  readonly as?: Readonly<Record<string, string>>
}

/** The counterparts of the routes that screens read. A route that is missing here has no counterpart. */
export const counterparts: Partial<Record<Route, Counterpart>> = {
  "GET /api/hub/users/me": { procedure: "svc.me" },
  "GET /api/hub/workspaces": { procedure: "workspaces.list" },
  "GET /api/hub/orient": { tool: "svc_orient" },
  "GET /api/hub/discover": { tool: "svc_list_profiles" },
  "GET /api/hub/profiles": { procedure: "profiles.list", tool: "svc_list_profiles" },
  "GET /api/hub/property-defs": { procedure: "propertyDefs.list" },
  "GET /api/hub/relation-defs": { procedure: "relationDefs.list" },
  "GET /api/hub/entities": { procedure: "entities.getEntities", tool: "svc_get_entities" },
  "GET /api/hub/entities/:id": { tool: "svc_get_entity", as: { id: "entityId" } },
  "GET /api/hub/entities/:id/connections": { tool: "svc_get_relations", as: { id: "entityId" } },
  "GET /api/hub/graph/:type/:id": { tool: "svc_get_graph" },
  "POST /api/hub/knowledge/search": { tool: "svc_ask" },
  "GET /api/hub/memory": { tool: "svc_recall" },
  "GET /api/hub/documents": { tool: "svc_list_documents" },
  "GET /api/hub/documents/:id": {
    procedure: "documents.getDocument",
    tool: "svc_get_document",
    as: { id: "documentId" }
  },
  "GET /api/hub/projects": { tool: "svc_list_projects" },
  "GET /api/hub/projects/:id": { tool: "svc_get_project", as: { id: "projectId" } },
  "GET /api/hub/tracks": { tool: "svc_list_tracks" },
  "GET /api/hub/views": { procedure: "views.listViews", tool: "svc_list_views" },
  "GET /api/hub/proposals": { procedure: "proposals.list", tool: "svc_list_proposals" },
  "GET /api/hub/proposals/:id": { procedure: "proposals.get", tool: "svc_get_proposal", as: { id: "proposalId" } },
  "GET /api/hub/events": { procedure: "events.list" },
  "GET /api/hub/notifications": { procedure: "notifCenter.list" },
  "GET /api/hub/notifications/unread-count": { procedure: "notifCenter.unreadCount" },
  "GET /api/hub/notifications/preferences": { procedure: "notifCenter.getPrefs" },
  "GET /api/hub/webhooks": { procedure: "webhooks.list" },
  "GET /api/hub/webhooks/:id/deliveries": { procedure: "webhooks.deliveries", as: { id: "subscriptionId" } },
  "GET /api/hub/connectors": { procedure: "connectors.list" },
  "GET /api/hub/commands": { procedure: "commands.listCommands" },
  "GET /api/hub/commands/:id": { procedure: "commands.getCommand", as: { id: "commandId" } },
  "GET /api/hub/setup/status": { procedure: "setup.status" }
}

/** Maps the name of a procedure to the MCP tool that answers the same question. */
const toolsOfProcedures: ReadonlyMap<string, string> = new Map(
  Object.values(counterparts).flatMap(({ procedure, tool }) =>
    procedure === undefined || tool === undefined ? [] : [[procedure, tool] as const]
  )
)

export interface OtherForm {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** The names of the screen's values for which this operation has no field. */
  readonly omittedFields: ReadonlyArray<string>
  /** The names of the fields that this operation requires and for which the screen has no value. */
  readonly missing: ReadonlyArray<string>
}

const isGiven = ([name, value]: readonly [string, unknown]) =>
  value !== undefined && value !== null && value !== "" && !(name === "offset" && value === 0)

/**
 * Converts a text of a query to the type of the field. A query has only texts, but a procedure or a tool needs numbers
 * and booleans.
 */
const typedAs = ({ type }: JsonSchema, value: unknown): unknown => {
  if (typeof value !== "string") return value
  const isNumber = value.trim() !== "" && Number.isFinite(Number(value))
  if ((type === "integer" || type === "number") && isNumber) return Number(value)
  return type === "boolean" && (value === "true" || value === "false") ? value === "true" : value
}

/** Turns the values of a screen into an input of a procedure or a tool. The input asks the same question. */
const inputOfFields = (
  catalog: Catalog,
  name: string,
  values: Readonly<Record<string, unknown>>,
  as: Readonly<Record<string, string>>
): OtherForm | undefined => {
  const operation = catalog.operations.find((each) => each.name === name)
  if (operation === undefined) return undefined
  const { properties = {}, required = [] } = operation.input === null ? {} : resolveReference(catalog, operation.input)
  const nameOf = (field: string) =>
    [as[field] ?? field, ...(field === "q" ? ["query"] : [])].find((n) => n in properties)
  const given = Object.entries(values).filter(isGiven)
  const input = Object.fromEntries(
    given.flatMap(([field, value]) => {
      const other = nameOf(field)
      return other === undefined ? [] : [[other, typedAs(resolveReference(catalog, properties[other] ?? {}), value)]]
    })
  )
  return {
    name,
    input,
    omittedFields: given.flatMap(([field]) => (nameOf(field) === undefined ? [field] : [])),
    missing: required.filter((field) => !(field in input))
  }
}

interface RouteInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const fieldsIn = (value: unknown) => (typeof value === "object" && value !== null ? { ...value } : {})

const valuesIn = ({ body, params, query }: RouteInput) => ({ ...params, ...query, ...fieldsIn(body) })

/** The procedure that answers the same question as this call of a route. Undefined if the pod has no such procedure. */
export const procedureFor = (catalog: Catalog, route: Route, input: RouteInput): OtherForm | undefined => {
  const { as = {}, procedure } = counterparts[route] ?? {}
  return procedure === undefined ? undefined : inputOfFields(catalog, procedure, valuesIn(input), as)
}

/** The MCP tool that answers the same question as this call of a route. Undefined if the pod has no such tool. */
export const toolFor = (catalog: Catalog, route: Route, input: RouteInput): OtherForm | undefined => {
  const { as = {}, tool } = counterparts[route] ?? {}
  return tool === undefined ? undefined : inputOfFields(catalog, tool, valuesIn(input), as)
}

/** The MCP tool that answers the same question as this call of a procedure. Undefined if the pod has no such tool. */
export const toolForProcedure = (catalog: Catalog, procedure: string, input: unknown): OtherForm | undefined => {
  const tool = toolsOfProcedures.get(procedure)
  return tool === undefined ? undefined : inputOfFields(catalog, tool, fieldsIn(input), {})
}
