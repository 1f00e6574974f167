/** The names of the models that an OpenAI client may ask for. */
import { NotFound } from "../../doors/Failure.ts"

/** The model names that do not depend on the configured service. Each of them means the configured model. */
const aliases = ["svc/auto", "svc/free", "svc/balanced", "svc/advanced", "svc/complex"] as const
export const defaultModel = aliases[0]

const ownerOf = (name: string) => (name.startsWith("svc/") ? "pod" : "provider")

/** One model in the list of models. `created` is zero, because the pod does not know the age of a model. */
export const modelEntry = (name: string) =>
  ({ id: name, object: "model", created: 0, owned_by: ownerOf(name) }) as const

/** Every model name that a client may ask for; the configured model comes last. */
export const modelNames = (configured: string | undefined): ReadonlyArray<string> => [
  ...aliases,
  ...(configured === undefined ? [] : [configured])
]

/**
 * Makes the refusal of a model name that is not in the list. The pod refuses other models of the same service too,
 * because the operator chooses the model and pays for it.
 */
export const unknownModel = (name: string) =>
  new NotFound({
    why: `This pod has no model with the name ${name}. \`GET /v1/models\` lists the names.`,
    details: { reason: "model_not_found" }
  })
