/** `pod config`: the settings of the server on this machine, without the values of secrets. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import type { FileSystem } from "@effect/platform"
import * as Args from "@effect/cli/Args"
import { Effect, Option, Redacted } from "effect"
import { existsSync } from "node:fs"
import { secretPath } from "../../platform/Secrets.ts"
import type { Setting } from "../../platform/settings/Setting.ts"
import { settingsTable } from "../../platform/settings/Settings.ts"
import { examineSettings, loadSettings } from "../../platform/settings/SettingsFiles.ts"
import { isAbout } from "../../platform/settings/SettingsLoad.ts"
import type { SettingsInvalid } from "../../platform/settings/SettingsReport.ts"
import { meantInstead } from "../../platform/settings/UnknownSettings.ts"
import { badConfiguration, notFound } from "../CliFailure.ts"
import { group, leaf } from "../CommandTree.ts"
import { Globals } from "../Globals.ts"
import { environmentWith } from "../LocalPod.ts"
import { cell, Output } from "../Output.ts"

const settings: ReadonlyArray<readonly [string, Setting<unknown>]> = Object.entries(settingsTable)

/** Reads the settings of this machine with the given loader. */
const readBy = <A>(
  loader: (environment: ReturnType<typeof environmentWith>) => Effect.Effect<A, SettingsInvalid, FileSystem.FileSystem>
) =>
  Effect.flatMap(Globals, (globals) =>
    loader(environmentWith(globals)).pipe(
      Effect.mapError((invalid) =>
        badConfiguration(
          invalid.message.trimEnd(),
          "pod config explain POD_PORT explains one setting, pod docs config all of them."
        )
      ),
      Effect.provide(NodeFileSystem.layer)
    )
  )

const shownValue = (value: unknown, { isSecret, written }: Pick<Setting<unknown>, "isSecret" | "written">): string => {
  const inner = Option.isOption(value) ? Option.getOrUndefined(value) : value
  if (inner === undefined) return "–"
  if (isSecret || Redacted.isRedacted(inner)) return "set"
  if (typeof inner === "number") return written(inner)
  if (Array.isArray(inner)) return inner.length === 0 ? "–" : inner.join(",")
  return cell(inner, 200)
}

/** Says where the pod stores a secret that it makes itself. Returns undefined for a setting that is no such secret. */
const generatedText = ({ generated }: Setting<unknown>, dataDir: string | undefined): string | undefined => {
  if (generated === undefined || dataDir === undefined) return undefined
  const path = secretPath(dataDir, generated)
  return existsSync(path) ? `generated, in ${path}` : `generated at the first start, in ${path}`
}

const list = leaf(
  "list",
  {
    summary:
      "List every setting with its value and source, even if some settings are wrong. For a secret, the list has the word “set” or the file of the generated secret instead of the value.",
    examples: ["pod config list", "pod config list --json"]
  },
  {},
  Effect.fnUntraced(function* () {
    const output = yield* Output
    const { problems, sourceOf, values } = yield* readBy(examineSettings)
    const byField: Readonly<Record<string, unknown>> = { ...values }
    const rows = settings.map(([field, setting]) => {
      const fault = problems.find(({ name }) => isAbout(name, setting))?.rule ?? null
      const source = sourceOf[setting.name] ?? "default"
      const generated = source === "default" ? generatedText(setting, values.dataDir) : undefined
      return {
        name: setting.name,
        area: setting.area,
        value: generated ?? shownValue(byField[field], setting),
        fault,
        source: generated === undefined ? source : "generated",
        doc: setting.doc
      }
    })
    output.data(rows, {
      columns: [
        { title: "SETTING", isWhole: true, of: ({ name }) => name },
        { title: "VALUE", of: ({ fault, value }) => cell(fault === null ? value : `wrong: ${fault}`) },
        { title: "FROM", isSecondary: true, of: ({ source }) => cell(source) },
        { title: "FOR", isSecondary: true, of: ({ doc }) => cell(doc) }
      ],
      none: ""
    })
    const count = problems.length
    if (count > 0) output.note(`${count === 1 ? "1 setting is" : `${count} settings are`} wrong: pod config check`)
  })
)

const check = leaf(
  "check",
  {
    summary: "Check all settings, without starting the pod.",
    examples: ["pod config check", "POD_PORT=x pod config check"]
  },
  {},
  Effect.fnUntraced(function* () {
    const output = yield* Output
    const { warnings } = yield* readBy(loadSettings)
    output.data(
      { ok: true, warnings },
      { text: () => ["The settings are correct.", ...warnings.map((warning) => `  ! ${warning}`)].join("\n") }
    )
  })
)

/** Makes a sentence of the end of a sentence. */
const sentence = (end: string): string => `${end.charAt(0).toUpperCase()}${end.slice(1)}${end.endsWith("?") ? "" : "."}`

const explain = leaf(
  "explain",
  {
    summary: "Explain one setting.",
    examples: ["pod config explain POD_PORT"],
    values: settings.map(([, { name }]) => name)
  },
  { name: Args.text({ name: "setting" }).pipe(Args.withDescription("The name of a setting, such as POD_PORT.")) },
  Effect.fnUntraced(function* ({ name: requestedName }) {
    const output = yield* Output
    // Each setting also exists as the path of a file, and is the same setting then.
    const upper = requestedName.toUpperCase().replace(/_FILE$/, "")
    const name = upper.replace(/^(?!POD_)/, "POD_")
    const found = settings.find(([, setting]) => [name, upper].some((each) => isAbout(each, setting)))?.[1]
    if (found === undefined) {
      const meant = meantInstead(
        name,
        settings.map(([, setting]) => setting.name)
      )
      return yield* notFound(
        `There is no setting ${JSON.stringify(requestedName)}.`,
        meant === undefined ? "To see all settings, run `pod config list`." : sentence(meant)
      )
    }
    const { allowed, doc, example, isSecret, since, whenAbsent } = found
    output.data(
      {
        name: found.name,
        doc,
        allowed,
        whenAbsent,
        example: isSecret ? null : example,
        isSecret,
        since,
        aliases: found.aliases
      },
      {
        text: () =>
          [
            found.name,
            `  ${doc}`,
            `  Must be ${allowed}.`,
            `  When not set: ${whenAbsent}.`,
            ...(isSecret || example === "" ? [] : [`  Example: ${found.name}=${example}`]),
            `  Since version ${since}.`,
            `  Also ${found.name}_FILE, with the path of a file.`,
            ...(found.aliases.length === 0 ? [] : [`  Also under the name ${found.aliases.join(", ")}.`])
          ].join("\n")
      }
    )
  })
)

export const config = group("config", "The settings of the server on this machine.", [list, check, explain])
