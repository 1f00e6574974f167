/**
 * Writes types/app-router.d.ts for tRPC clients from the declared procedures. With --check, writes nothing and only
 * checks whether the file is up to date.
 */
import { Context, SchemaAST } from "effect"
import { committedOrWritten } from "./generated.mjs"
import { load } from "./sources.mjs"
import { alternativesOf, commentText, indented, joined, mayBeLeftOut, objectText, typeWriter } from "./typeText.mjs"

const [{ Procedures }, { Declaration, procedureKindOf }, { NoInput }, { ProposedAnswer }] = await load(
  "Procedures.ts",
  "doors/Declaration.ts",
  "doors/DeclareProcedure.ts",
  "doors/Proposed.ts"
)

const writer = typeWriter()

const inputText = ({ payloadSchema }) => {
  if (payloadSchema === NoInput) return "void | undefined | Record<string, never>"
  const text = writer.text(payloadSchema.ast)
  return mayBeLeftOut(payloadSchema.ast) ? `void | undefined | ${text}` : text
}

const procedureTypes = {
  query: "TRPCQueryProcedure",
  mutation: "TRPCMutationProcedure",
  subscription: "TRPCSubscriptionProcedure"
}

/** Returns the schema of one item in a batch of events (doors/Batch.ts). */
const itemOf = (batch) => batch.fields.items.value.fields.value

/**
 * Returns the type of the result. If a write becomes a proposal, the answer is the proposal, so the type also allows a
 * proposal. A subscription returns an endless sequence.
 */
const outputText = ({ successSchema }, { answersStream, door }) => {
  if (answersStream === true) {
    return `AsyncIterable<${objectText(["id: string", `data: ${writer.text(itemOf(successSchema).ast)}`])}, void>`
  }
  const asts = door._tag === "Write" ? [successSchema.ast, ProposedAnswer.ast] : [successSchema.ast]
  return joined(asts.map(writer.text))
}

const procedureText = (name, request) => {
  const declared = Context.get(request.annotations, Declaration)
  const type = procedureTypes[procedureKindOf(declared)]
  const parts = [`input: ${inputText(request)}`, `output: ${outputText(request, declared)}`, "meta: object"]
  return `${commentText(declared.summary)}${name}: ${type}<${objectText(parts)}>`
}

/** Returns the procedures, grouped by the part of the name before the dot. */
const groups = () => {
  const found = new Map()
  for (const [path, request] of Procedures.requests) {
    const [group, name, ...rest] = path.split(".")
    if (name === undefined || rest.length > 0) throw new Error(`The path of ${path} has not two parts.`)
    found.set(group, [...(found.get(group) ?? []), procedureText(name, request)])
  }
  return [...found].map(([group, procedures]) => `${group}: ${objectText(procedures)}`)
}

/**
 * Returns the fields in `data` of a refusal. surfaces/Trpc.ts fills `data` from the body of the REST refusal, but
 * leaves out the texts for people. The field `code` contains the code of tRPC, so the pod's own code is in `reason`.
 */
const errorFields = () => {
  const bodies = new Set()
  const collect = (ast) => {
    if (SchemaAST.isUnion(ast)) ast.types.forEach(collect)
    else if (SchemaAST.isTransformation(ast)) collect(ast.from)
    else bodies.add(ast)
  }
  for (const request of Procedures.requests.values()) collect(request.errorSchema.ast)
  const types = new Map()
  for (const { propertySignatures } of bodies) {
    const hasCode = propertySignatures.some(({ name }) => name === "code")
    for (const { name, type } of propertySignatures) {
      if (name === "error" || name === "message" || (hasCode && name === "reason")) continue
      const field = name === "code" ? "reason" : name
      const present = alternativesOf(type).filter((each) => !SchemaAST.isUndefinedKeyword(each))
      types.set(field, [...(types.get(field) ?? []), ...present.map(writer.text)])
    }
  }
  return [...types].map(
    ([name, texts]) => `readonly ${name}?: ${joined([...texts.map(stillNaming(texts)), "undefined"])}`
  )
}

/**
 * Returns the type of a field that can have any text, but has some known values. With this type, an editor can still
 * suggest the known values.
 */
const stillNaming = (texts) => (text) => (text === "string" && texts.length > 1 ? "(string & {})" : text)

const routerText = objectText(groups())
const errorText = objectText([
  "readonly code: TRPC_ERROR_CODE_KEY",
  "readonly httpStatus: number",
  "/** Absent if the request failed before the pod knew its procedures. */\nreadonly path?: string | undefined",
  ...errorFields()
])

const current = `/**
 * The procedures of the pod as types, for \`createTRPCClient<AppRouter>()\` of @trpc/client 11. Made from the declarations
 * by scripts/appRouter.mjs: change those, not this file. Times are texts in ISO 8601; ids are UUIDs as texts.
 */
import type {
  TRPCBuiltRouter,
  TRPC_ERROR_CODE_KEY,
  TRPC_ERROR_CODE_NUMBER,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure
} from "@trpc/server"

${writer.declarations().join("\n\n")}

/** The fields of a refusal. Its \`code\` and its \`reason\` decide which fields are present. */
export type ErrorData = ${errorText}

/** The shape of every error that the pod answers. */
export interface ErrorShape {
  readonly code: TRPC_ERROR_CODE_NUMBER
  /** A message for people. If the input was wrong, the message is the JSON of its faults, as in \`data.details\`. */
  readonly message: string
  readonly data: ErrorData
}

interface RootTypes {
  ctx: object
  meta: object
  errorShape: ErrorShape
  transformer: false
}

/** Every procedure, by its path. A key calls procedures at \`/api/hub/trpc\`, and a sign-in session at \`/trpc\`. */
export type AppRouter = TRPCBuiltRouter<
  RootTypes,
${indented(routerText)}
>
`

committedOrWritten("types/app-router.d.ts", current)
