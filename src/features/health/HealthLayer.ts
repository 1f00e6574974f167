/**
 * The Effect layers of health, with the probe of the database. All features can use the registry of probes, so that
 * each feature can add its probe.
 */
import { Effect, Layer } from "effect"
import { databaseUnavailable } from "../../doors/Recovery.ts"
import { Database } from "../../platform/Database.ts"
import * as SearchLayer from "../search/SearchLayer.ts"
import { Dependencies, type ProbeAnswer } from "./Dependencies.ts"
import { DependencyHealth } from "./DependencyHealth.ts"
import * as HealthHandlers from "./HealthHandlers.ts"
import * as PodProbes from "./PodProbes.ts"

const database = Dependencies.probing(
  Effect.map(Database, ({ engine, ping, writable }) => ({
    name: "database",
    check: () =>
      Effect.zipRight(
        ping,
        Effect.match(writable, {
          onSuccess: (): ProbeAnswer => ({ state: "ok", serviceId: engine }),
          onFailure: (error): ProbeAnswer => ({
            state: "down",
            serviceId: engine,
            reason: databaseUnavailable(error).why
          })
        })
      )
  }))
)

export const services = DependencyHealth.layer

export const layer = Layer.mergeAll(
  database,
  PodProbes.layer.pipe(Layer.provide(SearchLayer.services)),
  HealthHandlers.layer
).pipe(Layer.provideMerge(services))
