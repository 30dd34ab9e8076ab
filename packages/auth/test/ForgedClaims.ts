/** Claims that are not those of our tokens. */
import { decode, type Family } from "./Forgery.ts"
import * as Tokens from "./Tokens.ts"

/** Claims that we never write like that, each under a genuine signature. */
export const claims: Family = function* ({ key, payload }) {
  const genuine = decode(payload).toString()
  const signed = (text: string) => Tokens.spell(key, Tokens.headerText(key.kid), text)
  for (const [name, value] of Object.entries(Tokens.client)) {
    const text = JSON.stringify(value)
    const quoted = `"${name}"`
    yield signed(genuine.replace("{", `{${quoted}:${text},`))
    yield signed(genuine.replace("}", `,${quoted}:${text}}`))
    yield signed(genuine.replace("{", `{${quoted}:null,`))
    yield signed(
      genuine.replace(quoted, `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`)
    )
    yield signed(genuine.replace(`${quoted}:`, `${quoted} :`))
    yield signed(genuine.replace(quoted, `"${name}\\u0000"`))
    for (const wrong of [null, true, [], {}, [value], { "": value }, -1, 0.5]) {
      yield signed(JSON.stringify({ ...Tokens.client, [name]: wrong }))
    }
    // An empty scope is what a client has that may nothing.
    if (name !== "scope") yield signed(JSON.stringify({ ...Tokens.client, [name]: "" }))
    if (typeof value === "number") {
      for (const form of [
        `${value}.0`,
        `${value}e0`,
        `+${value}`,
        `0${value}`,
        `"${value}"`,
        "-0"
      ]) {
        yield signed(genuine.replace(`${quoted}:${value}`, `${quoted}:${form}`))
      }
      for (const form of ["1e308", "1e999", "9007199254740993", "NaN", "Infinity", "0x7fffffff"]) {
        yield signed(genuine.replace(`${quoted}:${value}`, `${quoted}:${form}`))
      }
    }
  }
  for (const text of [
    ["", " ", "{}", "[]", "null", "1", '""', "{", "}", "nonsense", genuine.slice(0, -1)],
    [` ${genuine}`, `${genuine} `, `${genuine}\n`, `\uFEFF${genuine}`, `${genuine}${genuine}`],
    [`[${genuine}]`, JSON.stringify(genuine), genuine.replaceAll('"', "'"), "[".repeat(2000)],
    [genuine.replace("}", ",}"), genuine.replace("{", "{,"), `${genuine}//`, `${genuine}\0`]
  ].flat()) {
    yield signed(text)
  }
}
