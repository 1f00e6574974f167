/** The handlers of model services: they translate between the procedures and the service. */
import { Effect } from "effect"
import { Catalog } from "../../doors/Catalog.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { PodFacts } from "../adoption/PodFacts.ts"
import { featuresOf } from "./FeatureNames.ts"
import { IntelligenceProcedures } from "./IntelligenceRpc.ts"
import type { ModelService, ServiceCommand } from "./ModelService.ts"
import { ModelServices } from "./ModelServices.ts"

/**
 * Converts the name of an operation to a name that people can read. For example, `retrieval.answer` becomes `Retrieval:
 * answer`.
 */
const titleOf = (name: string) => {
  const [part = "", action = ""] = name.split(".")
  return `${part.slice(0, 1).toUpperCase()}${part.slice(1)}: ${action}`
}

export const layer = implementProcedures(
  IntelligenceProcedures,
  Effect.gen(function* () {
    const { commandsOf, reachable, services } = yield* ModelServices
    const { version } = yield* PodFacts
    const catalog = yield* Catalog

    /**
     * Calls `each` for every operation (command) for which the pod uses one of the services, and returns the results.
     */
    const ofCommands = <A>(
      found: ReadonlyArray<ModelService>,
      each: (command: ServiceCommand, service: ModelService) => A
    ) =>
      Effect.map(
        Effect.forEach(found, (service) =>
          Effect.map(commandsOf(service), (commands) => commands.map((command) => each(command, service)))
        ),
        (all) => all.flat()
      )

    return {
      "capabilities.list": () =>
        Effect.zipWith(catalog.compiled, services, (compiled, intelligenceServices) => ({
          core: { version, features: featuresOf(compiled) },
          plugins: [],
          intelligenceServices
        })),
      "intelligence.listRegisteredServices": () => services,
      "intelligence.listSpecialisations": (filter) =>
        Effect.flatMap(reachable(filter), (found) =>
          ofCommands(found, ({ description, id, serviceId }, { capabilities: [capability] }) => ({
            id,
            serviceId,
            capability,
            description
          }))
        ),
      "intelligence.agentDefinitions": (filter) =>
        Effect.flatMap(reachable(filter), (found) =>
          Effect.forEach(
            found.filter(({ capabilities }) => capabilities.includes("chat")),
            (service) =>
              Effect.map(commandsOf(service), (commands) => ({
                id: service.serviceId,
                name: service.name,
                serviceId: service.serviceId,
                capabilities: service.capabilities,
                specialisations: commands.map(({ id }) => id)
              }))
          )
        ),
      "intelligence.getServiceCommands": (filter) =>
        Effect.flatMap(reachable(filter), (found) => ofCommands(found, (command) => command)),
      "intelligence.listSystemSkills": (filter) =>
        Effect.flatMap(reachable(filter), (found) =>
          ofCommands(found, ({ description, id, serviceId }) => ({
            id,
            name: titleOf(id),
            description,
            scope: "pod" as const,
            executionMode: "synchronous" as const,
            serviceId
          }))
        ),
      "intelligence.getServiceManifest": Effect.fnUntraced(function* ({ serviceId }) {
        const service = (yield* services).find(
          (each) => serviceId === undefined || each.id === serviceId || each.serviceId === serviceId
        )
        return service === undefined ? null : { service, commands: yield* commandsOf(service) }
      }),
      "intelligence.getLatestMemoryState": () => Effect.succeed(null)
    }
  })
)
