/** The page of a signer, used as a browser does. */
import { Effect } from "effect"
import { Api } from "./Api.ts"

/** As a browser, which follows no redirect by itself here. */
export const visit = Effect.fnUntraced(function* (
  path: string,
  form?: Readonly<Record<string, string>>
) {
  const { fetch } = yield* Api
  const response = yield* fetch(
    new Request(`http://localhost:8080${path}`, {
      method: form === undefined ? "GET" : "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() })
    })
  )
  const bytes = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()))
  return {
    status: response.status,
    header: (name: string): string | null => response.headers.get(name),
    bytes,
    text: bytes.toString("utf8")
  }
})

/** What a form of the page sends with its boxes ticked. */
export const boxesOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/type="checkbox" id="([^"]+)" name="[^"]+" value="([^"]+)"/gu)].map(
      ([, name, value]) => [name!, value!]
    )
  )
