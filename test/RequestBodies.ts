/** How the body of a request gets from its route to its use case, as the sources say. */
import { childrenOf, isNode, type Node, syntaxOf } from "./Sources.ts"

/** A use case that is called with the body as it is. */
export interface BodyCall {
  readonly service: string
  readonly method: string
  /** The position of the body among the arguments. */
  readonly index: number
}

/** What a handler does with the body. */
export interface BodyHandler {
  readonly calls: ReadonlyArray<BodyCall>
  /** Members are taken out of it, so that one which is added may be forgotten. */
  readonly isPicked: boolean
}

/** What a source imports, each name with the module that it comes from. */
export const importsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    nodesOf(text, "ImportDeclaration").flatMap((declaration) =>
      nodesIn(declaration, "ImportSpecifier").map(
        (specifier) => [nameOf(specifier["local"]), valueOf(declaration["source"])] as const
      )
    )
  )

/** The schemas that routes of a contract name as bodies, each with the module that it comes from. */
export const bodySchemas = (text: string): ReadonlyMap<string, string | undefined> => {
  const imports = importsOf(text)
  return new Map(
    nodesOf(text, "Property")
      .filter(({ key }) => isBody(key))
      .map(({ value }) => (isNode(value) ? (nodesIn(value, "Identifier")[0] ?? value) : value))
      .map((schema) => [nameOf(schema), imports.get(nameOf(schema))])
  )
}

/** The handlers of a group that take a body, by `group.route`. */
export const bodyHandlers = (text: string): ReadonlyMap<string, BodyHandler> => {
  const services = new Map(
    nodesOf(text, "VariableDeclarator")
      .filter(({ init }) => isNode(init) && init.type === "YieldExpression")
      .map(({ id, init }) => [nameOf(id), nameOf((init as Node)["argument"])])
  )
  return new Map(
    callsOf(text, "group").flatMap((group) =>
      callsIn(group, "handleAll").flatMap((handlers) =>
        nodesIn(argumentsOf(handlers)[0]!, "Property")
          .filter((property) => nodesIn(property, "Identifier").some(isBody))
          .filter(({ value }) => isNode(value) && /Function|Call/u.test(value.type))
          .map((property) => [
            `${valueOf(argumentsOf(group)[1])}.${nameOf(property["key"])}`,
            handlerOf(property, services)
          ])
      )
    )
  )
}

const handlerOf = (property: Node, services: ReadonlyMap<string, string>): BodyHandler => ({
  calls: nodesIn(property, "CallExpression").flatMap((call) => {
    const index = argumentsOf(call).findIndex(isBody)
    const { method, object } = calleeOf(call)
    const service = services.get(object)
    return index === -1 || service === undefined ? [] : [{ service, method, index }]
  }),
  isPicked:
    nodesIn(property, "MemberExpression").some(({ object }) => isBody(object)) ||
    nodesIn(property, "SpreadElement").some(({ argument }) => isBody(argument)) ||
    nodesIn(property, "Property").some(
      ({ key, value }) => isBody(key) && isNode(value) && value.type === "ObjectPattern"
    )
})

/** The name of the type that a method of a service takes at a position; `undefined` for no single name. */
export const typeTaken = (text: string, { index, method, service }: BodyCall) => {
  const found = nodesOf(text, "ClassDeclaration").find(({ id }) => nameOf(id) === service)
  const signature = (found === undefined ? [] : nodesIn(found, "TSMethodSignature")).find(
    ({ key }) => nameOf(key) === method
  )
  const parameter = signature === undefined ? undefined : parametersOf(signature)[index]
  const annotation = parameter === undefined ? undefined : child(parameter, "typeAnnotation")
  const type = annotation === undefined ? undefined : child(annotation, "typeAnnotation")
  return type?.type === "TSTypeReference" ? nameOf(type["typeName"]) : undefined
}

const nodesIn = (node: Node, type: string): ReadonlyArray<Node> => [
  ...(node.type === type ? [node] : []),
  ...childrenOf(node).flatMap((inner) => nodesIn(inner, type))
]
const nodesOf = (text: string, type: string) => nodesIn(syntaxOf("source.ts", text).tree, type)

const callsIn = (node: Node, method: string) =>
  nodesIn(node, "CallExpression").filter((call) => calleeOf(call).method === method)
const callsOf = (text: string, method: string) => callsIn(syntaxOf("source.ts", text).tree, method)

const calleeOf = ({ callee }: Node) =>
  isNode(callee) && callee.type === "MemberExpression"
    ? { object: nameOf(callee["object"]), method: nameOf(callee["property"]) }
    : { object: "", method: "" }

const child = (node: Node, field: string): Node | undefined => {
  const value = node[field]
  return isNode(value) ? value : undefined
}

const listOf = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? value.filter(isNode) : []
const argumentsOf = (call: Node) => listOf(call["arguments"])
const parametersOf = (signature: Node) => listOf(signature["params"])

const nameOf = (node: unknown): string => (isNode(node) ? String(node["name"]) : "")
const valueOf = (node: unknown): string => (isNode(node) ? String(node["value"]) : "")
const isBody = (node: unknown): boolean => nameOf(node) === "payload"
