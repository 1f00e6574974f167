/** The records beside entities that Explore opens: how each is listed, read and written. */
import { hub, type Route, type RouteInput } from "../../api/hub.ts"
import { type FormShape, shapeOf } from "./formShapes.ts"

/** A record of any of these types. Its further fields are those of `fields`. */
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
  readonly offset: number
}

export type Written = Readonly<Record<string, unknown>> & { readonly id?: string }

export interface RecordKind {
  readonly type: "document" | "project" | "track" | "view"
  readonly one: string
  readonly many: string
  /** The first part of the paths of its routes, which is the name of its reads. */
  readonly group: string
  /** The field that names the record. */
  readonly nameField: string
  readonly fields: ReadonlyArray<FormShape>
  /** Columns of its table beside the name. */
  readonly columns: ReadonlyArray<string>
  readonly list: (choice: ListChoice, signal: AbortSignal) => Promise<ReadonlyArray<OtherRecord>>
  readonly listCall: (choice: ListChoice) => { readonly route: Route; readonly input: RouteInput }
  readonly read: (id: string, signal: AbortSignal) => Promise<OtherRecord>
  readonly readRoute: Route
  /** `body` has the fields of the form; the pod checks them. */
  readonly create: (body: Fields) => Promise<Written>
  readonly change: (id: string, version: number, body: Fields) => Promise<Written>
  readonly archive: (id: string) => Promise<Written>
}

/** Values of a form. The form knows the fields only when it runs, so each write states the type of its body once. */
type Fields = Readonly<Record<string, unknown>>

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
  list: (query, signal) => hub("GET /api/hub/documents", { query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/documents", input: { query: { ...query } } }),
  read: (id, signal) => hub("GET /api/hub/documents/:id", { params: { id } }, signal),
  readRoute: "GET /api/hub/documents/:id",
  create: (body) => hub("POST /api/hub/documents", { body: { title: "", ...body } }),
  change: (id, baseRevision, body) =>
    hub("PATCH /api/hub/documents/:id", { params: { id }, body: { ...body, baseRevision } }),
  archive: (id) => hub("DELETE /api/hub/documents/:id", { params: { id } })
}

const projects: RecordKind = {
  type: "project",
  one: "project",
  many: "Projects",
  group: "projects",
  nameField: "name",
  columns: ["status", "description"],
  fields: [name, description, statusOf("active", "completed", "archived")],
  list: (query, signal) => hub("GET /api/hub/projects", { query: query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/projects", input: { query: { ...query } } }),
  read: (id, signal) => hub("GET /api/hub/projects/:id", { params: { id } }, signal),
  readRoute: "GET /api/hub/projects/:id",
  create: (body) => hub("POST /api/hub/projects", { body: { name: "", ...body } }),
  change: (id, expectedVersion, body) =>
    hub("PATCH /api/hub/projects/:id", { params: { id }, body: { ...body, expectedVersion } }),
  archive: (id) => hub("DELETE /api/hub/projects/:id", { params: { id } })
}

const tracks: RecordKind = {
  type: "track",
  one: "track",
  many: "Tracks",
  group: "tracks",
  nameField: "name",
  columns: ["status", "description"],
  fields: [name, description, statusOf("active", "paused", "completed", "archived"), projectId],
  list: (query, signal) => hub("GET /api/hub/tracks", { query: query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/tracks", input: { query: { ...query } } }),
  read: (id, signal) => hub("GET /api/hub/tracks/:id", { params: { id } }, signal),
  readRoute: "GET /api/hub/tracks/:id",
  create: (body) => hub("POST /api/hub/tracks", { body: { name: "", ...body } }),
  change: (id, expectedVersion, body) =>
    hub("PATCH /api/hub/tracks/:id", { params: { id }, body: { ...body, expectedVersion } }),
  archive: (id) => hub("DELETE /api/hub/tracks/:id", { params: { id } })
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
  list: (query, signal) => hub("GET /api/hub/views", { query: query }, signal),
  listCall: (query) => ({ route: "GET /api/hub/views", input: { query: { ...query } } }),
  read: (id, signal) => hub("GET /api/hub/views/:id", { params: { id } }, signal),
  readRoute: "GET /api/hub/views/:id",
  create: (body) => hub("POST /api/hub/views", { body: { name: "", type: "table", ...body } }),
  change: (id, expectedVersion, body) =>
    hub("PATCH /api/hub/views/:id", { params: { id }, body: { ...body, expectedVersion } }),
  archive: (id) => hub("DELETE /api/hub/views/:id", { params: { id } })
}

export const recordKinds: ReadonlyArray<RecordKind> = [documents, projects, tracks, views]

export const recordKindOf = (type: string | undefined): RecordKind | undefined =>
  recordKinds.find((kind) => kind.type === type)

/** Whether Explore opens records of this type. */
export const isOpenable = (type: string): boolean => type === "entity" || recordKindOf(type) !== undefined
