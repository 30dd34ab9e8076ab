/** An API that answers readers, and the tokens that they show. */
import { firstPartyClientId } from "@quittance/domain/access/Client"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { Victim } from "../Destruction.ts"
import * as Worker from "../Worker.ts"
import * as World from "../World.ts"
import type { Desk } from "./Readers.ts"

/** A token is asked for again before it ends, in milliseconds. */
const renewed = 60_000

const secrets = KeyEncryption.layerOf(World.keyEncryptionKey)

/** What tokens are made with, on whatever database it is given. */
export const layer = Layer.mergeAll(
  TokenIssuer.layer,
  AuthorizationServerKeys.layer.pipe(Layer.provide(secrets))
).pipe(Layer.provide([secrets, Issuers.layerOf(Worker.authUrl, Worker.baseUrl)]))

/** Where the APIs of some victims are, one after the other; people of the worlds read there. */
export const make = Effect.fnUntraced(function* (
  victims: ReadonlyArray<Victim>,
  worlds: ReadonlyArray<World.World>
) {
  const services = yield* Effect.context<AuthorizationServerKeys | TokenIssuer>()
  const known = new Map<string, { readonly token: string; readonly at: number }>()
  let turn = 0
  const issue = ({ manager, tenant }: World.World) =>
    Effect.gen(function* () {
      yield* AuthorizationServerKeys.use(({ ensure }) => ensure)
      if (manager._tag !== "User") return yield* Effect.die(new Error("Managers are users"))
      const { userId } = manager
      return yield* TokenIssuer.use((issuer) =>
        issuer.user(userId, firstPartyClientId, randomUUID())
      )
    }).pipe(Effect.provideService(CurrentTenant, tenant), Effect.provideContext(services))
  const desk: Desk = {
    base: () => `http://127.0.0.1:${victims[turn++ % victims.length]!.port}`,
    token: async (tenant) => {
      const before = known.get(tenant)
      if (before !== undefined && Date.now() - before.at < renewed) return before.token
      const world = worlds.find((one) => one.tenant === tenant)!
      // The database may be away: there is none until it is back.
      const token = await Effect.runPromise(
        Effect.catchCause(issue(world), () => Effect.succeed(undefined))
      )
      if (token !== undefined) known.set(tenant, { token, at: Date.now() })
      return token
    }
  }
  return desk
})
