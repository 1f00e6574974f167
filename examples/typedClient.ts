/**
 * Calls the REST API with types. Paths, inputs and answers have the types of the pod's own declarations, so the compiler
 * refuses a path that does not exist, and a misspelt field.
 *
 * The types are in the package of the pod (`pod/hub-routes`); a project without the package copies
 * types/hub-routes.d.ts. Node 22.18 and later runs this file as it is. Node 20 needs `npx tsx examples/typedClient.ts`.
 */
import type { HubRoutes } from "pod/hub-routes"

type Route = keyof HubRoutes
type Part<R extends Route, Name extends string> = Name extends keyof HubRoutes[R] ? HubRoutes[R][Name] : unknown

/** What a call of a route needs: the parts of its path, its query and its body, as far as the route has them. */
type Input<R extends Route> = {
  readonly [Name in keyof HubRoutes[R] as Exclude<Name, "answer">]: Part<R, Name & string>
}

interface Answered<R extends Route> {
  readonly answer: HubRoutes[R]["answer"]
  /** The cursor of the next page of a list. */
  readonly next: string | undefined
}

/** A call that the pod refused. `message` explains it to people, and `code` names the reason for programs. */
class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, { code = "", error = "" }: { readonly code?: string; readonly error?: string }) {
    super(`${status} ${code}: ${error}`)
    this.status = status
    this.code = code
  }
}

const pod = process.env["POD_URL"] ?? "http://localhost:8787"
const headers = { authorization: `Bearer ${process.env["POD_API_KEY"]}`, "content-type": "application/json" }
const triesMax = 5

/** Calls a route. If the pod is busy, waits as long as it says, and sends the same request again. */
const call = async <R extends Route>(route: R, input: Input<R>, tries = 1): Promise<Answered<R>> => {
  const {
    body,
    params = {},
    query = {}
  } = input as {
    readonly body?: unknown
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string | undefined>>
  }
  const [method = "GET", template = ""] = route.split(" ")
  const url = new URL(
    template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "")),
    pod
  )
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  const response = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  const seconds = response.headers.get("retry-after")
  if (seconds !== null && tries < triesMax) {
    await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000))
    return call(route, input, tries + 1)
  }
  const answer: unknown = await response.json()
  if (!response.ok) throw new Refused(response.status, answer as { code?: string; error?: string })
  // The pod answers as it declares, so the cast is safe.
  return { answer: answer as HubRoutes[R]["answer"], next: response.headers.get("x-svc-next-cursor") ?? undefined }
}

const written = await call("POST /api/hub/entities", { body: { profileSlug: "note", title: "Order nails" } })
// A write of an agent can be a proposal. The type of the answer says so, and the compiler asks for this check.
if ("proposalId" in written.answer) console.log(`waits for a person: ${written.answer.proposalId}`)
else console.log(`created ${written.answer.id}`)

let cursor: string | undefined
do {
  const page = await call("GET /api/hub/entities", { query: { profileSlug: "note", limit: "2", cursor } })
  for (const { id, title, updatedAt } of page.answer) console.log(`${id} ${updatedAt.slice(0, 10)} ${title}`)
  cursor = page.next
} while (cursor !== undefined)

try {
  await call("GET /api/hub/entities/:id", { params: { id: "00000000-0000-7000-8000-000000000000" } })
} catch (refusal) {
  if (!(refusal instanceof Refused)) throw refusal
  console.log(`refused: ${refusal.status}`)
}
