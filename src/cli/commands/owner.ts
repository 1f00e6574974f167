/**
 * `pod setup-link` and `pod owner`: how a pod gets its owner, and how an owner who cannot sign in gets access again.
 */
import * as Options from "@effect/cli/Options"
import { Effect, Option, Redacted } from "effect"
import { passwordHashOf } from "../../platform/PasswordHash.ts"
import { isPossiblePassword, PasswordUnacceptable } from "../../platform/SignIn.ts"
import { badUsage } from "../CliFailure.ts"
import { group, leaf } from "../CommandTree.ts"
import { fieldsOf, textOf } from "../AnswerFields.ts"
import { Globals, startCommand } from "../Globals.ts"
import { cell, Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { newPasswordFrom, passwordFile } from "../Passwords.ts"
import { askFor } from "../Questions.ts"

export const setupLink = leaf(
  "setup-link",
  {
    summary:
      "Make a setup link for a new pod. The person who opens it first can become the owner. The link works once, within 30 minutes.",
    examples: ["pod setup-link", "pod setup-link --data-dir ./data --quiet"]
  },
  {},
  Effect.fnUntraced(function* () {
    const client = yield* PodClient
    const output = yield* Output
    const { transport } = yield* client.connection
    const answer = yield* client.request("POST", "/api/hub/setup/magic-link", {})
    const link = fieldsOf(answer.data)
    const token = textOf(link["token"])
    const url = textOf(link["url"])
    output.alone(url, { token, url }, answer)
    output.note(
      `Open this link within 30 minutes to become the owner. It works once.${transport === "process" ? ` Start the server first: ${startCommand(yield* Globals)}` : ""}`
    )
  })
)

const create = leaf(
  "create",
  {
    summary: "Create the owner of a new pod, without a browser.",
    examples: [
      "pod owner create",
      "pod owner create --email you@example.com --pod-name Harbour --password-file ./password"
    ]
  },
  {
    email: Options.text("email").pipe(Options.withDescription("The e-mail address of the owner."), Options.optional),
    name: Options.text("name").pipe(Options.withDescription("The name of the owner."), Options.withDefault("")),
    podName: Options.text("pod-name").pipe(
      Options.withDescription("The name of the pod. Everybody sees it, also before the sign-in."),
      Options.optional
    ),
    passwordFile
  },
  Effect.fnUntraced(function* ({ email, name, passwordFile: file, podName }) {
    const client = yield* PodClient
    const output = yield* Output
    const address = Option.isSome(email) ? email.value : yield* askFor("E-mail address", "--email")
    const password = yield* newPasswordFrom(file, "Password, at least 12 characters")
    const answer = yield* client.request("POST", "/api/hub/setup/first-admin", {
      email: address,
      name,
      password: Redacted.value(password),
      ...(Option.isNone(podName) ? {} : { podName: podName.value })
    })
    output.data(
      { email: address, created: true },
      { text: () => `${cell(address)} owns this pod. Next: pod login --email ${cell(address)}` },
      answer
    )
  })
)

const resetPassword = leaf(
  "reset-password",
  {
    summary:
      "Give the owner a new password, and end all sign-ins of the owner. The command works only on the machine of the pod.",
    examples: ["pod owner reset-password", "pod owner reset-password --email you@example.com --password-file -"]
  },
  {
    email: Options.text("email").pipe(
      Options.withDescription("The e-mail address of the owner, to make sure that this is the right pod."),
      Options.optional
    ),
    passwordFile
  },
  Effect.fnUntraced(function* ({ email, passwordFile: file }) {
    const client = yield* PodClient
    const output = yield* Output
    const me = fieldsOf((yield* client.request("GET", "/api/hub/users/me")).data)
    if (Option.isSome(email) && textOf(me["email"]).toLowerCase() !== email.value.trim().toLowerCase()) {
      return yield* badUsage(
        `${cell(email.value)} does not own this pod.`,
        "Other people change their password in the settings of the console."
      )
    }
    const password = yield* newPasswordFrom(file, "New password, at least 12 characters")
    const answer = yield* client.request("POST", "/api/hub/setup/owner-password", {
      newPassword: Redacted.value(password)
    })
    output.data(
      answer.data,
      {
        text: (data) =>
          `The password of ${cell(fieldsOf(data)["email"])} is changed, and ${textOf(fieldsOf(data)["endedSessions"])} sign-ins were ended. Keys stay valid.`
      },
      answer
    )
  })
)

const hashPassword = leaf(
  "hash-password",
  {
    summary: "Print the hash of a password, for POD_OWNER_PASSWORD_HASH. No pod is needed, and nothing is stored.",
    examples: ["pod owner hash-password", "pod owner hash-password --password-file - < ./password"]
  },
  { passwordFile },
  Effect.fnUntraced(function* ({ passwordFile: file }) {
    const output = yield* Output
    const password = yield* newPasswordFrom(file, "Password, at least 12 characters", "stdin")
    if (!isPossiblePassword(Redacted.value(password)))
      return yield* badUsage(new PasswordUnacceptable().message, "No hash was printed. Use another password.")
    const hash = yield* passwordHashOf(password)
    output.alone(hash, { hash })
  })
)

export const owner = group("owner", "Create the owner of a new pod, or reset the owner's password.", [
  create,
  resetPassword,
  hashPassword
])
