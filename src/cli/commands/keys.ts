/** `pod keys`: the keys with which programs call the pod. For a new key, stdout has only the secret of the key. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { group, leaf, leafThatAsks } from "../CommandTree.ts"
import { fieldsOf, textOf, textsOf } from "../AnswerFields.ts"
import { keyOptions, keyRequestOf, lifeDays, permissionsOf } from "../KeyRequest.ts"
import { previewFor } from "../KeyPreview.ts"
import { findKey, listOf } from "../Lookups.ts"
import { cell, Output, shortId, timeCell } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { check } from "./keysCheck.ts"

const whichKey = Args.text({ name: "key" }).pipe(Args.withDescription("The id of the key, its beginning, or its name."))

const create = leaf(
  "create",
  {
    summary: "Make a key. Its secret is shown only once, and nothing else is written to stdout.",
    examples: [
      'pod keys create --name "Claude Code" --scope mcp.read --permission entity.knowledge.read --expires 90d',
      "pod keys create --name n8n --role reader --preview",
      "export POD_API_KEY=$(pod keys create --name script --quiet)"
    ]
  },
  {
    name: Options.text("name").pipe(Options.withDescription("Your name for the key.")),
    expires: Options.text("expires").pipe(
      Options.withDescription("When the key expires: 90d, a date, or never."),
      Options.withDefault("90d")
    ),
    preview: Options.boolean("preview").pipe(Options.withDescription("Show what the key could do, without making it.")),
    ...keyOptions
  },
  Effect.fnUntraced(function* ({ expires, name, preview, ...options }) {
    const client = yield* PodClient
    const output = yield* Output
    const request = yield* keyRequestOf(options)
    const expiresInDays = yield* lifeDays(expires, Date.now())
    if (preview) {
      const answer = yield* client.procedure("grants.preview", { ...request, expiresInDays })
      const shown = output.format === "table" ? yield* previewFor(answer.data, yield* permissionsOf(options)) : ""
      return output.data(answer.data, { text: () => shown }, answer)
    }
    const answer = yield* client.procedure("apiKeys.create", { ...request, keyName: name, expiresInDays })
    const newKey = fieldsOf(answer.data)
    output.alone(textOf(newKey["key"]), newKey, answer)
    output.note(`${textOf(newKey["summary"])} The secret is shown only once. Next: pod connect claude-code`)
  })
)

const list = leaf(
  "list",
  { summary: "List your keys and those of your agents.", examples: ["pod keys list", "pod keys list --all --json"] },
  { all: Options.boolean("all").pipe(Options.withDescription("List revoked and expired keys too.")) },
  Effect.fnUntraced(function* ({ all }) {
    const output = yield* Output
    const { meta, rows: every } = yield* listOf("apiKeys.list")
    const rows = every.filter(({ isActive }) => all || isActive === true)
    output.data(
      rows,
      {
        columns: [
          { title: "ID", isWhole: true, of: ({ id }) => shortId(id) },
          { title: "NAME", of: ({ keyName }) => cell(keyName) },
          {
            title: "KEY",
            isWhole: true,
            isSecondary: true,
            of: ({ keyPrefix, lastFour }) => `${cell(keyPrefix)}…${cell(lastFour)}`
          },
          {
            title: "LAST USED",
            isWhole: true,
            isSecondary: true,
            of: ({ lastUsedAt }) => timeCell(lastUsedAt)
          },
          {
            title: "EXPIRES",
            isWhole: true,
            of: ({ expiresAt, isActive }) => (isActive === true ? timeCell(expiresAt, "day") : "not valid")
          },
          { title: "MAY", of: ({ summary }) => cell(summary) }
        ],
        none: 'You have no keys. Make one: pod keys create --name "Claude Code"'
      },
      meta
    )
  })
)

const show = leaf(
  "show",
  {
    summary: "Show one key: who holds it, its scopes, its grant and when it was last used.",
    examples: ["pod keys show script", "pod keys show 0192f3ab --json"]
  },
  { key: whichKey },
  Effect.fnUntraced(function* ({ key }) {
    const output = yield* Output
    output.data(yield* findKey(key), {
      text: (found) =>
        [
          `${cell(found["keyName"])}  ${textOf(found["id"])}`,
          `  ${cell(found["summary"], 200)}`,
          `  Key      ${cell(found["keyPrefix"])}…${cell(found["lastFour"])}${found["isActive"] === true ? "" : "  (not valid any more)"}`,
          `  Scopes   ${textsOf(found["scope"]).join(", ")}`,
          `  Expires  ${cell(found["expiresAt"])}`,
          `  Used     ${cell(found["lastUsedAt"])}`
        ].join("\n")
    })
  })
)

const revoke = leafThatAsks(
  "revoke",
  {
    summary: "Revoke a key. The key stops working, and after this command no call with it can write anything.",
    confirmation: { because: "a revoked key cannot be made valid again" },
    examples: ["pod keys revoke script", "pod keys revoke 0192f3ab --reason 'laptop lost' --yes"]
  },
  {
    key: whichKey,
    reason: Options.text("reason").pipe(Options.withDescription("The reason, for the log."), Options.optional)
  },
  Effect.fnUntraced(function* ({ key, reason }, ask) {
    const client = yield* PodClient
    const output = yield* Output
    const found = yield* findKey(key)
    yield* ask(`Revoke the key ${cell(found["keyName"])}? This cannot be undone.`)
    const answer = yield* client.procedure("apiKeys.revoke", {
      keyId: found["id"],
      ...(Option.isNone(reason) ? {} : { reason: reason.value })
    })
    output.data(answer.data, { text: () => `The key ${cell(found["keyName"])} is revoked.` }, answer)
  })
)

const rotate = leafThatAsks(
  "rotate",
  {
    summary: "Replace a key by a new one with the same grant; stdout has only the new secret.",
    confirmation: {
      because: "the old key then stops at once and cannot be made valid again",
      only: { with: "--overlap now, the default,", when: ({ overlap }) => overlap === "now" }
    },
    examples: ["pod keys rotate script --overlap 1h", "pod keys rotate script --yes"]
  },
  {
    key: whichKey,
    overlap: Options.choice("overlap", ["now", "1h", "24h", "7d"]).pipe(
      Options.withDescription("How long the old key stays valid in addition to the new one."),
      Options.withDefault("now" as const)
    )
  },
  Effect.fnUntraced(function* ({ key, overlap }, ask) {
    const client = yield* PodClient
    const output = yield* Output
    const found = yield* findKey(key)
    yield* ask(`Replace the key ${cell(found["keyName"])}? The old key stops at once.`)
    const answer = yield* client.procedure("apiKeys.rotate", {
      keyId: found["id"],
      overlapSeconds: overlapSeconds[overlap]
    })
    const newKey = fieldsOf(answer.data)
    output.alone(textOf(newKey["key"]), newKey, answer)
    output.note(overlap === "now" ? "The old key does not work any more." : `The old key works for ${overlap}.`)
  })
)

const overlapSeconds = { now: 0, "1h": 3600, "24h": 86_400, "7d": 604_800 } as const

export const keys = group("keys", "Make, list and revoke the keys of programs.", [
  create,
  list,
  show,
  revoke,
  rotate,
  check
])
