/** Attack: an issuer that the pod does not know names itself with an address that deceives the owner or breaks the pod. */
import { assert, it } from "@effect/vitest"
import { anIssuer, claimsOf, signedBy } from "../support/issuer.ts"
import { aPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"

onOneStorage("attack: the address of an unknown issuer", (storage) => {
  it("the pod does not list an unknown issuer whose address looks like another address, has characters that the database refuses, or is not a text", async () => {
    const issuer = await anIssuer()
    const pod = await aPod(storage)
    const issuers = async () => (await pod.owner.send("GET", "/api/hub/setup/issuers")).body
    const before = await issuers()
    const deceiving = [
      "https://id.example.com/\u202egnp",
      "https://id.example.com/\u001b[2J",
      "https://\u0435xample.com",
      "https://ID.example.com",
      "HTTPS://id.example.com",
      "https://id.example.com:443",
      "https://id.example.com/a/../b",
      "https://id.example.com/\0",
      "https://id.example.com/\ud800",
      7,
      null,
      ["https://id.example.com"]
    ]
    for (const iss of deceiving) {
      const text = await signedBy(
        { ...claimsOf("", "https://pod.example.com", { type: "agent_setup" }), iss: iss as string },
        issuer.privateKey
      )
      const answer = await pod.as({ authorization: `Bearer ${text}` }).send("POST", "/api/hub/setup/agent", {})
      assert.strictEqual(answer.status, 401, JSON.stringify([iss, answer.body]))
    }
    assert.deepStrictEqual(await issuers(), before)
    await pod.stop()
    await issuer.stop()
  })
})
