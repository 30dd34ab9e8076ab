/**
 * Which methods a path takes, so that a wrong one is told from a wrong path, and the template of its route,
 * under which requests are counted.
 */
import { Effect, Layer } from "effect"
import { FindMyWay, HttpRouter } from "effect/http"

/** Paths are compared as they are written; a parameter may be as long as a request line. */
export const routerConfig: FindMyWay.RouterConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 16_384
}

export interface RouteMethods {
  /** Adds a route; `*` is one for every method, which never answers that the method is wrong. */
  readonly record: (method: string, path: HttpRouter.PathInput) => void
  /** The methods of the path, in alphabetical order; none where nothing is. */
  readonly of: (url: string) => ReadonlyArray<string>
  /** The template of the route that serves it, such as `/policies/{policyId}`; `undefined` where none does. */
  readonly template: (method: string, url: string) => string | undefined
}

export const make = (): RouteMethods => {
  const router = FindMyWay.make<string>(routerConfig)
  const ofAll = FindMyWay.make<string>(routerConfig)
  const methods = new Set<string>()
  return {
    record: (method, path) => {
      if (method === "*") return ofAll.on("GET", path, templateOf(path))
      if (router.find(method, path) !== undefined) return
      router.on(method, path, templateOf(path))
      methods.add(method)
      if (method === "GET") methods.add("HEAD")
    },
    of: (url) =>
      [...methods].filter((method) => router.find(served(method), url) !== undefined).sort(),
    template: (method, url) =>
      router.find(served(method), url)?.handler ?? ofAll.find("GET", url)?.handler
  }
}

const served = (method: string) => (method === "HEAD" ? "GET" : method)

/** As the contract writes paths. */
const templateOf = (path: string) => path.replace(/:([A-Za-z]\w*)/gu, "{$1}")

/** A router that also writes down the methods of every route that is added to it. */
export const recording = (methods: RouteMethods) =>
  Layer.effect(
    HttpRouter.HttpRouter,
    Effect.map(HttpRouter.HttpRouter, (router): HttpRouter.HttpRouter => {
      const record = ({ method, path }: Pick<HttpRouter.Route, "method" | "path">) =>
        methods.record(method, path)
      return {
        ...router,
        add: (method, path, handler, options) => {
          record({ method, path })
          return router.add(method, path, handler, options)
        },
        addAll: (routes) => {
          routes.forEach(record)
          return router.addAll(routes)
        }
      }
    })
  )
