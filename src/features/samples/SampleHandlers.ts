/** The handler of the endpoint with which the owner of the pod removes sample data. */
import { Effect, Layer } from "effect"
import { implement } from "../../doors/Implement.ts"
import { SampleApi } from "./SampleApi.ts"
import { Samples } from "./Samples.ts"

export const layer = implement(
  SampleApi,
  Effect.map(Samples, (samples) => ({ "samples.remove": () => samples.remove }))
).pipe(Layer.provide(Samples.layer))
