/** The scanner of a dispatcher, at once, and what it finds. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { UploadScans } from "@quittance/operations/documents/UploadScans"
import { ConfigProvider, Effect, Layer } from "effect"

/** Has the scanner look at what waits, of all tenants. */
export const scan = (variables: Record<string, string> = {}) =>
  Effect.flatMap(UploadScans, ({ round }) => round).pipe(
    Effect.provide(
      UploadScans.layer.pipe(
        Layer.provide(NodeServices.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
      )
    )
  )

export const eicar =
  String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR` + "-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
