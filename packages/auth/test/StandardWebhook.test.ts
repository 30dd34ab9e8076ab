/** Held against the library of the specification, which receivers verify with. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { createPublicKey, randomBytes, verify } from "node:crypto"
import { Webhook } from "standardwebhooks"
import * as StandardWebhook from "../src/StandardWebhook.ts"

const newSecret = () => StandardWebhook.secretOf(randomBytes(StandardWebhook.secretBytes))
const seconds = () => Math.floor(Date.now() / 1000)
const message = (text: string, timestamp = seconds()) => ({
  id: "event_test_346789ABCDEFGHJKLMNPQ",
  timestamp,
  body: Buffer.from(text)
})
const text = `{"type":"policy.signed","data":{"city":"Orléans"}}`

interface Changed {
  readonly body?: string
  readonly id?: string
  readonly timestamp?: number
}

/** Whether the library takes what was signed under `keys`, once something of it was changed. */
const isTaken = (
  secret: string,
  keys: ReadonlyArray<string>,
  { body = text, id, timestamp }: Changed = {}
) => {
  const headers = StandardWebhook.headers(message(text, timestamp), keys)
  try {
    new Webhook(secret).verify(body, id === undefined ? headers : { ...headers, "webhook-id": id })
    return true
  } catch {
    return false
  }
}

describe("a signature", () => {
  it.prop("is the library's own", { body: Arbitrary.schema(Schema.String) }, ({ body }) => {
    const secret = newSecret()
    const signed = message(body)
    const theirs = new Webhook(secret).sign(signed.id, new Date(signed.timestamp * 1000), body)
    assert.strictEqual(StandardWebhook.headers(signed, [secret])["webhook-signature"], theirs)
  })

  it("is taken under either secret while one follows the other", () => {
    const [former, next, other] = [newSecret(), newSecret(), newSecret()]
    for (const secret of [former, next]) assert.isTrue(isTaken(secret, [next, former]))
    assert.isFalse(isTaken(other, [next, former]))
    assert.isFalse(isTaken(former, [next]))
  })

  it("is of one body, one identifier and a time of five minutes", () => {
    const secret = newSecret()
    assert.isTrue(isTaken(secret, [secret]))
    assert.isFalse(isTaken(secret, [secret], { body: `${text} ` }))
    assert.isFalse(isTaken(secret, [secret], { id: "event_test_other" }))
    assert.isFalse(isTaken(secret, [secret], { timestamp: seconds() - 360 }))
    assert.isFalse(isTaken(secret, [secret], { timestamp: seconds() + 360 }))
  })

  it("by a private key of ours is verified with the public one", () => {
    // RFC 8032, section 7.1, test 1.
    const seed = Buffer.from(
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "hex"
    )
    const publicBytes = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    const privateKey = StandardWebhook.privateKeyOf(seed)
    const publicKey = StandardWebhook.publicKeyOf(privateKey)
    assert.strictEqual(publicKey, `whpk_${Buffer.from(publicBytes, "hex").toString("base64")}`)
    const signed = message(text)
    const { "webhook-signature": header } = StandardWebhook.headers(signed, [privateKey])
    const [version, signature = ""] = header.split(",")
    const x = Buffer.from(publicBytes, "hex").toString("base64url")
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
    const said = Buffer.from(`${signed.id}.${signed.timestamp}.${text}`)
    assert.strictEqual(version, "v1a")
    assert.isTrue(verify(null, said, key, Buffer.from(signature, "base64")))
    assert.isFalse(verify(null, Buffer.from(`${said} `), key, Buffer.from(signature, "base64")))
  })
})

describe("a secret", () => {
  it("has 24 to 64 bytes in base64", () => {
    for (const length of [24, 32, 64]) {
      assert.isTrue(StandardWebhook.isSecret(StandardWebhook.secretOf(randomBytes(length))))
    }
    for (const length of [0, 23, 65]) {
      assert.isFalse(StandardWebhook.isSecret(StandardWebhook.secretOf(randomBytes(length))))
    }
    const secret = newSecret()
    for (const wrong of [
      secret.slice(6),
      `${secret} `,
      secret.slice(0, -1),
      `whsk_${secret.slice(6)}`
    ]) {
      assert.isFalse(StandardWebhook.isSecret(wrong), wrong)
    }
  })
})
