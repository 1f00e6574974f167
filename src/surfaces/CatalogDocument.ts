/**
 * Makes the catalog: the description of the procedures and the MCP tools, from their declarations. The page `/docs`
 * shows the catalog beside the description of the REST API.
 */
import { OpenApiJsonSchema } from "@effect/platform"
import type { Schema } from "effect"
import { closedSchema, type OperationProperties, procedureKindOf } from "../doors/Declaration.ts"
import { NoInput } from "../doors/DeclareProcedure.ts"
import { permissionsOf, scopeOf } from "../doors/DoorRequirements.ts"
import { inputSchemaOf } from "./McpSchemas.ts"
import { doorSentence, securityOf, titleOf } from "./DoorWords.ts"
import { onlyReferenced, compactSchema } from "./OpenApiSchemas.ts"

/** A declared procedure or tool, with the schema of its input. */
export interface ListedOperation extends Pick<
  OperationProperties,
  "name" | "door" | "kind" | "summary" | "answersStream"
> {
  readonly surface: "procedure" | "tool"
  readonly input: Schema.Schema.Any
}

/** The description of one procedure or tool in the catalog. */
export interface CatalogEntry {
  readonly name: string
  readonly kind: "query" | "mutation" | "subscription" | "tool"
  /** The name of the group of the procedure or tool. A group of REST operations can have the same name. */
  readonly group: string
  readonly summary: string
  /** One sentence that says who is allowed to call the operation. */
  readonly door: string
  readonly scope: string | null
  readonly permissions: ReadonlyArray<string>
  /** The credentials that the operation accepts. `bearer` means a key, and `session` means a sign-in. */
  readonly credentials: ReadonlyArray<string>
  /** The JSON Schema of the input. Null if the operation has no input. */
  readonly input: object | null
}

export interface CatalogDocument {
  readonly groups: ReadonlyArray<{ readonly name: string; readonly title: string }>
  readonly operations: ReadonlyArray<CatalogEntry>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

const toolGroup = { name: "tools", title: "MCP tools" }

const groupOf = ({ name, surface }: ListedOperation): CatalogDocument["groups"][number] => {
  if (surface === "tool") return toolGroup
  const [group = name] = name.split(".")
  return { name: group, title: titleOf(group) }
}

/** Returns the credentials that an operation accepts. A tool accepts only a key, and no session. */
const credentialsOf = ({ door, surface }: ListedOperation): ReadonlyArray<string> =>
  surface === "tool" ? ["bearer"] : securityOf(door).flatMap((way) => Object.keys(way))

/**
 * Makes the catalog document. Each schema with a name occurs only once, in `components`, as in the description of the
 * REST API.
 */
export const catalogDocument = (listed: ReadonlyArray<ListedOperation>): CatalogDocument => {
  const defs: Record<string, OpenApiJsonSchema.JsonSchema> = {}
  const inputOf = ({ input, surface }: ListedOperation): object | null => {
    if (input === NoInput) return null
    // The schema of a tool's arguments, with their descriptions. MCP clients get the same schema.
    if (surface === "tool") return inputSchemaOf({ input })
    return compactSchema(
      OpenApiJsonSchema.makeWithDefs(closedSchema(input), { defs, defsPath: "#/components/schemas/" })
    )
  }
  const groups = new Map(listed.map((each) => [groupOf(each).name, groupOf(each)]))
  const operations = compactSchema(
    listed.map((each): CatalogEntry => ({
      name: each.name,
      kind: each.surface === "tool" ? "tool" : procedureKindOf(each),
      group: groupOf(each).name,
      summary: each.summary,
      door: doorSentence(each.door),
      scope: scopeOf(each.door),
      permissions: permissionsOf(each.door),
      credentials: credentialsOf(each),
      input: inputOf(each)
    }))
  )
  return {
    groups: [...groups.values()],
    operations,
    components: { schemas: onlyReferenced(compactSchema(defs), operations) }
  }
}
