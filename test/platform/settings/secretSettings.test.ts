/** Settings that hold secrets: their files, the credentials of systemd, and the owner's password hash. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import fc from "fast-check"
import { inspect } from "node:util"
import { report } from "../../../src/platform/settings/SettingsReport.ts"
import { acceptedSettings, namesOf, refusedSettings, settingRows } from "../../support/settings.ts"

const secrets = settingRows.filter(({ isSecret }) => isSecret)

describe("secrets in settings", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."ABCDEFGHJKQXZ5679!%".split("")), minLength: 7, maxLength: 11 })
  const shownBy = (value: unknown) =>
    [String(value), JSON.stringify(value), inspect(value, { depth: 12, showHidden: true })].join("\n")

  it.prop(
    "the message about a wrong setting never shows the wrong value, wherever the value came from",
    [letters],
    ([value]) => {
      const direct = Object.fromEntries(settingRows.map(({ name }) => [name, value]))
      const fileNames = Object.fromEntries(settingRows.map(({ name }) => [`${name}_FILE`, "/secret"]))
      const dotenv = settingRows.map(({ name }) => `${name}='${value}'`).join("\n")
      const outcomes = [
        refusedSettings(direct),
        refusedSettings({}, { dotenv }),
        refusedSettings({}, { dotenv: dotenv.replaceAll("'\n", "\n") }),
        refusedSettings(fileNames, { files: { "/secret": value } }),
        refusedSettings(Object.fromEntries(settingRows.map(({ name }) => [`${name}_FILE`, value]))),
        refusedSettings({ ...direct, ...fileNames }, { files: { "/secret": value } }),
        refusedSettings({ PORT: value, DATABASE_URL: value, LOG_LEVEL: value })
      ]
      for (const invalid of outcomes) {
        assert.notInclude(report(invalid), value)
        assert.notInclude(shownBy(invalid), value)
      }
    }
  )

  it.prop(
    "the loaded settings never show a valid secret when they are printed",
    [fc.uint8Array({ minLength: 48, maxLength: 48 })],
    ([bytes]) => {
      fc.pre(new Set(bytes).size >= 16)
      const value = Buffer.from(bytes).toString("base64url")
      const url = `postgres://pod:${value}@localhost/pod`
      const loaded = acceptedSettings({
        ...Object.fromEntries(secrets.map(({ name }) => [name, value])),
        POD_DATABASE_URL: url,
        POD_OWNER_PASSWORD_HASH: undefined, // A hash has its own format, and cannot be set together with a password.
        POD_OWNER_EMAIL: "owner@example.com",
        POD_LLM_URL: "https://models.example.com/v1",
        POD_LLM_MODEL: "small",
        POD_EMBEDDING_URL: "https://models.example.com/v1",
        POD_EMBEDDING_MODEL: "small"
      })
      assert.notInclude(shownBy(loaded), value)
      assert.strictEqual(
        Option.getOrThrow(Option.map(loaded.settings.sessionSecret, ([first]) => Redacted.value(first))),
        value
      )
      assert.strictEqual(Option.getOrThrow(Option.map(loaded.settings.databaseUrl, Redacted.value)), url)
    }
  )

  it("when a pod reads a secret from a file, it removes one newline at the end and changes nothing else", () => {
    for (const end of ["\n", "\r\n", ""]) {
      const { settings } = acceptedSettings(
        { POD_OWNER_PASSWORD_FILE: "/password", POD_OWNER_EMAIL: "owner@example.com" },
        { files: { "/password": ` spaced # out \n${end}` } }
      )
      const password = Option.map(settings.ownerPassword, Redacted.value)
      assert.deepStrictEqual(password, Option.some(end === "" ? " spaced # out " : " spaced # out \n"))
    }
  })
})

describe("settings in systemd credentials", () => {
  const environment = { CREDENTIALS_DIRECTORY: "/run/credentials/pod" }
  const credentialFile = (name: string, value: string) => ({ files: { [`/run/credentials/pod/${name}`]: value } })

  it("a systemd credential can contain a setting of the pod, and one newline at the end of the credential is removed", () => {
    const { settings, sourceOf } = acceptedSettings(environment, credentialFile("POD_PORT", "9001\n"))
    assert.strictEqual(settings.port, 9001)
    assert.strictEqual(sourceOf["POD_PORT"], "the credentials directory")
  })

  it("a setting that is in a systemd credential is refused if it is also in a variable or in a file that a variable refers to", () => {
    const port = credentialFile("POD_PORT", "9001")
    const rules = (given: Readonly<Record<string, string>>, dotenv?: string) =>
      refusedSettings({ ...environment, ...given }, { ...port, ...(dotenv === undefined ? {} : { dotenv }) }).problems
    for (const [problem] of [rules({ POD_PORT: "9002" }), rules({}, "POD_PORT=9002")]) {
      assert.strictEqual(problem?.rule, "must not be set together with the credential POD_PORT")
    }
    assert.include(rules({ POD_PORT_FILE: "/port" })[0]?.rule, "the credential POD_PORT")
  })

  it("the pod accepts a `_FILE` variable that contains the path of the systemd credential of the same setting", () => {
    const named = { ...environment, POD_PORT_FILE: "/run/credentials/pod/POD_PORT" }
    assert.strictEqual(acceptedSettings(named, credentialFile("POD_PORT", "9001")).settings.port, 9001)
  })

  it("an empty systemd credential is refused, and without a credential the setting has its default", () => {
    assert.include(refusedSettings(environment, credentialFile("POD_PORT", " \n")).problems[0]?.rule, "it is empty")
    assert.strictEqual(acceptedSettings(environment).settings.port, 8787)
  })
})

describe("the owner's password hash in the settings", () => {
  const hash = `${"0a".repeat(16)}:${"1b".repeat(64)}`
  const email = { POD_OWNER_EMAIL: "owner@example.com" }

  it("the owner's password hash can be set instead of the password, and if both are set, the pod refuses the settings", () => {
    const { settings } = acceptedSettings({ ...email, POD_OWNER_PASSWORD_HASH: hash })
    assert.deepStrictEqual(Option.map(settings.ownerPasswordHash, Redacted.value), Option.some(hash))
    const both = { ...email, POD_OWNER_PASSWORD_HASH: hash, POD_OWNER_PASSWORD: "correct horse battery" }
    assert.deepStrictEqual(namesOf(refusedSettings(both)), ["POD_OWNER_PASSWORD_HASH"])
    assert.deepStrictEqual(namesOf(refusedSettings({ POD_OWNER_PASSWORD_HASH: hash })), ["POD_OWNER_EMAIL"])
  })

  it("the setting for the owner's password hash refuses every text that is not a hash, and the message says which command makes a hash", () => {
    for (const wrong of ["correct horse battery", "$2b$12$abc", hash.toUpperCase(), hash.slice(1)]) {
      const [problem] = refusedSettings({ ...email, POD_OWNER_PASSWORD_HASH: wrong }).problems
      assert.strictEqual(problem?.rule, "must be a line that `pod owner hash-password` has printed")
      assert.strictEqual(problem?.fix, "make one with: pod owner hash-password")
    }
  })
})
