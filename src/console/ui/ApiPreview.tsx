/** The drawer that shows how a program can make the same calls as the screen: with curl, fetch, tRPC and MCP. */
import { useState } from "react"
import { requestOf, type Route, type RouteInput } from "../api/hub.ts"
import { podRoot } from "../api/root.ts"
import { Button } from "./Button.tsx"
import { Copyable } from "./Copyable.tsx"
import { Dialog } from "./Dialog.tsx"
import { Tabs } from "./Tabs.tsx"

export type PreviewedCall =
  | {
      readonly route: Route
      readonly input: RouteInput
      /** The MCP tool that returns the same data as the route, if there is one. */
      readonly tool?: { readonly name: string; readonly input: object }
    }
  | { readonly procedure: string; readonly kind: "query" | "mutation"; readonly input: unknown }

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export const curlOf = (call: PreviewedCall): string => {
  if ("procedure" in call) {
    const url = `${podRoot}trpc/${call.procedure}`
    const text = JSON.stringify(call.input ?? {})
    return call.kind === "query"
      ? `curl -G ${quoted(url)} -H "X-Session-Token: $POD_TOKEN" --data-urlencode ${quoted(`input=${text}`)}`
      : `curl ${quoted(url)} -H "X-Session-Token: $POD_TOKEN" -H 'Content-Type: application/json' -d ${quoted(text)}`
  }
  const { body, method, url } = requestOf(call.route, call.input)
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
    `  -H "Authorization: Bearer $POD_API_KEY"`,
    ...(body === undefined ? [] : [`  -H 'Content-Type: application/json'`, `  -d ${quoted(body)}`])
  ].join(" \\\n")
}

const fetchOf = (call: PreviewedCall): string | undefined => {
  if ("procedure" in call) return undefined
  const { body, method, url } = requestOf(call.route, call.input)
  const lines = [
    ...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
    `  headers: { authorization: \`Bearer \${process.env.POD_API_KEY}\`${body === undefined ? "" : `, "content-type": "application/json"`} }${body === undefined ? "" : ","}`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body})`])
  ]
  return `const response = await fetch(${JSON.stringify(url)}, {\n${lines.join("\n")}\n})\nconst answer = await response.json()`
}

const trpcOf = (call: PreviewedCall): string | undefined =>
  "procedure" in call
    ? `const pod = createTRPCClient<AppRouter>({\n  links: [httpBatchLink({ url: ${JSON.stringify(`${podRoot}trpc`)}, headers: { "x-session-token": token } })]\n})\nconst answer = await pod.${call.procedure}.${call.kind === "query" ? "query" : "mutate"}(${JSON.stringify(call.input ?? {})})`
    : undefined

const mcpOf = (call: PreviewedCall): string | undefined =>
  "tool" in call && call.tool !== undefined
    ? JSON.stringify(
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: call.tool.name, arguments: call.tool.input } },
        undefined,
        2
      )
    : undefined

const nameOf = (call: PreviewedCall) => ("procedure" in call ? call.procedure : call.route)

const forms = [
  { name: "curl", text: curlOf },
  { name: "fetch", text: fetchOf },
  { name: "tRPC", text: trpcOf },
  { name: "MCP", text: mcpOf }
] as const

export const ApiPreview = ({ calls }: { readonly calls: ReadonlyArray<PreviewedCall> }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>API</Button>
      <Dialog title="The same over the API" isOpen={isOpen} onClose={() => setOpen(false)} shape="drawer">
        <p className="text-muted">
          This screen calls the same API that every program can call. The credential is your own.
        </p>
        <Tabs
          label="Form of the call"
          tabs={forms.map(({ name, text }) => ({
            name,
            content: (
              <div className="grid gap-3">
                {calls.map((call) => {
                  const written = text(call)
                  return written === undefined ? (
                    <p key={JSON.stringify(call)} className="text-muted">
                      {nameOf(call)} has no form here.
                    </p>
                  ) : (
                    <Copyable key={JSON.stringify(call)} text={written} name={nameOf(call)} />
                  )
                })}
              </div>
            )
          }))}
        />
      </Dialog>
    </>
  )
}
