/** One operation of the reference: what it takes, what it answers, and a form to try it. */
import { attempt, bodyName, takenBy } from "./attempt.js"
import { element, inline, prose } from "./dom.js"
import { field, fields, resolved, sampleAnswer } from "./schema.js"

const credentialNames = { bearer: "API key", session: "sign-in session", operator: "socket of the data directory" }

const codes = (texts) => texts.flatMap((text, at) => [at === 0 ? "" : " + ", element("code", {}, text)])

const accessOf = ({ api, name, operation }) => {
  const taken = takenBy(api, operation)
  const permissions = operation["x-pod-permissions"] ?? []
  const rows = [
    ["Credential", taken.length === 0 ? "none" : taken.map((name) => credentialNames[name] ?? name).join(" or ")],
    operation["x-pod-scope"] === undefined ? undefined : ["Scope", codes([operation["x-pod-scope"]])],
    permissions.length === 0 ? undefined : ["Grant", codes(permissions)],
    ["Name", codes([name])]
  ]
  return element(
    "dl",
    { class: "facts" },
    rows
      .filter((row) => row !== undefined)
      .flatMap(([term, meaning]) => [element("dt", {}, term), element("dd", {}, meaning)])
  )
}

const answersOf = (api, operation) =>
  Object.entries(operation.responses).map(([status, reference]) => {
    const response = resolved(api, reference)
    const media = response.content?.["application/json"]
    const schema = media?.schema
    return element(
      "details",
      { class: "inner" },
      element("summary", {}, element("code", {}, status), " ", ...inline(response.description)),
      schema === undefined ? undefined : fields(api, schema),
      schema === undefined || !status.startsWith("2")
        ? undefined
        : element("pre", {}, JSON.stringify(media.example ?? sampleAnswer(api, schema), null, 2))
    )
  })

const inside = (entry) => {
  const { api, operation } = entry
  const media = operation.requestBody?.content["application/json"]
  const { curl, form } = attempt(entry)
  const heading = (text) => element("h4", {}, text)
  const told = element(
    "div",
    {},
    heading("Door"),
    operation.description === undefined ? undefined : prose(operation.description),
    accessOf(entry),
    operation.parameters.length === 0
      ? undefined
      : [
          heading("Parameters"),
          element(
            "ul",
            { class: "fields" },
            operation.parameters
              .map((parameter) => resolved(api, parameter))
              .map((parameter) =>
                field(api, {
                  name: parameter.name,
                  schema: parameter.schema,
                  isRequired: parameter.required,
                  description: parameter.description
                })
              )
          )
        ],
    media === undefined ? undefined : [heading(bodyName(entry)), fields(api, media.schema)],
    Object.keys(operation.responses).length === 0 ? undefined : [heading("Answers"), ...answersOf(api, operation)]
  )
  return element("div", { class: "inside" }, told, element("div", {}, heading("curl"), curl, heading("Try it"), form))
}

/** The card of an operation. What is inside is made when it is first opened: most never are. */
export const operationCard = (entry) => {
  const { id, kind, operation, title } = entry
  const card = element(
    "details",
    { class: "operation", id },
    element(
      "summary",
      {},
      element("span", { class: `method ${kind}` }, kind.toUpperCase()),
      element("h3", {}, title),
      element("p", {}, inline(operation.summary))
    )
  )
  card.addEventListener("toggle", () => {
    if (card.open && card.childElementCount === 1) card.append(inside(entry))
  })
  return card
}
