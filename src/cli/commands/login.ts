/** `pod login`, `logout`, `whoami` and `profile`: the sign-ins of this user. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Either, Option, Redacted } from "effect"
import { CliFailure, notFound } from "../CliFailure.ts"
import { group, leaf } from "../CommandTree.ts"
import { addressOf } from "../Connection.ts"
import { profileNameOf, readCredentials, storedProfile, writeCredentials } from "../Credentials.ts"
import { type Fields, fieldsOf, textOf } from "../AnswerFields.ts"
import { Globals } from "../Globals.ts"
import { httpCall } from "../HttpCall.ts"
import { cell, Output } from "../Output.ts"
import { noPod, PodClient } from "../PodClient.ts"
import { passwordFile, passwordFrom } from "../Passwords.ts"
import { askFor } from "../Questions.ts"
import { refusalOf } from "../Refusals.ts"

/**
 * Finds the address of the pod on this machine. A running pod reports its address. If no pod runs, the settings name
 * the address.
 */
const localUrl = Effect.gen(function* () {
  const globals = yield* Globals
  const local = yield* Effect.promise(() => import("../LocalPod.ts"))
  const settings = yield* local.localSettings(globals)
  return yield* local.addressToCall(settings, globals)
})

const fromEnvironment = (): string | undefined => process.env["POD_URL"] || undefined

export const login = leaf(
  "login",
  {
    summary: "Sign in. Later commands call the pod as this person.",
    examples: [
      "pod login",
      "pod login --url https://pod.example.com --email you@example.com",
      "pod login --email you@example.com --password-file -"
    ]
  },
  {
    email: Options.text("email").pipe(Options.withDescription("Your e-mail address."), Options.optional),
    passwordFile
  },
  Effect.fnUntraced(function* ({ email, passwordFile: file }) {
    const globals = yield* Globals
    const stored = yield* readCredentials
    const known = globals.profile === undefined ? undefined : stored.profiles[globals.profile]?.url
    const given = globals.url ?? known ?? (globals.dataDir === undefined ? fromEnvironment() : undefined)
    const url = given === undefined ? yield* localUrl : yield* addressOf(given)
    const address = Option.isSome(email) ? email.value : yield* askFor("E-mail address", "--email")
    const password = yield* passwordFrom(file)
    const answer = yield* httpCall(
      { url },
      {
        method: "POST",
        path: "/auth/sign-in",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ email: address, password: Redacted.value(password) }),
        timeoutMs: globals.timeoutMs
      }
    )
    const body = yield* Effect.try({
      try: (): unknown => JSON.parse(answer.text),
      catch: () => noPod(url)
    })
    if (answer.status === 200 && textOf(fieldsOf(body)["token"]) === "") return yield* noPod(url)
    if (answer.status !== 200) {
      const refusal = refusalOf(answer, body)
      return yield* new CliFailure({
        ...refusal,
        // a spread of an Error does not copy its message
        message: refusal.message,
        hint:
          refusal.exit === "notSignedIn"
            ? "If you forgot the password, run `pod owner reset-password` on the machine of the pod."
            : refusal.hint
      })
    }
    const { expiresAt, token, user } = fieldsOf(body)
    const name = globals.profile ?? profileNameOf(url)
    yield* writeCredentials({
      current: name,
      profiles: {
        ...stored.profiles,
        [name]: { url, token: textOf(token), email: address, expiresAt: textOf(expiresAt) }
      }
    })
    const output = yield* Output
    const signedIn = { profile: name, url, name: textOf(fieldsOf(user)["name"]), expiresAt: textOf(expiresAt) }
    output.data(signedIn, { text: () => `Signed in at ${url} as ${cell(signedIn.name)} (profile ${name}).` })
  })
)

export const logout = leaf(
  "logout",
  {
    summary: "Sign out, and delete the sign-in from this machine.",
    examples: ["pod logout", "pod logout --profile work"]
  },
  {},
  Effect.fnUntraced(function* () {
    const globals = yield* Globals
    const stored = yield* readCredentials
    const givenName = globals.profile ?? process.env["POD_PROFILE"] ?? stored.current
    if (givenName === null)
      return yield* notFound("There is no sign-in on this machine.", "To sign in, run `pod login`.")
    const { name, profile } = yield* storedProfile(stored, givenName)
    // The token is removed from the file even if the pod is gone or the session has ended.
    const ended = yield* Effect.either(
      httpCall(
        { url: profile.url },
        {
          method: "POST",
          path: "/auth/sign-out",
          headers: { "x-session-token": profile.token ?? "", "content-type": "application/json" },
          body: "{}",
          timeoutMs: globals.timeoutMs
        }
      )
    )
    const { [name]: _, ...others } = stored.profiles
    yield* writeCredentials({ current: stored.current === name ? null : stored.current, profiles: others })
    const output = yield* Output
    if (Either.isLeft(ended))
      output.note(`The pod at ${profile.url} did not answer, so the session there stays open until it expires.`)
    output.data({ profile: name, signedOut: true }, { text: () => `Signed out of ${profile.url}.` })
  })
)

/** The name of a person with the e-mail address. A person without a name has the address as the name. */
const personText = ({ email, name }: Fields): string =>
  email === null || email === name ? cell(name) : `${cell(name)} <${cell(email)}>`

export const whoami = leaf(
  "whoami",
  {
    summary: "Show who makes the calls, and with which credential. A signed-in person can change their name.",
    examples: ["pod whoami", "POD_API_KEY=svc_… pod whoami --json", 'pod whoami --rename "Ana Lind"']
  },
  {
    rename: Options.text("rename").pipe(
      Options.withDescription("Your new name. Other people see it. A key cannot change it."),
      Options.optional
    )
  },
  Effect.fnUntraced(function* ({ rename }) {
    const client = yield* PodClient
    if (Option.isSome(rename)) yield* client.request("PATCH", "/api/hub/users/me", { name: rename.value })
    const { isKey, place, profile, transport } = yield* client.connection
    const answer = yield* client.request("GET", "/api/hub/users/me")
    const me = fieldsOf(answer.data)
    const credential = isKey ? "key" : transport === "url" ? "session" : "local operator"
    const output = yield* Output
    output.data(
      { ...me, url: place.url, credential, profile: profile ?? null },
      {
        text: () =>
          `${personText(me)} at ${place.url}, by ${credential}${me["agentId"] === null ? "" : ", as an agent"}`
      },
      answer
    )
  })
)

const profileList = leaf(
  "list",
  { summary: "List the sign-ins of this user.", examples: ["pod profile list"] },
  {},
  Effect.fnUntraced(function* () {
    const stored = yield* readCredentials
    const rows = Object.entries(stored.profiles).map(([name, { email, expiresAt, url }]) => ({
      name,
      url,
      email: email ?? null,
      expiresAt: expiresAt ?? null,
      isCurrent: name === stored.current
    }))
    const output = yield* Output
    output.data(rows, {
      columns: [
        { title: "", isWhole: true, of: ({ isCurrent }) => (isCurrent ? "*" : " ") },
        { title: "PROFILE", isWhole: true, of: ({ name }) => cell(name) },
        { title: "POD", of: ({ url }) => cell(url) },
        { title: "E-MAIL", of: ({ email }) => cell(email) },
        { title: "UNTIL", isWhole: true, isSecondary: true, of: ({ expiresAt }) => cell(expiresAt) }
      ],
      none: "There are no sign-ins. To sign in, run `pod login`."
    })
  })
)

const profileUse = leaf(
  "use",
  { summary: "Choose the sign-in that later commands use.", examples: ["pod profile use localhost:8787"] },
  { name: Args.text({ name: "profile" }).pipe(Args.withDescription("A name from pod profile list.")) },
  Effect.fnUntraced(function* ({ name: text }) {
    const stored = yield* readCredentials
    const { name, profile } = yield* storedProfile(stored, text)
    yield* writeCredentials({ ...stored, current: name })
    const output = yield* Output
    output.data({ profile: name, url: profile.url }, { text: () => `Commands now call ${profile.url}.` })
  })
)

export const profiles = group("profile", "Choose between several pods.", [profileList, profileUse])
