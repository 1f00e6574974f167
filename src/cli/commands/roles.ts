/** `pod roles`: access roles, which are grants with a name. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { badUsage } from "../CliFailure.ts"
import { group, leaf, leafThatAsks } from "../CommandTree.ts"
import { fieldsOf, textOf, textsOf } from "../AnswerFields.ts"
import { findRole, findWorkspace, idFrom, listOf } from "../Lookups.ts"
import { cell, Output, shortId } from "../Output.ts"
import { PodClient } from "../PodClient.ts"

const whichRole = Args.text({ name: "role" }).pipe(
  Args.withDescription("The id of the role, its beginning, or its name.")
)
const description = Options.text("description").pipe(Options.withDescription("What the role is for."), Options.optional)
const permission = Options.text("permission").pipe(
  Options.withDescription("A permission such as entity.knowledge.read; may be repeated."),
  Options.repeated
)
const workspace = Options.text("workspace").pipe(
  Options.withDescription("A workspace that the role is limited to, by id or name; may be repeated."),
  Options.repeated
)

const workspaceIds = (idsOrNames: ReadonlyArray<string>) =>
  Effect.forEach(idsOrNames, (text) => idFrom(text, findWorkspace))

const roleText = (role: unknown): string => {
  const { description: text, grant, id, name } = fieldsOf(role)
  const { permissions, workspaceIds: spaces } = fieldsOf(grant)
  return [
    `${cell(name)}  ${textOf(id)}`,
    ...(textOf(text) === "" ? [] : [`  ${cell(text, 200)}`]),
    `  Permissions  ${textsOf(permissions).join(", ")}`,
    ...(textsOf(spaces).length === 0 ? [] : [`  Workspaces   ${textsOf(spaces).join(", ")}`])
  ].join("\n")
}

const list = leaf(
  "list",
  { summary: "List your access roles.", examples: ["pod roles list", "pod roles list --json"] },
  {},
  Effect.fnUntraced(function* () {
    const output = yield* Output
    const { meta, rows } = yield* listOf("roles.list")
    output.data(
      rows,
      {
        columns: [
          { title: "ID", isWhole: true, of: ({ id }) => shortId(id) },
          { title: "NAME", of: ({ name }) => cell(name) },
          { title: "PERMISSIONS", of: ({ grant }) => cell(textsOf(fieldsOf(grant)["permissions"]).join(", ")) },
          { title: "FOR", of: ({ description: text }) => cell(text) }
        ],
        none: "You have no access roles. Make one: pod roles create --name reader --permission entity.knowledge.read"
      },
      meta
    )
  })
)

const show = leaf(
  "show",
  { summary: "Show one access role.", examples: ["pod roles show reader"] },
  { role: whichRole },
  Effect.fnUntraced(function* ({ role }) {
    const output = yield* Output
    output.data(yield* findRole(role), { text: roleText })
  })
)

const create = leaf(
  "create",
  {
    summary: "Create an access role: a grant with a name, for making keys.",
    examples: ["pod roles create --name reader --permission entity.knowledge.read --permission document.read"]
  },
  {
    name: Options.text("name").pipe(Options.withDescription("Your name for the role.")),
    description,
    permission,
    workspace
  },
  Effect.fnUntraced(function* (options) {
    if (options.permission.length === 0)
      return yield* badUsage(
        "A role needs at least one `--permission`.",
        "For example: --permission entity.knowledge.read"
      )
    const client = yield* PodClient
    const output = yield* Output
    const ids = yield* workspaceIds(options.workspace)
    const answer = yield* client.procedure("roles.create", {
      name: options.name,
      description: Option.getOrNull(options.description),
      grant: { permissions: options.permission, ...(ids.length === 0 ? {} : { workspaceIds: ids }) }
    })
    output.data(answer.data, { text: roleText }, answer)
    output.note(`Next: pod keys create --name … --role ${options.name}`)
  })
)

const edit = leaf(
  "edit",
  {
    summary: "Change an access role; keys that were made from it keep their grant.",
    examples: ["pod roles edit reader --permission entity.knowledge.read", "pod roles edit reader --name researcher"]
  },
  {
    role: whichRole,
    name: Options.text("name").pipe(Options.withDescription("A new name."), Options.optional),
    description,
    permission,
    workspace
  },
  Effect.fnUntraced(function* (options) {
    const client = yield* PodClient
    const output = yield* Output
    if (
      Option.isNone(options.name) &&
      Option.isNone(options.description) &&
      options.permission.length + options.workspace.length === 0
    ) {
      return yield* badUsage(
        "The command has nothing to change.",
        "Give at least one of `--name`, `--description`, `--permission` and `--workspace`."
      )
    }
    const found = yield* findRole(options.role)
    const ids = yield* workspaceIds(options.workspace)
    const {
      permissions: _,
      workspaceIds: __,
      ...others
    } = Object.fromEntries(Object.entries(fieldsOf(found["grant"])).filter(([, value]) => value !== null))
    const isGrantGiven = options.permission.length > 0 || ids.length > 0
    const answer = yield* client.procedure("roles.update", {
      roleId: found["id"],
      ...(Option.isNone(options.name) ? {} : { name: options.name.value }),
      ...(Option.isNone(options.description) ? {} : { description: options.description.value }),
      ...(isGrantGiven
        ? {
            grant: {
              ...others,
              permissions: options.permission.length > 0 ? options.permission : fieldsOf(found["grant"])["permissions"],
              ...(ids.length > 0
                ? { workspaceIds: ids }
                : textsOf(fieldsOf(found["grant"])["workspaceIds"]).length > 0
                  ? { workspaceIds: fieldsOf(found["grant"])["workspaceIds"] }
                  : {})
            }
          }
        : {})
    })
    output.data(answer.data, { text: roleText }, answer)
  })
)

const remove = leafThatAsks(
  "delete",
  {
    summary: "Delete an access role; keys that were made from it stay valid.",
    confirmation: { because: "a deleted role cannot be restored" },
    examples: ["pod roles delete reader --yes"]
  },
  { role: whichRole },
  Effect.fnUntraced(function* ({ role }, ask) {
    const client = yield* PodClient
    const output = yield* Output
    const found = yield* findRole(role)
    yield* ask(`Delete the role ${cell(found["name"])}?`)
    const answer = yield* client.procedure("roles.delete", { roleId: found["id"] })
    output.data(answer.data, { text: () => `The role ${cell(found["name"])} is deleted.` }, answer)
  })
)

export const roles = group("roles", "Grants with a name, for making keys.", [list, show, create, edit, remove])
