/**
 * Writes types/hub-routes.d.ts for typed REST clients from the declared operations. With --check, writes nothing and
 * only checks whether the file is up to date.
 */
import { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { committedOrWritten } from "./generated.mjs"
import { load } from "./sources.mjs"
import { commentText, indented, joined, objectText, typeWriter } from "./typeText.mjs"

const [{ HubApi }, { Declaration }, { ProposedAnswer }] = await load(
  "HubApi.ts",
  "doors/Declaration.ts",
  "doors/Proposed.ts"
)

const writer = typeWriter()

/** Returns the text of a field in the type of a route, or an empty text if the route has no such input. */
const fieldText = (name, schema) =>
  Option.match(schema, { onNone: () => [], onSome: ({ ast }) => [`${name}: ${writer.text(ast)}`] })

/**
 * Returns the type of the answer. If a write becomes a proposal, the answer is the proposal, so the type also allows a
 * proposal.
 */
const answerText = (successes, { answersStream, answersText, door }) => {
  if (answersStream === true || answersText === true) return "string"
  const asts = [...successes.values()].flatMap(({ ast }) => Option.toArray(ast))
  const all = door._tag === "Write" ? [...asts, ProposedAnswer.ast] : asts
  return all.length === 0 ? "void" : joined(all.map(writer.text))
}

const routes = []
HttpApi.reflect(HubApi, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint, successes }) => {
    const declared = Context.get(endpoint.annotations, Declaration)
    const members = [
      ...fieldText("params", endpoint.pathSchema),
      ...fieldText("query", endpoint.urlParamsSchema),
      ...fieldText("body", endpoint.payloadSchema),
      `answer: ${answerText(successes, declared)}`
    ]
    routes.push(`${commentText(declared.summary)}"${endpoint.method} ${endpoint.path}": ${objectText(members)}`)
  }
})

committedOrWritten(
  "types/hub-routes.d.ts",
  `/**
 * The routes of REST as types, by method and path. Made from the declarations by scripts/hubRoutes.mjs: change those, not
 * this file. Times are texts in ISO 8601; ids are UUIDs as texts; the values of a query travel as texts.
 */
${writer.declarations().join("\n\n")}

/** What each route takes (\`params\` of the path, \`query\`, \`body\`) and answers. */
export interface HubRoutes {
${indented(routes.join("\n"))}
}
`
)
