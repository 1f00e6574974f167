/** Tests how messages of the pod show paths to people. */
import { assert, it } from "@effect/vitest"
import { shownPath } from "../../src/platform/ShownPath.ts"

it("messages show a path inside the current folder relative to it, and every other path as it is", () => {
  assert.strictEqual(shownPath("/srv/team/data", "/srv/team"), "./data")
  assert.strictEqual(shownPath("/var/lib/pod", "/srv/team"), "/var/lib/pod")
  assert.strictEqual(shownPath("/srv/team", "/srv/team"), "/srv/team")
})

it("a pod whose current folder is the root of the file system, as in a container, shows whole paths", () => {
  assert.strictEqual(shownPath("/data/secrets", "/"), "/data/secrets")
})
