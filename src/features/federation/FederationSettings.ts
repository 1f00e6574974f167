/** Whom the pod believes: issuers of assertions, and the audience that these must be made for. */
import { Context } from "effect"

export class FederationSettings extends Context.Tag("pod/FederationSettings")<
  FederationSettings,
  {
    /** Addresses without a slash at the end. None: no assertion is believed. */
    readonly issuers: ReadonlyArray<string>
    readonly audience: string | null
  }
>() {}
