/** Expressions whose parts fit together, and what each is worth by a reading of its own. */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { ScalarType } from "../src/Expression.ts"
import type { Draw } from "@quittance/testing/Draw"

export interface Variable {
  readonly name: string
  readonly type: ScalarType
}

export type Environment = (name: string) => CustomFieldValue

/** There is no value: something was divided by nothing, or left the integers. */
export class NoValue extends Error {}

type Scalar = bigint | number | boolean | string

export interface DrawnExpression {
  readonly text: string
  readonly variables: ReadonlyArray<string>
  /** @throws NoValue */
  readonly value: (environment: Environment) => Scalar
}

const constant = (text: string, value: Scalar): DrawnExpression => ({
  text,
  variables: [],
  value: () => value
})

/** The text with its parts put in, and what their values make. */
const made = (
  parts: ReadonlyArray<DrawnExpression>,
  text: (...texts: ReadonlyArray<string>) => string,
  value: (...values: ReadonlyArray<() => Scalar>) => Scalar
): DrawnExpression => ({
  text: text(...parts.map((part) => part.text)),
  variables: [...new Set(parts.flatMap(({ variables }) => variables))],
  value: (environment) => value(...parts.map((part) => () => part.value(environment)))
})

const most = 2n ** 63n - 1n

const whole = (value: bigint): bigint => {
  if (value > most || value < -most - 1n) throw new NoValue()
  return value
}

const integer = (value: () => Scalar) => value() as bigint

const arithmetic: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => whole(a + b),
  "-": (a, b) => whole(a - b),
  "*": (a, b) => whole(a * b),
  "/": (a, b) => divided(b, () => a / b),
  "%": (a, b) => divided(b, () => a % b)
}

const divided = (by: bigint, quotient: () => bigint): bigint => {
  if (by === 0n) throw new NoValue()
  return quotient()
}

const decimal: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b
}

const compared: Readonly<Record<string, (a: Scalar, b: Scalar) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b
}

const texts = {
  startsWith: (a: string, b: string) => a.startsWith(b),
  endsWith: (a: string, b: string) => a.endsWith(b),
  contains: (a: string, b: string) => a.includes(b)
}

/** One side decides alone where it can, even if the other one has no value. */
const decided = (a: () => Scalar, b: () => Scalar, deciding: boolean): boolean => {
  const known = (side: () => Scalar) => {
    try {
      return side()
    } catch (error) {
      if (error instanceof NoValue) return undefined
      throw error
    }
  }
  const sides = new Set([known(a), known(b)])
  if (sides.has(deciding)) return deciding
  if (sides.has(undefined)) throw new NoValue()
  return !deciding
}

const types = ["INTEGER", "NUMBER", "BOOLEAN", "STRING"] as const

export const randomExpression = (
  draw: Draw,
  variables: ReadonlyArray<Variable>,
  type: ScalarType,
  depth: number
): DrawnExpression => {
  const of = (part: ScalarType) => randomExpression(draw, variables, part, depth - 1)
  if (depth <= 0 || draw.chance(0.1)) return premiumItem(draw, variables, type)
  if (draw.chance(0.15)) {
    return made(
      [of("BOOLEAN"), of(type), of(type)],
      (a, b, c) => `(${a} ? ${b} : ${c})`,
      (a, b, c) => (a!() === true ? b!() : c!())
    )
  }
  switch (type) {
    case "INTEGER":
      return drawInteger(draw, of)
    case "NUMBER":
      return drawNumber(draw, of)
    case "STRING":
      return drawText(draw, of)
    case "BOOLEAN":
      return drawBoolean(draw, of)
  }
}

type Of = (type: ScalarType) => DrawnExpression

const premiumItem = (draw: Draw, variables: ReadonlyArray<Variable>, type: ScalarType) => {
  const fitting = variables.filter((variable) => variable.type === type)
  if (fitting.length > 0 && draw.chance(0.75)) {
    const { name } = draw.pick(fitting)
    return {
      text: name,
      variables: [name],
      value: (environment: Environment) => {
        const value = environment(name)
        return type === "INTEGER" ? BigInt(value) : value
      }
    }
  }
  switch (type) {
    case "INTEGER": {
      const value = draw.pick([0, 1, 2, 7, 100, 9_007_199_254_740_991])
      return constant(String(value), BigInt(value))
    }
    case "NUMBER": {
      const [text, value] = draw.pick([
        ["0.0", 0],
        ["2.5", 2.5],
        ["1e300", 1e300]
      ] as const)
      return constant(text, value)
    }
    case "BOOLEAN": {
      const value = draw.chance(0.5)
      return constant(String(value), value)
    }
    case "STRING": {
      const value = draw.pick(["", "A", "B", "é", "💥"])
      return constant(JSON.stringify(value), value)
    }
  }
}

const drawInteger = (draw: Draw, of: Of): DrawnExpression => {
  switch (draw.int(0, 5)) {
    case 0:
      return made(
        [of("STRING")],
        (a) => `size(${a})`,
        (a) => BigInt([...(a!() as string)].length)
      )
    case 1:
      return made(
        [of("NUMBER")],
        (a) => `int(${a})`,
        (a) => {
          const value = a!() as number
          if (!Number.isFinite(value)) throw new NoValue()
          return BigInt(Math.trunc(value))
        }
      )
    default: {
      const sign = draw.pick(Object.keys(arithmetic))
      return made(
        [of("INTEGER"), of("INTEGER")],
        (a, b) => `(${a} ${sign} ${b})`,
        (a, b) => arithmetic[sign]!(integer(a!), integer(b!))
      )
    }
  }
}

const drawNumber = (draw: Draw, of: Of): DrawnExpression => {
  if (draw.chance(0.3)) {
    return made(
      [of("INTEGER")],
      (a) => `double(${a})`,
      (a) => Number(a!())
    )
  }
  const sign = draw.pick(Object.keys(decimal))
  return made(
    [of("NUMBER"), of("NUMBER")],
    (a, b) => `(${a} ${sign} ${b})`,
    (a, b) => decimal[sign]!(a!() as number, b!() as number)
  )
}

const drawText = (draw: Draw, of: Of): DrawnExpression =>
  draw.chance(0.6)
    ? made(
        [of("STRING"), of("STRING")],
        (a, b) => `(${a} + ${b})`,
        (a, b) => String(a!()) + String(b!())
      )
    : made(
        [of("INTEGER")],
        (a) => `string(${a})`,
        (a) => String(a!())
      )

const drawBoolean = (draw: Draw, of: Of): DrawnExpression => {
  switch (draw.int(0, 5)) {
    case 0:
      return made(
        [of("BOOLEAN")],
        (a) => `!${a}`,
        (a) => a!() !== true
      )
    case 1: {
      const deciding = draw.chance(0.5)
      return made(
        [of("BOOLEAN"), of("BOOLEAN")],
        (a, b) => `(${a} ${deciding ? "||" : "&&"} ${b})`,
        (a, b) => decided(a!, b!, deciding)
      )
    }
    case 2: {
      const method = draw.pick(Object.keys(texts) as Array<keyof typeof texts>)
      return made(
        [of("STRING"), of("STRING")],
        (a, b) => `(${a}).${method}(${b})`,
        (a, b) => texts[method](String(a!()), String(b!()))
      )
    }
    case 3:
      return made(
        [of("INTEGER"), of("INTEGER"), of("INTEGER")],
        (a, b, c) => `(${a} in [${b}, ${c}])`,
        (a, b, c) => {
          const [one, ...others] = [a!, b!, c!].map((part) => part())
          return others.includes(one!)
        }
      )
    default: {
      const type = draw.pick(types)
      const signs = type === "BOOLEAN" || type === "STRING" ? ["==", "!="] : Object.keys(compared)
      const sign = draw.pick(signs)
      return made(
        [of(type), of(type)],
        (a, b) => `(${a} ${sign} ${b})`,
        (a, b) => compared[sign]!(a!(), b!())
      )
    }
  }
}
