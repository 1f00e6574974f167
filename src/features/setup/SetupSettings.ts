/** The settings for the setup of agents and services: the provisioning token, and the address of the pod. */
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
     * The address of the pod, for links. Assertions must also name this address as their audience, unless the settings
     * name another audience.
     */
    readonly baseUrl: string
  }
>() {}
