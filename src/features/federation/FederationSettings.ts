/** The issuers whose assertions the pod trusts, and the audience that an assertion must name. */
import { Context } from "effect"

export class FederationSettings extends Context.Tag("pod/FederationSettings")<
  FederationSettings,
  {
    /**
     * The addresses of the trusted issuers, without a slash at the end. If the list is empty, the pod accepts no
     * assertion.
     */
    readonly issuers: ReadonlyArray<string>
    readonly audience: string | null
  }
>() {}
