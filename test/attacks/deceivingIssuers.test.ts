/**
 * Attack: an issuer that the pod does not know names itself with an address that deceives the owner, breaks the pod, or
 * leads into the network of the pod.
 */
import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { type AddressInfo, createServer } from "node:net"
import { WebhookSettings } from "../../src/features/webhooks/WebhookSettings.ts"
import { anIssuer, claimsOf, signedBy, type TestIssuer } from "../support/issuer.ts"
import { aPod, type TestPod } from "../support/pod.ts"
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

  const audience = "https://pod.example.com"
  const setUpBy = async (pod: TestPod, iss: string, { privateKey }: TestIssuer) => {
    const text = await signedBy({ ...claimsOf(iss, audience, { type: "agent_setup" }) }, privateKey)
    return pod.as({ authorization: `Bearer ${text}` }).send("POST", "/api/hub/setup/agent", {})
  }

  it("the pod does not list an issuer on this machine or in a private network, which only the operator may name", async () => {
    const issuer = await anIssuer()
    const pod = await aPod(storage, { oidcAudience: Option.some(audience) })
    for (const iss of [issuer.url, "https://127.0.0.1", "https://10.0.0.1", "https://[::1]", "https://id.internal"]) {
      const answer = await setUpBy(pod, iss, issuer)
      assert.strictEqual(answer.status, 401, JSON.stringify([iss, answer.body]))
    }
    const { body } = await pod.owner.send("GET", "/api/hub/setup/issuers")
    assert.deepStrictEqual(body, [])
    assert.strictEqual(issuer.requests(), 0)
    await pod.stop()
    await issuer.stop()
  })

  it("if the host name of an approved issuer leads to a private address, the pod connects to it only if the operator allows the address", async () => {
    const issuer = await anIssuer()
    let connections = 0
    const inside = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => void inside.listen(0, "127.0.0.1", resolve))
    const iss = `https://id.example.com:${(inside.address() as AddressInfo).port}`
    for (const allowed of [[], ["127.0.0.1"]]) {
      const resolve = async () => [{ address: "127.0.0.1", family: 4 }]
      const webhooks = { ...WebhookSettings.standard(allowed), resolve }
      const pod = await aPod(storage, { oidcAudience: Option.some(audience) }, { webhooks })
      const { body: waiting } = await setUpBy(pod, iss, issuer)
      await pod.owner.send("POST", `/api/hub/setup/issuers/${waiting.pendingId}/approve`)
      assert.strictEqual((await setUpBy(pod, iss, issuer)).status, 503)
      assert.strictEqual(connections, allowed.length)
      await pod.stop()
    }
    inside.close()
    await issuer.stop()
  })
})
