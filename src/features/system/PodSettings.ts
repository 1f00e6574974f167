/** The settings with which this pod was started, without its secrets. */
import { Context } from "effect"
import type { ShownSetting } from "../../platform/settings/ShownSettings.ts"

export class PodSettings extends Context.Tag("pod/PodSettings")<
  PodSettings,
  { readonly shown: ReadonlyArray<ShownSetting> }
>() {}
