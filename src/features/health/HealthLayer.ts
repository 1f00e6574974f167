/** The layers of health. The registry of probes is below all features, so that each feature can add its probe. */
import { Effect, Layer } from "effect"
import { Database } from "../../platform/Database.ts"
import * as SearchLayer from "../search/SearchLayer.ts"
import { Dependencies } from "./Dependencies.ts"
import { DependencyHealth } from "./DependencyHealth.ts"
import * as HealthHandlers from "./HealthHandlers.ts"
import * as PodProbes from "./PodProbes.ts"

const database = Dependencies.probing(
  Effect.map(Database, ({ engine, ping }) => ({
    name: "database",
    check: () => Effect.as(ping, { state: "ok" as const, serviceId: engine })
  }))
)

/** The services that other features use. */
export const services = DependencyHealth.layer

export const layer = Layer.mergeAll(
  database,
  PodProbes.layer.pipe(Layer.provide(SearchLayer.services)),
  HealthHandlers.layer
).pipe(Layer.provideMerge(services))
