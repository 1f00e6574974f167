/** Writes one call of a screen in the form in which a program makes it: with curl, fetch, tRPC or MCP. */
import { procedureFor, toolFor, toolForProcedure, type OtherForm } from "../api/counterparts.ts"
import { requestOf, type Route, type RouteInput } from "../api/hub.ts"
import type { Catalog } from "../api/reference.ts"
import { podRoot } from "../api/root.ts"

export type PreviewedCall =
  | { readonly route: Route; readonly input: RouteInput }
  | { readonly procedure: string; readonly kind: "query" | "mutation"; readonly input: unknown }

/**
 * One form of a call. `note` says what the form leaves out. If this form does not exist, `text` is absent and `note`
 * says why.
 */
export interface CallForm {
  readonly text?: string
  readonly note?: string
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const curlOf = (call: PreviewedCall): string => {
  if ("procedure" in call) {
    const url = `${podRoot}trpc/${call.procedure}`
    const text = JSON.stringify(call.input ?? {})
    return call.kind === "query"
      ? `curl -G ${quoteForShell(url)} -H "X-Session-Token: $POD_TOKEN" --data-urlencode ${quoteForShell(`input=${text}`)}`
      : `curl ${quoteForShell(url)} -H "X-Session-Token: $POD_TOKEN" -H 'Content-Type: application/json' -d ${quoteForShell(text)}`
  }
  const { body, method, url } = requestOf(call.route, call.input)
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoteForShell(url)}`,
    `  -H "Authorization: Bearer $POD_API_KEY"`,
    ...(body === undefined ? [] : [`  -H 'Content-Type: application/json'`, `  -d ${quoteForShell(body)}`])
  ].join(" \\\n")
}

const fetchCode = (
  url: string,
  method: string,
  credential: string,
  body: string | undefined,
  answer: string
): string => {
  const lines = [
    ...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
    `  headers: { ${credential}${body === undefined ? "" : `, "content-type": "application/json"`} }${body === undefined ? "" : ","}`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body})`])
  ]
  return `const response = await fetch(${url}, {\n${lines.join("\n")}\n})\n${answer}`
}

const fetchOf = (call: PreviewedCall): string => {
  if ("procedure" in call) {
    const credential = `"x-session-token": process.env.POD_TOKEN`
    const answer = "const { result } = await response.json()"
    const url = `${podRoot}trpc/${call.procedure}`
    const text = JSON.stringify(call.input ?? {})
    return call.kind === "query"
      ? `const input = encodeURIComponent(JSON.stringify(${text}))\n${fetchCode(`\`${url}?input=\${input}\``, "GET", credential, undefined, answer)}`
      : fetchCode(JSON.stringify(url), "POST", credential, text, answer)
  }
  const { body, method, url } = requestOf(call.route, call.input)
  const credential = "authorization: `Bearer ${process.env.POD_API_KEY}`"
  return fetchCode(JSON.stringify(url), method, credential, body, "const answer = await response.json()")
}

/** Says which values of the screen a form leaves out. */
const noteOn = ({ name, omittedFields }: OtherForm): Pick<CallForm, "note"> =>
  omittedFields.length === 0
    ? {}
    : {
        note: `${name} has no ${omittedFields.length === 1 ? "field" : "fields"} ${omittedFields.join(" and ")}, so this form leaves ${omittedFields.length === 1 ? "it" : "them"} out.`
      }

const procedureText = (name: string, kind: "query" | "mutation", input: unknown) =>
  `const pod = createTRPCClient<AppRouter>({\n  links: [httpBatchLink({ url: ${JSON.stringify(`${podRoot}trpc`)}, headers: { "x-session-token": token } })]\n})\nconst answer = await pod.${name}.${kind === "query" ? "query" : "mutate"}(${JSON.stringify(input ?? {})})`

const toolText = ({ input, name }: OtherForm) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } }, undefined, 2)

/**
 * Writes a call of the operation `found`, such as an MCP tool, which does the same as a call of the screen. If `found`
 * is undefined, returns the sentence `none`.
 */
const formIn = (found: OtherForm | undefined, none: string, text: (form: OtherForm) => string): CallForm => {
  if (found === undefined) return { note: none }
  if (found.missing.length > 0)
    return { note: `${found.name} needs ${found.missing.join(" and ")}, and this screen has no value for it.` }
  return { text: text(found), ...noteOn(found) }
}

const trpcOf = (call: PreviewedCall, catalog: Catalog): CallForm =>
  "procedure" in call
    ? { text: procedureText(call.procedure, call.kind, call.input) }
    : formIn(
        procedureFor(catalog, call.route, call.input),
        `No procedure answers the same as ${call.route}. Use curl or fetch.`,
        ({ input, name }) => procedureText(name, "query", input)
      )

const mcpOf = (call: PreviewedCall, catalog: Catalog): CallForm =>
  "procedure" in call
    ? formIn(
        toolForProcedure(catalog, call.procedure, call.input),
        `No MCP tool answers the same as ${call.procedure}.`,
        toolText
      )
    : formIn(toolFor(catalog, call.route, call.input), `No MCP tool answers the same as ${call.route}.`, toolText)

export const callName = (call: PreviewedCall) => ("procedure" in call ? call.procedure : call.route)

/** The four forms of a call, each with the name of its tab in the API preview. */
export const callForms: ReadonlyArray<{
  readonly name: string
  readonly of: (call: PreviewedCall, catalog: Catalog) => CallForm
}> = [
  { name: "curl", of: (call) => ({ text: curlOf(call) }) },
  { name: "fetch", of: (call) => ({ text: fetchOf(call) }) },
  { name: "tRPC", of: trpcOf },
  { name: "MCP", of: mcpOf }
]
