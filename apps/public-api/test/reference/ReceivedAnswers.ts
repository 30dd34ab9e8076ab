/** Keeps the first answer to each operation of the published document that succeeded. */
import { openApi } from "@quittance/contract/api/OpenApiDocument"
import { createHash } from "node:crypto"

interface Route {
  readonly operationId: string
  readonly method: string
  readonly pattern: RegExp
  readonly parameters: number
}

const routes: ReadonlyArray<Route> = Object.entries(openApi().paths)
  .flatMap(([path, item]) =>
    Object.entries<{ readonly operationId: string }>(item as never)
      .filter(([method]) => method !== "servers")
      .map(([method, { operationId }]) => ({
        operationId,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u"),
        parameters: path.split("{").length - 1
      }))
  )
  // A path that is spelt out is meant before one with a parameter there.
  .sort((one, other) => one.parameters - other.parameters)

const operationOf = ({ method, url }: Request): string | undefined => {
  const { pathname } = new URL(url)
  return routes.find((route) => route.method === method && route.pattern.test(pathname))
    ?.operationId
}

/** Keeps an answer in JSON that succeeds, unless its operation has one. */
export const keep = async (
  received: Map<string, unknown>,
  request: Request,
  response: Response
): Promise<void> => {
  const isJson = /^application\/(schema\+)?json/u.test(response.headers.get("content-type") ?? "")
  const operation = operationOf(request)
  if (!response.ok || !isJson || operation === undefined || received.has(operation)) return
  received.set(operation, await response.json())
}

/** A request's id, the same in every run. */
export const requestIdOf = (method: string, path: string): string => {
  const hash = createHash("sha256").update(`${method} ${path}`).digest("hex")
  return [8, 4, 4, 4, 12]
    .reduce<{ readonly parts: ReadonlyArray<string>; readonly from: number }>(
      ({ from, parts }, length) => ({
        parts: [...parts, hash.slice(from, from + length)],
        from: from + length
      }),
      { parts: [], from: 0 }
    )
    .parts.join("-")
}
