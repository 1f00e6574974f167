/**
 * Settings for tests. They are the default settings with the values that a test changes, or settings that are loaded
 * from given variables.
 */
import { assert } from "@effect/vitest"
import { Either } from "effect"
import type { Setting } from "../../src/platform/settings/Setting.ts"
import { load, type LoadedSettings } from "../../src/platform/settings/SettingsLoad.ts"
import { report, type SettingsInvalid } from "../../src/platform/settings/SettingsReport.ts"
import { settingsTable, type SettingsShape } from "../../src/platform/settings/Settings.ts"

type Variables = Readonly<Record<string, string | undefined>>
interface Given {
  readonly dotenv?: string
  readonly files?: Readonly<Record<string, string>>
}

export const settingRows: ReadonlyArray<Setting<unknown>> = Object.values(settingsTable)

const missingFile = (path: string) =>
  Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: "ENOENT", syscall: "open" })

const loading = (environment: Variables, { dotenv, files = {} }: Given = {}) =>
  load({
    environment,
    dotenv,
    readFile: (path) => Either.fromNullable(files[path], () => missingFile(path))
  })

/** Loads the settings from these variables and returns the error. Fails the test if the variables are accepted. */
export const refusedSettings = (environment: Variables, given?: Given): SettingsInvalid =>
  Either.match(loading(environment, given), {
    onLeft: (invalid) => invalid,
    onRight: () => assert.fail("the settings were accepted")
  })

/** Loads the settings from these variables. If the variables are refused, the test fails and shows the reasons. */
export const acceptedSettings = (environment: Variables, given?: Given): LoadedSettings =>
  Either.getOrThrowWith(loading(environment, given), (invalid) => new Error(report(invalid)))

export const namesOf = (invalid: SettingsInvalid) => invalid.problems.map(({ name }) => name)

/**
 * Returns the default settings with `overrides`. The overrides are not checked, so a test can use values that the
 * schema refuses, such as a very small limit.
 */
export const aSettings = (overrides: Partial<SettingsShape> = {}): SettingsShape => ({
  ...acceptedSettings({}).settings,
  ...overrides
})
