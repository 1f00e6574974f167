/**
 * A model service: a language model or embedding model that the pod calls. The API does not show the key and the
 * address of the service.
 */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"

const Capability = Schema.Literal("chat", "embeddings").annotations({ identifier: "ModelCapability" })

const serviceId = described("Name of the model of the service, as in the health report.", Schema.String)

export const ModelService = Schema.Struct({
  id: described("Name of the service in the health report.", Schema.Literal("model-service", "embedding-service")),
  serviceId,
  name: Schema.String,
  capabilities: described("What the service can do.", Schema.Array(Capability)),
  pricing: described("Always null: the pod does not know the prices of a service.", Schema.Literal("unknown")),
  version: described("Version of the service; null if the version is not known.", Schema.NullOr(Schema.String)),
  health: described(
    "State of the service at the last check. `unknown` if the pod has not checked the service yet.",
    Schema.Literal("ok", "down", "unknown")
  ),
  checkedAt: described("When the pod last checked the service.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "ModelService" })
export type ModelService = typeof ModelService.Type

/** An operation of the pod that calls a model service. */
export const ServiceCommand = Schema.Struct({
  id: described("Name of the operation of the pod.", Schema.String),
  serviceId,
  description: described("What the operation does.", Schema.String),
  method: described("HTTP method, such as GET or POST.", Schema.String),
  path: described("Path of the operation.", Schema.String)
}).annotations({ identifier: "ServiceCommand" })
export type ServiceCommand = typeof ServiceCommand.Type

export const Specialisation = Schema.Struct({
  id: described("Name of the operation of the pod.", Schema.String),
  serviceId,
  capability: Capability,
  description: described("What the service is used for.", Schema.String)
}).annotations({ identifier: "Specialisation" })

/** A skill that every pod has, in the form in which lists show skills. */
export const SystemSkill = Schema.Struct({
  id: described("Name of the operation of the pod.", Schema.String),
  name: Schema.String,
  description: Schema.String,
  scope: described("Who can use the skill: always everybody in the pod.", Schema.Literal("pod")),
  executionMode: described("Always `synchronous`: the answer contains the result.", Schema.Literal("synchronous")),
  serviceId
}).annotations({ identifier: "SystemSkill" })

/** A language model, described as an agent. An embedding model is not described as an agent. */
export const AgentDefinition = Schema.Struct({
  id: described("Model of the service.", Schema.String),
  name: Schema.String,
  serviceId,
  capabilities: described("What the agent can do.", Schema.Array(Capability)),
  specialisations: described("Operations of the pod that the agent carries out.", Schema.Array(Schema.String))
}).annotations({ identifier: "AgentDefinition" })

export const ServiceManifest = Schema.Struct({
  service: described("The model service.", ModelService),
  commands: described("Operations of the pod that call the service.", Schema.Array(ServiceCommand))
}).annotations({ identifier: "ServiceManifest" })

/** The filter for a list of model services. */
export const ServiceInput = Schema.Struct({
  serviceId: described(
    "The `id` or `serviceId` of the wanted service.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(200)))
  )
})
export type ServiceInput = typeof ServiceInput.Type
