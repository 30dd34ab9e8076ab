/** What both sides of the crowd send: the sandbox's own routes, as browsers and programs ask for them. */
import { type Agent, request } from "node:http"
import { createHash, randomBytes } from "node:crypto"

export interface Asked {
  readonly agent?: Agent
  readonly port: number
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answered {
  /** 0 where the connection was lost. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** Sends a request; a lost connection is an answer with the status 0. */
export const send = ({ body, headers, method, path, port, ...options }: Asked): Promise<Answered> =>
  new Promise((resolve) => {
    const lost = () => resolve({ status: 0, headers: {}, text: "" })
    const call = request(
      {
        ...options,
        host: "127.0.0.1",
        port,
        path,
        method: method ?? "GET",
        headers: { ...headers }
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", lost)
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString("utf8")
          })
        )
      }
    )
    call.on("error", lost).end(body)
  })

/** An address of its own, as a proxy would tell it. */
export const addressOf = (turn: number) =>
  `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`

export const jsonHeaders = (tenant: string, token: string, address: string) => ({
  tenant,
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  "x-forwarded-for": address
})

/** A visitor's session. */
export const visitor = async (port: number, tenant: string, address: string): Promise<string> => {
  const headers = { tenant, "x-forwarded-for": address, "content-type": "application/json" }
  const answer = await send({
    port,
    method: "POST",
    path: "/anonymous-session",
    headers,
    body: "{}"
  })
  if (answer.status !== 201) throw new Error(`A session was refused: ${answer.text}`)
  return String(JSON.parse(answer.text).accessToken)
}

/** A sale of a visitor's own. */
export const policyAggregate = async (
  port: number,
  tenant: string,
  token: string,
  address: string
): Promise<string> => {
  const headers = jsonHeaders(tenant, token, address)
  const body = JSON.stringify({ productId: "motor-fr", customFields: [] })
  const answer = await send({ port, method: "POST", path: "/policies", headers, body })
  if (answer.status !== 201) throw new Error(`A policy was refused: ${answer.text}`)
  return String(JSON.parse(answer.text).id)
}

/** The login page of a tenant, opened once: its form may be sent again and again. */
export const loginForm = async (port: number, tenant: string, address: string) => {
  const host = `${tenant}.auth.localhost:${port}`
  const verifier = randomBytes(32).toString("base64url")
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "quittance-cli",
    redirect_uri: "http://127.0.0.1:8765/callback",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: "crowd"
  })
  const path = `/oauth2/authorize?${query.toString()}`
  const page = await send({ port, path, headers: { host, "x-forwarded-for": address } })
  if (page.status !== 200) throw new Error(`No login page: ${page.text}`)
  const cookies = [page.headers["set-cookie"] ?? []].flat()
  const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/gu)]
  const fields = hidden.map(([, name = "", value = ""]): [string, string] => [
    name,
    value.replaceAll("&amp;", "&")
  ])
  const cookie = cookies.map((text) => text.split(";")[0]).join("; ")
  /** Sends the form from an address. */
  return (password: string, from: string) =>
    send({
      port,
      method: "POST",
      path: "/oauth2/authorize",
      headers: {
        host,
        cookie,
        "content-type": "application/x-www-form-urlencoded",
        "x-forwarded-for": from
      },
      body: new URLSearchParams([
        ...fields,
        ["email", `manager@${tenant}.test`],
        ["password", password]
      ]).toString()
    })
}
