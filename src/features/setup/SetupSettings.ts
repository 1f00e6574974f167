/** The settings of setting up agents and services: the provisioning token, and the address of the pod. */
import { Context, type Redacted } from "effect"

export class SetupSettings extends Context.Tag("pod/SetupSettings")<
  SetupSettings,
  {
    /** The token that provisions in the name of the pod's owner. If undefined, no token does. */
    readonly provisioningToken: Redacted.Redacted | undefined
    /** The address of the pod, for links, and the audience of assertions if no other one is set. */
    readonly baseUrl: string
  }
>() {}
