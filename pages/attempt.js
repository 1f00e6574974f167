/** The form that tries an operation, and the same call as a curl command. */
import { callOf, curlOf, perform } from "./calls.js"
import { credential } from "./credential.js"
import { copyable, element } from "./dom.js"
import { resolved, sample, typeOf } from "./schema.js"

/** The kinds of credential an operation takes: its own, else what the description says for all. */
export const takenBy = (api, operation) =>
  (operation.security ?? api.security).flatMap((requirement) => Object.keys(requirement))

/** Which credential a call uses: the one typed in where it fits, else the first that the operation takes. */
const schemeOf = (api, operation) => {
  const taken = takenBy(api, operation)
  return taken.includes(credential.kind) ? credential.kind : taken[0]
}

const noteOf = (api, operation) => {
  const taken = takenBy(api, operation)
  if (taken.length === 0) return "Needs no credential."
  if (taken.includes("operator")) return "No page can call this: it comes over the socket of the data directory."
  if (credential.secret === "") return "No key typed in above yet."
  if (schemeOf(api, operation) === credential.kind) return "Sent with your credential."
  return credential.kind === "session" ? "This takes a key, not a sign-in." : "This takes a sign-in, not a key."
}

const bodyNames = { rest: "Body", procedure: "Input", tool: "Arguments" }

/** What the JSON that an operation takes is called. */
export const bodyName = ({ surface }) => bodyNames[surface]

/** The two halves of an operation that act: the curl command and the form. */
export const attempt = ({ api, ...entry }) => {
  const { id, operation } = entry
  const media = operation.requestBody?.content["application/json"]
  const inputs = operation.parameters.map((each) => {
    const parameter = resolved(api, each)
    const input = element("input", {
      id: `${id}-${parameter.in}-${parameter.name}`,
      placeholder: parameter.schema.default ?? typeOf(api, parameter.schema),
      required: parameter.required,
      autocomplete: "off",
      spellcheck: "false"
    })
    return { parameter, input }
  })
  const body =
    media === undefined ? undefined : element("textarea", { id: `${id}-body`, rows: "7", spellcheck: "false" })
  if (body !== undefined) body.value = JSON.stringify(media.example ?? sample(api, media.schema), null, 2)

  const scheme = () => schemeOf(api, operation)
  const call = () =>
    callOf[entry.surface](
      entry,
      inputs.filter(({ input }) => input.value !== ""),
      body?.value,
      scheme()
    )
  const curl = copyable(curlOf(call(), scheme()), "the curl command")
  const refresh = () => curl.update(curlOf(call(), scheme()))
  const note = element("p", {})
  const showCredential = () => {
    refresh()
    note.textContent = noteOf(api, operation)
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
        const { isGood, verdict, text } = await perform(call(), scheme())
        send.disabled = false
        answer.replaceChildren(
          element("p", { class: `verdict ${isGood ? "good" : "bad"}` }, verdict),
          ...(text === "" ? [] : [copyable(text.trim(), "the answer").node])
        )
      }
    },
    inputs.length === 0
      ? undefined
      : element(
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
    body === undefined ? undefined : element("div", {}, element("label", { for: body.id }, bodyName(entry)), body),
    element("div", { class: "send" }, send, note),
    answer
  )
  return { curl: curl.node, form }
}
