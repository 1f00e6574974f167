/**
 * Describes the types of records in Explore that are not entities: how the console lists, reads and writes each type.
 */
import type { PageAnswer } from "../../api/everyPage.ts"
import { hub, hubPage, type Route, type RouteInput } from "../../api/hub.ts"
import { type FormShape, shapeOf } from "./formShapes.ts"

/**
 * A record that is not an entity, such as a document. This type has the fields that all such records have.
 * `RecordKind.fields` lists the other fields of each kind of record.
 */
export type OtherRecord = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly version: number
  readonly workspaceId: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ListChoice {
  readonly workspaceId?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export type WrittenRecord = Readonly<Record<string, unknown>> & { readonly id?: string }

/**
 * The address of a record. For a knowledge entry, it is the key (as `id`) and the space. For any other record, it is
 * the id.
 */
export interface RecordAddress {
  readonly id: string
  readonly workspaceId?: string | undefined
}

export interface RecordKind {
  readonly type: "document" | "project" | "track" | "view" | "knowledge"
  readonly one: string
  readonly many: string
  /**
   * The part after `/api/hub/` in the routes of this type, such as `documents`. It is also the name of the group of
   * cached reads.
   */
  readonly group: string
  /** The field whose value is shown as the name of the record. */
  readonly nameField: string
  readonly fields: ReadonlyArray<FormShape>
  /**
   * The fields in the form of a new record, if they differ from `fields`. For example, only the form of a new knowledge
   * entry has the key.
   */
  readonly newFields?: ReadonlyArray<FormShape>
  /** True if a list without a workspace contains only the records of the personal space. */
  readonly isListedBySpace?: true
  /** The columns of the table, without the column for the name. */
  readonly columns: ReadonlyArray<string>
  readonly list: (choice: ListChoice, signal: AbortSignal) => Promise<PageAnswer<ReadonlyArray<OtherRecord>>>
  readonly listCall: (choice: ListChoice) => { readonly route: Route; readonly input: RouteInput }
  /** The address under which Explore opens a record. */
  readonly addressOf: (record: Pick<OtherRecord, "id" | "workspaceId"> & Fields) => RecordAddress
  readonly read: (address: RecordAddress, signal: AbortSignal) => Promise<OtherRecord>
  readonly readCall: (address: RecordAddress) => { readonly route: Route; readonly input: RouteInput }
  /** Makes a record. `body` has the fields of the form, and the pod checks them. */
  readonly create: (body: Fields) => Promise<WrittenRecord>
  readonly change: (address: RecordAddress, version: number, body: Fields) => Promise<WrittenRecord>
  readonly archive: (address: RecordAddress) => Promise<WrittenRecord>
}

/** The values of a form. TypeScript does not know the types of these values, so each write casts its body once. */
type Fields = Readonly<Record<string, unknown>>

const byId: RecordKind["addressOf"] = ({ id }) => ({ id })

const name = shapeOf("name", "Name", "text", { isRequired: true })
const description = shapeOf("description", "Description", "longText")
const statusOf = (...options: ReadonlyArray<string>) => shapeOf("status", "Status", "select", { options })
const projectId = shapeOf("projectId", "Project (id)", "text")

const documents: RecordKind = {
  type: "document",
  one: "document",
  many: "Documents",
  group: "documents",
  nameField: "title",
  columns: ["type", "revision"],
  fields: [
    shapeOf("title", "Title", "text", { isRequired: true }),
    shapeOf("type", "Type", "select", { options: ["text", "markdown", "code", "html", "pdf", "docx"] }),
    shapeOf("content", "Content", "longText"),
    projectId
  ],
  list: (query, signal) => hubPage("GET /api/hub/documents", { query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/documents", input: { query: { ...query } } }),
  read: ({ id }, signal) => hub("GET /api/hub/documents/:id", { params: { id } }, signal),
  addressOf: byId,
  readCall: ({ id }) => ({ route: "GET /api/hub/documents/:id", input: { params: { id } } }),
  create: (body) => hub("POST /api/hub/documents", { body: { title: "", ...body } }),
  change: ({ id }, baseRevision, body) =>
    hub("PATCH /api/hub/documents/:id", { params: { id }, body: { ...body, baseRevision } }),
  archive: ({ id }) => hub("DELETE /api/hub/documents/:id", { params: { id } })
}

const projects: RecordKind = {
  type: "project",
  one: "project",
  many: "Projects",
  group: "projects",
  nameField: "name",
  columns: ["status", "description"],
  fields: [name, description, statusOf("active", "completed", "archived")],
  list: (query, signal) => hubPage("GET /api/hub/projects", { query: query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/projects", input: { query: { ...query } } }),
  read: ({ id }, signal) => hub("GET /api/hub/projects/:id", { params: { id } }, signal),
  addressOf: byId,
  readCall: ({ id }) => ({ route: "GET /api/hub/projects/:id", input: { params: { id } } }),
  create: (body) => hub("POST /api/hub/projects", { body: { name: "", ...body } }),
  change: ({ id }, expectedVersion, body) =>
    hub("PATCH /api/hub/projects/:id", { params: { id }, body: { ...body, expectedVersion } }),
  archive: ({ id }) => hub("DELETE /api/hub/projects/:id", { params: { id } })
}

const tracks: RecordKind = {
  type: "track",
  one: "track",
  many: "Tracks",
  group: "tracks",
  nameField: "name",
  columns: ["status", "description"],
  fields: [name, description, statusOf("active", "paused", "completed", "archived"), projectId],
  list: (query, signal) => hubPage("GET /api/hub/tracks", { query: query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/tracks", input: { query: { ...query } } }),
  read: ({ id }, signal) => hub("GET /api/hub/tracks/:id", { params: { id } }, signal),
  addressOf: byId,
  readCall: ({ id }) => ({ route: "GET /api/hub/tracks/:id", input: { params: { id } } }),
  create: (body) => hub("POST /api/hub/tracks", { body: { name: "", ...body } }),
  change: ({ id }, expectedVersion, body) =>
    hub("PATCH /api/hub/tracks/:id", { params: { id }, body: { ...body, expectedVersion } }),
  archive: ({ id }) => hub("DELETE /api/hub/tracks/:id", { params: { id } })
}

const viewTypes = ["table", "list", "grid", "gallery", "kanban", "matrix", "masonry", "calendar", "flow", "bento"]

const views: RecordKind = {
  type: "view",
  one: "view",
  many: "Views",
  group: "views",
  nameField: "name",
  columns: ["type"],
  fields: [
    name,
    shapeOf("type", "Type", "select", { options: [...viewTypes, "branch_tree", "whiteboard"], isRequired: true }),
    shapeOf("config", "Settings", "json")
  ],
  list: (query, signal) => hubPage("GET /api/hub/views", { query: query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/views", input: { query: { ...query } } }),
  read: ({ id }, signal) => hub("GET /api/hub/views/:id", { params: { id } }, signal),
  addressOf: byId,
  readCall: ({ id }) => ({ route: "GET /api/hub/views/:id", input: { params: { id } } }),
  create: (body) => hub("POST /api/hub/views", { body: { name: "", type: "table", ...body } }),
  change: ({ id }, expectedVersion, body) =>
    hub("PATCH /api/hub/views/:id", { params: { id }, body: { ...body, expectedVersion } }),
  archive: ({ id }) => hub("DELETE /api/hub/views/:id", { params: { id } })
}

const inSpace = (workspaceId: string | undefined) => (workspaceId === undefined ? {} : { workspaceId })
const namespace = shapeOf("namespace", "Group", "text")
const valueShape = shapeOf("value", "Value", "longText")

/** Knowledge entries. A space stores each entry under a key, so the routes need the key and the space. */
const knowledge: RecordKind = {
  type: "knowledge",
  one: "knowledge entry",
  many: "Knowledge entries",
  group: "knowledge",
  nameField: "key",
  columns: ["value", "namespace", "status", "author"],
  fields: [valueShape, shapeOf("status", "Status", "text", { isRequired: true })],
  newFields: [shapeOf("key", "Key", "text", { isRequired: true }), valueShape, namespace],
  isListedBySpace: true,
  list: (query, signal) => hubPage("GET /api/hub/knowledge", { query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/knowledge", input: { query: { ...query } } }),
  addressOf: ({ key, workspaceId }) => ({ id: String(key), workspaceId: workspaceId ?? undefined }),
  read: ({ id: key, workspaceId }, signal) =>
    hub("GET /api/hub/knowledge/:key", { params: { key }, query: inSpace(workspaceId) }, signal),
  readCall: ({ id: key, workspaceId }) => ({
    route: "GET /api/hub/knowledge/:key",
    input: { params: { key }, query: inSpace(workspaceId) }
  }),
  create: (body) => hub("POST /api/hub/knowledge", { body: { key: "", ...body } }),
  change: ({ id: key, workspaceId }, expectedVersion, { value, ...body }) =>
    hub("PUT /api/hub/knowledge/:key", {
      params: { key },
      query: inSpace(workspaceId),
      // An empty text replaces a value that the person removed.
      body: { ...body, expectedVersion, ...(value === undefined ? {} : { value: value ?? "" }) }
    }),
  archive: ({ id: key, workspaceId }) =>
    hub("DELETE /api/hub/knowledge/:key", { params: { key }, query: inSpace(workspaceId) })
}

export const recordKinds: ReadonlyArray<RecordKind> = [documents, knowledge, projects, tracks, views]

const columnLabels: Readonly<Record<string, string>> = { author: "Author", namespace: "Group", revision: "Revision" }

export const columnLabelOf = ({ fields }: RecordKind, column: string): string =>
  fields.find((field) => field.name === column)?.label ?? columnLabels[column] ?? column

/**
 * The form fields of a record. A knowledge entry whose value is not a text is edited as JSON, so the value keeps its
 * type.
 */
export const formFieldsOf = ({ fields, type }: RecordKind, record: Fields): ReadonlyArray<FormShape> =>
  type === "knowledge" && typeof record["value"] !== "string"
    ? fields.map((field) => (field.name === "value" ? { ...field, label: "Value (JSON)", type: "json" } : field))
    : fields

export const recordKindOf = (type: string | undefined): RecordKind | undefined =>
  recordKinds.find((kind) => kind.type === type)

/** True if Explore can open records of this type by their ids. */
export const isOpenable = (type: string): boolean =>
  type === "entity" || (type !== "knowledge" && recordKindOf(type) !== undefined)

interface FoundRecord {
  readonly type: string
  readonly id: string
  readonly key?: string | undefined
  readonly workspaceId?: string | null | undefined
}

/**
 * The address under which Explore opens a record that a search found. Undefined if Explore does not open records of
 * this type.
 */
export const foundAddress = ({ id, key, type, workspaceId = null }: FoundRecord): RecordAddress | undefined =>
  type === "entity" ? { id } : recordKindOf(type)?.addressOf({ id, key, workspaceId })
