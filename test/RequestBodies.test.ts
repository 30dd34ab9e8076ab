/** Holds that the body of a request has one schema, in the domain, for its route and its use case. */
import { assert, describe, it } from "@effect/vitest"
import { streamedMaximum } from "@quittance/contract/access/Steering"
import { QuittanceApi } from "@quittance/contract/api/QuittanceApi"
import { SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { bodyHandlers, bodySchemas, importsOf, typeTaken } from "./RequestBodies.ts"
import { glob, read, root, sources } from "./Sources.ts"

/** The name of the body of each route that takes one with members. */
const bodies = new Map<string, string>()
HttpApi.reflect(QuittanceApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    for (const schema of [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])) {
      const name = SchemaAST.resolveIdentifier(schema.ast)
      if (name !== "NoMembers") bodies.set(`${group.identifier}.${endpoint.identifier}`, `${name}`)
    }
  }
})

/** Without forms that are streams: their handlers have them received by the schema of their fields. */
const readWhole = new Map(bodies)
HttpApi.reflect(QuittanceApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    if (streamedMaximum(endpoint) !== undefined) {
      readWhole.delete(`${group.identifier}.${endpoint.identifier}`)
    }
  }
})

/** A source that a service is imported from. */
const sourceOf = (specifier: string | undefined): string => {
  const file = specifier?.replace(
    /^@quittance\/operations\/(.+)$/u,
    "packages/operations/src/$1.ts"
  )
  return file !== undefined && existsSync(path.join(root, file)) ? read(file) : ""
}

/** What keeps a body from reaching a use case whole, as what its route says it is. */
const faults = (
  handlers: ReadonlyArray<string>,
  named: ReadonlyMap<string, string>,
  source: typeof sourceOf = sourceOf
): ReadonlyArray<string> => {
  const found = new Map(
    handlers.flatMap((text) =>
      [...bodyHandlers(text)].map(([route, handler]) => [route, { handler, text }] as const)
    )
  )
  return [...named].flatMap(([route, name]) => {
    const { handler, text } = found.get(route) ?? { handler: undefined, text: "" }
    if (handler === undefined || handler.calls.length === 0) return [`${route}: goes nowhere whole`]
    if (handler.isPicked) return [`${route}: members are taken out of it`]
    return handler.calls.flatMap((call) => {
      const useCase = source(importsOf(text).get(call.service))
      const taken = typeTaken(useCase, call)
      const isOfDomain = importsOf(useCase)
        .get(taken ?? "")
        ?.startsWith("@quittance/domain/")
      return taken === name && isOfDomain === true
        ? []
        : [`${route}: ${call.service}.${call.method} takes ${taken}, not the domain's ${name}`]
    })
  })
}

describe("the body of a request", () => {
  it("has its schema in the domain", () => {
    const elsewhere = (text: string) =>
      [...bodySchemas(text)].flatMap(([name, from]) =>
        name === "NoMembers" || from?.startsWith("@quittance/domain/") === true ? [] : [name]
      )
    const contract = sources("packages/contract/src/*/*.ts")
    assert.deepStrictEqual(
      contract.flatMap(({ text }) => elsewhere(text)),
      []
    )
    const named = contract.flatMap(({ text }) => [...bodySchemas(text).keys()])
    assert.sameMembers([...new Set(named)], [...new Set(bodies.values()), "NoMembers"])
    const planted = "const CreateFirm = Schema.Struct({}); post({ payload: CreateFirm })"
    assert.deepStrictEqual(elsewhere(planted), ["CreateFirm"])
  })

  it("is described nowhere else", () => {
    const names = [...new Set(bodies.values())].join("|")
    const again = new RegExp(String.raw`\b(?:const|class|interface|type) (?:${names})\b(?! *[},])`)
    const wrong = sources("packages/{contract,operations}/src/**/*.ts")
      .filter(({ code }) => again.test(code))
      .map(({ path: file }) => file)
    assert.deepStrictEqual(wrong, [])
    assert.match("export interface RecordPayment {", again)
    assert.notMatch("import type { RecordPayment } from", again)
  })

  it("reaches its use case whole, as the same type", () => {
    const handlers = glob("apps/{public-api,anonymous-session-edge}/src/*.ts").map(read)
    assert.deepStrictEqual(faults(handlers, readWhole), [])
  })

  it("is caught where a member could be forgotten on its way", () => {
    const handlers = (body: string) => `
      import { Firms } from "@quittance/operations/access/Firms"
      HttpApiBuilder.group(PublicApi, "firms", Effect.fn(function* (handlers) {
        const firms = yield* Firms
        return handlers.handleAll({ create: ({ payload }) => ${body} })
      }))`
    const useCase = (type: string, from: string) => () =>
      `
      import type { CreateFirm } from "${from}"
      export class Firms extends Context.Service<Firms, { create(input: ${type}): Answer }>()("Firms") {}`
    const of = (
      body: string,
      type = "CreateFirm",
      from = "@quittance/domain/access/FirmRequests"
    ) => faults([handlers(body)], new Map([["firms.create", "CreateFirm"]]), useCase(type, from))
    assert.deepStrictEqual(of("firms.create(payload)"), [])
    assert.deepStrictEqual(of("firms.create({ name: payload.name })"), [
      "firms.create: goes nowhere whole"
    ])
    assert.deepStrictEqual(of("firms.create(payload, payload.name)"), [
      "firms.create: members are taken out of it"
    ])
    assert.deepStrictEqual(of("firms.create(payload)", "NewFirm"), [
      "firms.create: Firms.create takes NewFirm, not the domain's CreateFirm"
    ])
    assert.deepStrictEqual(of("firms.create(payload)", "CreateFirm", "./CreateFirm.ts"), [
      "firms.create: Firms.create takes CreateFirm, not the domain's CreateFirm"
    ])
  })
})
