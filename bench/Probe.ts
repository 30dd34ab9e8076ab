/**
 * Loaded into a program before its main module, to be asked by the benchmark that has forked it: how
 * much processor time it has used, what bare signatures cost it.
 */
import { generateKeyPair, SignJWT } from "jose"

export type Question =
  | { readonly ask: "used" }
  /** So many tokens with nothing around them, so many at once. */
  | { readonly ask: "sign"; readonly tokens: number; readonly atOnce: number }

/** Microseconds of processor time, of all threads: since the start, or for what was asked. */
export interface Answer {
  readonly micros: number
}

const used = () => {
  const { system, user } = process.cpuUsage()
  return system + user
}

const { privateKey } = await generateKeyPair("ES256")
const header = { alg: "ES256", typ: "at+jwt", kid: "A".repeat(43) }
const claims = {
  iss: "http://bench.auth.localhost:8080",
  aud: "http://localhost:8080",
  client_id: "client-1",
  jti: "AAAAAAAAAAAAAAAAAAAAAA",
  tenant: "bench",
  iat: 1_767_225_600,
  exp: 1_767_229_200,
  kind: "client",
  sub: "client-1",
  scope: "platform/policies platform/quotes"
}

const sign = async (tokens: number, atOnce: number) => {
  let left = tokens
  const signer = async () => {
    while (left-- > 0) await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
  }
  await Promise.all(Array.from({ length: atOnce }, signer))
}

const answerTo = async (question: Question): Promise<Answer> => {
  const before = used()
  if (question.ask === "used") return { micros: before }
  await sign(question.tokens, question.atOnce)
  return { micros: used() - before }
}

process.on("message", async (question: Question) => process.send?.(await answerTo(question)))
