import { ConfigProvider, Context, Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import * as Server from "../src/Server.ts"
import { app, config } from "./TestApp.ts"

export const portConfig = { ...config, PORT: "0", REQUEST_TIMEOUT: "10 seconds" }

/** The port on which the test app is served. */
export class Port extends Context.Service<Port, number>()("@quittance/http/test/Port") {
  static readonly layer = (config: Record<string, string>) =>
    Layer.effect(
      Port,
      Effect.map(HttpServer.HttpServer, ({ address }) => ("port" in address ? address.port : 0))
    ).pipe(
      Layer.provide(Server.layer(app)),
      Layer.provide([ConfigProvider.layer(ConfigProvider.fromUnknown(config)), Logger.layer([])])
    )
}
