/** The services that a command can use. */
import type * as CliApp from "@effect/cli/CliApp"
import type { Globals } from "./Globals.ts"
import type { Output } from "./Output.ts"
import type { PodClient } from "./PodClient.ts"

export type CliServices = Globals | Output | PodClient | CliApp.CliApp.Environment
