/** What the pod may say about how it runs. None of it is a secret. */
import { Context } from "effect"

export class PodFacts extends Context.Tag("pod/PodFacts")<
  PodFacts,
  {
    readonly version: string
    readonly isProduction: boolean
    readonly rateLimitPerMinute: number
  }
>() {}
