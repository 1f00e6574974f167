/** Tests what the owner of the pod sees of the settings: their values and sources, but no secret. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { load } from "../../../src/platform/settings/SettingsLoad.ts"
import { shownSettingsOf } from "../../../src/platform/settings/ShownSettings.ts"
import { aPod } from "../../support/pod.ts"

const databasePassword = "a-database-password"
const token = "a-provisioning-token-of-more-than-32-bytes"

const shown = shownSettingsOf(
  Either.getOrThrow(
    load({
      environment: {
        POD_PORT: "9000",
        POD_DATABASE_URL: `postgres://pod:${databasePassword}@db.example.com/pod`,
        POD_PROVISIONING_TOKEN: token
      },
      dotenv: "POD_PUBLIC_URL=https://pod.example.com\n",
      readFile: () => Either.left("no file")
    })
  )
)
const settingOf = (name: string) => shown.find((each) => each.name === name)

describe("the settings that the owner of the pod sees", () => {
  it("the owner of the pod sees the value of each setting and where the value came from", () => {
    assert.deepInclude(settingOf("POD_PORT"), { value: "9000", source: "environment" })
    assert.deepInclude(settingOf("POD_PUBLIC_URL"), { value: "https://pod.example.com", source: ".env line 1" })
    assert.deepInclude(settingOf("POD_ADMIN_PATH"), { value: "/admin", source: "default" })
    assert.deepInclude(settingOf("POD_OWNER_EMAIL"), { value: null, source: "default" })
  })

  it("in the list of settings, the owner sees that a secret is set, but not the text of the secret", () => {
    for (const name of ["POD_DATABASE_URL", "POD_PROVISIONING_TOKEN"]) assert.strictEqual(settingOf(name)?.value, "set")
    for (const secret of [databasePassword, token]) assert.notInclude(JSON.stringify(shown), secret)
  })

  it("the owner of the pod sees that the pod has generated a secret, and in which file the secret is", () => {
    assert.deepInclude(settingOf("POD_KEY_PEPPER"), { value: "set", source: "generated, in ./data/secrets/key-pepper" })
  })

  it("only the owner of the pod can read the settings, and only with a sign-in", async () => {
    const pod = await aPod({ kind: "memory" })
    try {
      const { body, status } = await pod.owner.query("system.getSettings", {})
      assert.strictEqual(status, 200)
      assert.includeMembers(
        body.result.data.map(({ name }: { name: string }) => name),
        ["POD_PORT", "POD_ADMIN_PATH"]
      )
      assert.strictEqual((await (await pod.aPerson()).query("system.getSettings", {})).status, 403)
      assert.strictEqual((await (await pod.aKey(pod.owner)).query("system.getSettings", {})).status, 403)
    } finally {
      await pod.stop()
    }
  })
})
