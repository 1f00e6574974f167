/** The parts of the pod's configuration that clients are allowed to see. None of them is a secret. */
import { Context } from "effect"

export class PodFacts extends Context.Tag("pod/PodFacts")<
  PodFacts,
  {
    readonly version: string
    readonly isProduction: boolean
    readonly rateLimitPerMinute: number
    /** The URL at which clients reach the pod. */
    readonly baseUrl: string
  }
>() {}
