/** The settings for the setup of agents and services: the provisioning token, and the base URL of the pod. */
import { Context, type Redacted } from "effect"

export class SetupSettings extends Context.Tag("pod/SetupSettings")<
  SetupSettings,
  {
    /**
     * The token with which the operator sets up agents and services for the owner of the pod. Undefined means that
     * there is no such token.
     */
    readonly provisioningToken: Redacted.Redacted | undefined
    /**
     * The base URL of the pod, for links. The audience of an assertion must be this URL, unless the settings name
     * another audience.
     */
    readonly baseUrl: string
  }
>() {}
