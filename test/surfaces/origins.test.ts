/** The headers that pages of an allowed origin may send and read, compared with the headers in the sources. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { cors } from "../../src/surfaces/Origins.ts"
import { projectRoot } from "../support/migrations.ts"

const origin = "https://app.example.com"

/** Returns the list in a header of the answer to a preflight request. */
const listed = (name: string, url = "/api/hub/entities", asked = ""): ReadonlyArray<string> => {
  const set = new Map<string, string>()
  const response = { setHeader: (header: string, value: string) => set.set(header, value), writeHead() {}, end() {} }
  const request = {
    method: "OPTIONS",
    url,
    headers: { origin, "access-control-request-headers": asked }
  } as IncomingMessage
  cors({ publicUrl: undefined, corsOrigins: [origin] })(request, response as unknown as ServerResponse)
  return (set.get(name) ?? "").split(", ")
}

/**
 * The sources of the surfaces and doors, without the API description, and without `Origins.ts`, which contains the
 * tested list.
 */
const sources = ["src/surfaces", "src/doors"]
  .flatMap((folder) => readdirSync(projectRoot + folder).map((file) => `${folder}/${file}`))
  .filter((file) => file.endsWith(".ts") && !/OpenApi|Origins/.test(file))
  .map((file) => readFileSync(projectRoot + file, "utf8"))

const found = (...patterns: ReadonlyArray<RegExp>): ReadonlySet<string> =>
  new Set(
    sources.flatMap((text) =>
      patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name.toLowerCase()))
    )
  )

/**
 * Returns the header names in each statement that destructures headers, such as `const { accept, "mcp-name": name } =
 * headers`.
 */
const takenApart = (): ReadonlyArray<string> =>
  sources
    .flatMap((text) => [...text.matchAll(/\{([^{}]*)\} = (?:request\.)?headers\b/g)])
    .flatMap(([, names]) => names.split(",").map((name) => name.trim().split(":")[0].replaceAll('"', "")))

/** Headers that a browser or a proxy sets itself, that a page may always send, or that only pages of the pod need. */
const notFromPages = new Set([
  "accept",
  "accept-encoding",
  "content-encoding",
  "content-length",
  "host",
  "if-none-match",
  "origin",
  "transfer-encoding",
  "user-agent",
  "x-forwarded-for"
])

/** Headers for the browser or for a proxy, and headers that a page may always read. */
const notForPages = new Set([
  "cache-control",
  "connection",
  "content-type",
  "referrer-policy",
  "vary",
  "x-accel-buffering",
  "x-content-type-options",
  "x-frame-options"
])

describe("headers for web pages of an allowed origin", () => {
  it("a web page of an allowed origin may send every header that the pod reads", () => {
    const read = new Set([
      ...found(/headers\["([a-z-]+)"\]/g, /headerNamed\("([A-Za-z-]+)"\)/g),
      ...takenApart().filter((name) => !name.startsWith("...") && name !== "www-authenticate")
    ])
    for (const name of ["authorization", "prefer", "x-session-id", "mcp-name"]) assert.include([...read], name)
    const unknown = [...read].filter((name) => !notFromPages.has(name))
    assert.includeMembers([...listed("access-control-allow-headers")], unknown)
  })

  it("a web page of an allowed origin may read every header that the pod sets", () => {
    const set = found(
      /setHeader\(\s*"([a-z-]+)"/g,
      /"(x-svc-[a-z-]+)"/g,
      /"(ratelimit-[a-z]+)"/g,
      /"?\b(retry-after|www-authenticate|allow)"?: (?:"|String|failure|acceptedMethods)/g
    )
    for (const name of ["x-svc-next-cursor", "x-svc-ignored-fields", "allow", "retry-after"]) {
      assert.include([...set], name)
    }
    const requests = listed("access-control-allow-headers")
    const answers = [...set].filter((name) => !notForPages.has(name) && !requests.includes(name))
    assert.includeMembers([...listed("access-control-expose-headers")], answers)
  })

  it("a web page of an allowed origin may send the headers with which the OpenAI client describes itself, but only to the paths for OpenAI clients", () => {
    const sent = [
      "authorization,content-type,openai-organization,x-stainless-arch,x-stainless-helper-method,x-stainless-lang",
      "x-stainless-os,x-stainless-package-version,x-stainless-retry-count,x-stainless-runtime,x-stainless-timeout"
    ].join(",")
    const allowed = listed("access-control-allow-headers", "/v1/chat/completions?x=1", sent)
    assert.includeMembers([...allowed], sent.split(","))
    for (const path of ["/api/hub/entities", "/v10", "/mcp"]) {
      for (const name of listed("access-control-allow-headers", path, sent)) assert.notMatch(name, /stainless|openai/)
    }
  })

  it("the pod does not allow a web page to send an unknown header, whatever the preflight request contains", () => {
    const sent = "cookie, x-secret, x-stainless-Ä, x-stainless-a\r\nb, not-x-stainless-c"
    const allowed = listed("access-control-allow-headers", "/v1/models", sent)
    for (const name of allowed) assert.notMatch(name, /cookie|secret|x-stainless/)
  })
})
