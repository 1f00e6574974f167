/** The form that tries an operation, and the same call as a curl command. */
import { copyable, element } from "./dom.js"
import { resolved, sample, typeOf } from "./schema.js"

/** Kept here and nowhere else: no storage, no address, no cookie. */
export const credential = { kind: "bearer", secret: "" }

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The kinds of credential an operation takes: its own, else what the description says for all. */
export const takenBy = (api, operation) =>
  (operation.security ?? api.security).flatMap((requirement) => Object.keys(requirement))

/** Which credential a call uses: the one typed in where it fits, else the first that the operation takes. */
const schemeOf = (api, operation) => {
  const taken = takenBy(api, operation)
  return taken.includes(credential.kind) ? credential.kind : taken[0]
}

const authorization = (scheme, secret) =>
  scheme === "bearer" ? ["Authorization", `Bearer ${secret}`] : ["X-Session-Token", secret]

const curlOf = (call, scheme) => {
  const lines = [`curl ${call.method === "GET" ? "" : `-X ${call.method} `}${quoted(call.url)}`]
  if (scheme !== undefined) {
    const [name, value] = authorization(scheme, scheme === "bearer" ? "$POD_KEY" : "$POD_TOKEN")
    lines.push(`-H "${name}: ${value}"`)
  }
  for (const [name, value] of call.headers) lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (call.body !== undefined) lines.push(`-d ${quoted(call.body)}`)
  return lines.join(" \\\n  ")
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const shownHeaders = ["x-request-id", "retry-after", "ratelimit-remaining", "x-idempotent-replay"]

/** Headers can carry printable ASCII; anything else would make `fetch` throw before it sends. */
const isSendable = (secret) => /^[\x21-\x7e]*$/.test(secret)

const perform = async (call, scheme) => {
  if (scheme !== undefined && !isSendable(credential.secret)) {
    return { isGood: false, verdict: "The key holds characters that no key has.", text: "" }
  }
  const headers = new Headers(call.headers)
  if (scheme !== undefined && credential.secret !== "") headers.set(...authorization(scheme, credential.secret))
  const startedMs = performance.now()
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers,
      body: call.body,
      credentials: "omit",
      cache: "no-store",
      redirect: "error"
    })
    const text = await response.text()
    const told = shownHeaders.flatMap((name) =>
      response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : []
    )
    return {
      isGood: response.ok,
      verdict: `${response.status} ${response.statusText} in ${Math.round(performance.now() - startedMs)} ms`,
      text: `${told.join("\n")}\n\n${pretty(text)}`
    }
  } catch (cause) {
    return { isGood: false, verdict: `Nothing came back: ${cause.message}`, text: "" }
  }
}

/** The two halves of an operation that act: the curl command and the form. */
export const attempt = (api, { method, path, operation }) => {
  const base = new URL(".", document.baseURI).href.replace(/\/$/, "")
  const media = operation.requestBody?.content["application/json"]
  const inputs = operation.parameters.map((each) => {
    const parameter = resolved(api, each)
    const input = element("input", {
      id: `${operation.operationId}-${parameter.in}-${parameter.name}`,
      placeholder: parameter.schema.default ?? typeOf(api, parameter.schema),
      required: parameter.required,
      autocomplete: "off",
      spellcheck: "false"
    })
    return { parameter, input }
  })
  const body =
    media === undefined
      ? undefined
      : element("textarea", { id: `${operation.operationId}-body`, rows: "7", spellcheck: "false" })
  if (body !== undefined) body.value = JSON.stringify(media.example ?? sample(api, media.schema), null, 2)

  const call = () => {
    const filled = inputs.filter(({ input }) => input.value !== "")
    const from = (place) => filled.filter(({ parameter }) => parameter.in === place)
    const at = path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
      const found = from("path").find(({ parameter }) => parameter.name === name)
      return found === undefined ? whole : encodeURIComponent(found.input.value)
    })
    const query = from("query").map(
      ({ parameter, input }) => `${encodeURIComponent(parameter.name)}=${encodeURIComponent(input.value)}`
    )
    return {
      method: method.toUpperCase(),
      url: `${base}${at}${query.length === 0 ? "" : `?${query.join("&")}`}`,
      headers: [
        ...(body === undefined ? [] : [["Content-Type", "application/json"]]),
        ...from("header").map(({ parameter, input }) => [parameter.name, input.value])
      ],
      body: body?.value
    }
  }

  const curl = copyable(curlOf(call(), schemeOf(api, operation)), "the curl command")
  const refresh = () => curl.update(curlOf(call(), schemeOf(api, operation)))
  const note = element("p", {})
  const showCredential = () => {
    refresh()
    note.textContent =
      takenBy(api, operation).length === 0
        ? "Needs no credential."
        : credential.secret === ""
          ? "No key typed in above yet."
          : schemeOf(api, operation) === credential.kind
            ? "Sent with your credential."
            : "This operation does not take that kind of credential."
  }
  document.addEventListener("credential", showCredential)
  showCredential()

  const answer = element("div", { class: "answer", role: "status" })
  const send = element("button", { type: "submit" }, "Send")
  const form = element(
    "form",
    {
      class: "attempt",
      oninput: refresh,
      onsubmit: async (event) => {
        event.preventDefault()
        send.disabled = true
        const scheme = schemeOf(api, operation)
        const { isGood, verdict, text } = await perform(call(), scheme)
        send.disabled = false
        answer.replaceChildren(
          element("p", { class: `verdict ${isGood ? "good" : "bad"}` }, verdict),
          ...(text === "" ? [] : [copyable(text.trim(), "the answer").node])
        )
      }
    },
    element(
      "div",
      { class: "row" },
      inputs.map(({ parameter, input }) =>
        element(
          "div",
          {},
          element("label", { for: input.id }, parameter.name, " ", element("small", {}, parameter.in)),
          input
        )
      )
    ),
    body === undefined ? undefined : element("div", {}, element("label", { for: body.id }, "Body"), body),
    element("div", { class: "send" }, send, note),
    answer
  )
  return { curl: curl.node, form }
}
