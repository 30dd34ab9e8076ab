/** Which authority proves the times of a tenant's seals. */
import * as HttpTimestampAuthority from "@quittance/signatures/HttpTimestampAuthority"
import * as SandboxTimestampAuthority from "@quittance/signatures/SandboxTimestampAuthority"
import { Config, Effect, Option } from "effect"
import type { SealingKeys } from "./SealKeys.ts"

/** `TSA_URL`: the time-stamping authority (RFC 3161). Without it sandboxes ask their own, production none. */
export const stamps = Effect.gen(function* () {
  const url = yield* Config.option(Config.String("TSA_URL"))
  const network = Option.isNone(url) ? undefined : yield* HttpTimestampAuthority.make(url.value)
  return ({ stamp }: SealingKeys) => network ?? (stamp && SandboxTimestampAuthority.make(stamp))
})
