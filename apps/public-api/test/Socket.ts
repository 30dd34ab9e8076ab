/** The bearer routes on a port, spoken to with bytes as they are. */
import * as HttpApp from "@quittance/http/HttpApp"
import * as Server from "@quittance/http/Server"
import { ConfigProvider, Context, Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import { connect } from "node:net"
import { Routes } from "../src/Routes.ts"

export class Port extends Context.Service<Port, number>()("@quittance/public-api/test/Port") {
  static readonly layer = Layer.effect(
    Port,
    Effect.map(HttpServer.HttpServer, ({ address }) => ("port" in address ? address.port : 0))
  ).pipe(
    Layer.provide(Server.layer(HttpApp.make(Routes))),
    Layer.provide([
      ConfigProvider.layer(ConfigProvider.fromUnknown({ PORT: "0" })),
      Logger.layer([])
    ])
  )
}

/**
 * Everything that is answered to these bytes until the server closes the connection: because the last
 * request asks for it, or because it can't read on.
 */
export const exchange = Effect.fnUntraced(function* (bytes: string) {
  const port = yield* Port
  return yield* Effect.callback<string>((resume) => {
    let text = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"))
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk
    })
    socket.on("close", () => resume(Effect.succeed(text)))
    socket.on("error", (error) => resume(Effect.die(error)))
    return Effect.sync(() => socket.destroy())
  })
})

/** The status of every answer in a text; behind a body the next one follows without a line's end. */
export const statusesIn = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /gu)].map(([, status]) => Number(status))
