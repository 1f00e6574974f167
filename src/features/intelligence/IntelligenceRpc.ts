/** The procedures of model services. They list the services, their commands and skills, and the parts of the pod. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrant } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import {
  AgentDefinition,
  ModelService,
  ServiceCommand,
  ServiceInput,
  ServiceManifest,
  Specialisation,
  SystemSkill
} from "./ModelService.ts"

const door = fullGrant("hub-protocol.read")

export const IntelligenceProcedures = RpcGroup.make(
  query("capabilities.list", {
    input: NoInput,
    success: Schema.Struct({
      core: described(
        "The pod itself.",
        Schema.Struct({
          version: described("Version of the pod.", Schema.String),
          features: described("Parts of the pod that have operations.", Schema.Array(Schema.String))
        })
      ),
      plugins: described("Plugins; this pod loads none.", Schema.Array(Schema.String)),
      intelligenceServices: described("Model services.", Schema.Array(ModelService))
    }),
    door,
    summary: "List what the pod can do, and the model services of the pod with their last known states."
  }),
  query("intelligence.listRegisteredServices", {
    input: NoInput,
    success: Schema.Array(ModelService),
    door,
    summary: "List the model services of the pod. Their keys and addresses are never shown."
  }),
  query("intelligence.listSpecialisations", {
    input: ServiceInput,
    success: Schema.Array(Specialisation),
    door,
    summary: "List what the pod uses its model services for. The list is empty if no service answers."
  }),
  query("intelligence.agentDefinitions", {
    input: ServiceInput,
    success: Schema.Array(AgentDefinition),
    door,
    summary: "List the agents that the model services define: one agent for each language model that answers."
  }),
  query("intelligence.getServiceCommands", {
    input: ServiceInput,
    success: Schema.Array(ServiceCommand),
    door,
    summary: "List the operations of the pod that call a model service. The list is empty if no service answers."
  }),
  query("intelligence.listSystemSkills", {
    input: ServiceInput,
    success: Schema.Array(SystemSkill),
    door,
    summary:
      "List the skills that everybody can use because the pod has a model service. The list is empty if no service answers."
  }),
  query("intelligence.getServiceManifest", {
    input: ServiceInput,
    success: Schema.NullOr(ServiceManifest),
    door,
    summary:
      "Read what the pod knows about a model service, by default the first one; null if the pod has no model service."
  }),
  query("intelligence.getLatestMemoryState", {
    input: NoInput,
    success: Schema.Null,
    door,
    summary: "Read the latest compacted memory. The answer is always null, because the pod keeps every fact."
  })
)
