/** Decides how a command reaches the pod: by an address, by the socket of the data directory, or in this process. */
import { Effect, type Scope } from "effect"
import { parsedUrl } from "../platform/ParsedUrl.ts"
import { podAddress } from "../platform/settings/PodAddress.ts"
import { badUsage, type CliFailure, notFound } from "./CliFailure.ts"
import type { FileSystem } from "@effect/platform"
import { readCredentials, storedProfile, type StoredProfiles } from "./Credentials.ts"
import { type GlobalsShape, startCommand } from "./Globals.ts"
import type { CallTarget } from "./HttpCall.ts"

export interface Connection {
  readonly transport: "url" | "socket" | "process"
  readonly place: CallTarget
  /** The headers that carry the credential. The operator of the data directory needs no credential. */
  readonly credential: Readonly<Record<string, string>>
  readonly isKey: boolean
  /** The name of the stored sign-in that the command uses; undefined if it uses none. */
  readonly profile?: string
}

const env = (name: string): string | undefined => {
  const value = process.env[name]
  return value === undefined || value === "" ? undefined : value
}

/** Returns a URL without the slash at its end. Fails if the text is not the address of a server. */
export const addressOf = (text: string): Effect.Effect<string, CliFailure> =>
  Effect.suspend(() => {
    const parsed = parsedUrl(text)
    return parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.username === "" && parsed.password === ""
      ? Effect.succeed(text.replace(/\/+$/, ""))
      : Effect.fail(
          badUsage(
            parsed?.password
              ? "The address of the pod contains a password."
              : `${JSON.stringify(text)} is not an address of a pod.`,
            "Use an address such as http://localhost:8787."
          )
        )
  })

/**
 * Returns the profile (stored sign-in) and the address to use. Flags come first, then the environment, then the file of
 * sign-ins.
 */
const chooseProfile = Effect.fnUntraced(function* (globals: GlobalsShape, stored: StoredProfiles) {
  const givenName = globals.profile ?? env("POD_PROFILE")
  const url = globals.url ?? (globals.profile === undefined ? env("POD_URL") : undefined)
  if (givenName !== undefined) {
    const { name, profile } = yield* storedProfile(stored, givenName)
    return {
      name,
      profile,
      url: url === undefined ? profile.url : yield* addressOf(url),
      isStoredUrl: url === undefined
    }
  }
  if (url !== undefined) {
    const address = yield* addressOf(url)
    // A token is sent only to the pod that issued it.
    const found = Object.entries(stored.profiles).find(([, profile]) => profile.url === address)
    return { name: found?.[0], profile: found?.[1], url: address, isStoredUrl: false }
  }
  // A person who names a data directory wants the pod on this machine.
  if (globals.dataDir !== undefined || stored.current === null) return undefined
  const profile = stored.profiles[stored.current]
  return profile === undefined ? undefined : { name: stored.current, profile, url: profile.url, isStoredUrl: true }
})

const overHttp = (
  url: string,
  found?: {
    readonly name: string | undefined
    readonly profile: StoredProfiles["profiles"][string] | undefined
    readonly isStoredUrl: boolean
  }
): Connection => {
  const key = env("POD_API_KEY")
  const token = found?.profile?.url === url ? found.profile.token : undefined
  const credential: Record<string, string> =
    key === undefined ? (token === undefined ? {} : { "x-session-token": token }) : { authorization: `Bearer ${key}` }
  return {
    transport: "url",
    place: { url, ...(found?.isStoredUrl === true && found.name !== undefined ? { profile: found.name } : {}) },
    credential,
    isKey: key !== undefined,
    ...(key === undefined && token !== undefined && found?.name !== undefined ? { profile: found.name } : {})
  }
}

/** Connects to the pod on this machine: over its socket, or in this process if no pod runs. */
const onThisMachine = (globals: GlobalsShape): Effect.Effect<Connection, CliFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const local = yield* Effect.promise(() => import("./LocalPod.ts"))
    const settings = yield* local.localSettings(globals)
    // The command sends a key over HTTP, even to a pod on this machine, because over the socket the pod would treat the
    // caller as the operator.
    if (env("POD_API_KEY") !== undefined) {
      return overHttp(yield* local.addressToCall(settings, globals))
    }
    const connected = yield* local.connectLocally(settings, globals)
    if (connected !== undefined) return { ...connected, credential: {}, isKey: false }
    if (globals.dataDir !== undefined) {
      return yield* notFound(
        `${globals.dataDir} is not the data directory of a pod.`,
        `Start one there: ${startCommand(globals)}`
      )
    }
    return overHttp(podAddress(settings))
  })

/**
 * Finds the address of the pod, for clients that call it later. The person can have chosen an address or a profile.
 * Otherwise a running pod on this machine reports its address over its socket. If no pod runs, the settings name the
 * address. This function opens no database.
 */
export const addressFor = (globals: GlobalsShape): Effect.Effect<string, CliFailure, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (globals.url !== undefined && globals.dataDir !== undefined) return yield* twoWays
    const found = yield* chooseProfile(globals, yield* readCredentials)
    if (found !== undefined) return found.url
    const local = yield* Effect.promise(() => import("./LocalPod.ts"))
    const settings = yield* local.localSettings(globals)
    return yield* local.addressHere(settings, globals)
  })

const twoWays = badUsage("`--url` and `--data-dir` are two different ways to reach a pod. Use only one of them.")

/**
 * Connects to a running pod: to the pod that an address or a profile names, or else to the pod on this machine. Returns
 * undefined if no pod runs on this machine. Unlike `connect`, this function opens no database.
 */
export const connectToRunning = (
  globals: GlobalsShape
): Effect.Effect<Connection | undefined, CliFailure, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (globals.url !== undefined && globals.dataDir !== undefined) return yield* twoWays
    const found = yield* chooseProfile(globals, yield* readCredentials)
    if (found !== undefined) return overHttp(found.url, found)
    const local = yield* Effect.promise(() => import("./LocalPod.ts"))
    const place = yield* local.findRunningPod(yield* local.localSettings(globals), globals)
    if (place === undefined) return undefined
    return env("POD_API_KEY") === undefined
      ? { transport: "socket", place, credential: {}, isKey: false }
      : overHttp(place.url)
  })

export const connect = (
  globals: GlobalsShape
): Effect.Effect<Connection, CliFailure, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    if (globals.url !== undefined && globals.dataDir !== undefined) {
      return yield* twoWays
    }
    const found = yield* chooseProfile(globals, yield* readCredentials)
    if (found !== undefined) return overHttp(found.url, found)
    return yield* onThisMachine(globals)
  })
