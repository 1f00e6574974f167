/** The names of the models for which an OpenAI client can ask. */
import { NotFound } from "../../doors/Failure.ts"

/** The model names that do not depend on the configured service. Each of them means the configured model. */
const aliases = ["svc/auto", "svc/free", "svc/balanced", "svc/advanced", "svc/complex"] as const
export const defaultModel = aliases[0]

const ownerOf = (name: string) => (name.startsWith("svc/") ? "pod" : "provider")

/** Makes one entry of the list of models. `created` is zero, because the pod does not know the age of a model. */
export const modelEntry = (name: string) =>
  ({ id: name, object: "model", created: 0, owned_by: ownerOf(name) }) as const

/** Returns every model name for which a client can ask. The configured model comes last. */
export const modelNames = (configured: string | undefined): ReadonlyArray<string> => [
  ...aliases,
  ...(configured === undefined ? [] : [configured])
]

/**
 * Makes the refusal of a model name that is not in the list. The pod also refuses other models of the same service,
 * because the operator chooses the model and pays for it.
 */
export const unknownModel = (name: string) =>
  new NotFound({
    why: `This pod has no model with the name ${name}. \`GET /v1/models\` lists the names.`,
    details: { reason: "model_not_found" }
  })
