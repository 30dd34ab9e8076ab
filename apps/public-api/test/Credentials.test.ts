/** Credentials as they are sent on the wire, before anything joins or drops headers. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { request } from "node:http"
import { newTenant, TestLayer } from "./Api.ts"
import { Port } from "./Socket.ts"

/** The status and code of a read with these headers, name after value as they are sent. */
const read = (headers: ReadonlyArray<string>) =>
  Effect.flatMap(Port, (port) =>
    Effect.promise(
      () =>
        new Promise<string>((resolve, reject) => {
          const all = ["host", "localhost", ...headers]
          request({ port, path: "/account", headers: all }, (response) => {
            let text = ""
            response.setEncoding("utf8").on("data", (chunk: string) => {
              text += chunk
            })
            response.on("end", () => {
              const { code = "" } = JSON.parse(text)
              resolve(`${response.statusCode} ${code}`.trim())
            })
          })
            .on("error", reject)
            .end()
        })
    )
  )

layer(Layer.provideMerge(Port.layer, TestLayer), { excludeTestServices: true })(
  "credentials on the wire",
  (it) => {
    it.effect("count only where there is exactly one of them", () =>
      Effect.gen(function* () {
        const { client, session, tenant } = yield* newTenant
        const bearer = (token: string) => ["authorization", `Bearer ${token}`]
        const inTenant = ["tenant", tenant]
        assert.deepStrictEqual(
          [
            yield* read([...inTenant, ...bearer(client)]),
            yield* read([...inTenant, "Authorization", `bearer ${client}`]),
            yield* read([...inTenant, ...bearer(client), ...bearer(client)]),
            yield* read([...inTenant, ...bearer(session), ...bearer(client)]),
            yield* read([...inTenant, "authorization", `Basic ${client}`]),
            yield* read([...inTenant, "authorization", client]),
            yield* read([...inTenant, ...bearer(`${client} `)]),
            yield* read([...inTenant, ...inTenant, ...bearer(client)])
          ],
          [
            "200",
            "200",
            "401 UNAUTHORIZED",
            "401 UNAUTHORIZED",
            "401 UNAUTHORIZED",
            "401 UNAUTHORIZED",
            "200",
            "400 INVALID_TENANT"
          ]
        )
      })
    )
  }
)
