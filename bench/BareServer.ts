/** What the bearer routes are measured against: routes of Fastify that read one row, and check nothing. */
import { fastify } from "fastify"
import postgres from "postgres"

const { DATABASE_URL = "", PORT = "", TENANT = "" } = process.env

const sql = postgres(DATABASE_URL, { max: 10 })
const app = fastify()

app.get<{ Params: { id: string } }>("/policies/:id", async (request, reply) => {
  const [row] = await sql<[{ body: string }?]>`
    SELECT body FROM policy_answer WHERE tenant_id = ${TENANT} AND policy_id = ${request.params.id}
  `
  return row === undefined
    ? reply.code(404).send()
    : reply.type("application/json; charset=utf-8").send(row.body)
})

/** What is stored of a content, as it is. */
app.get<{ Querystring: { name: string } }>("/contents", async (request, reply) => {
  const parts = await sql<Array<{ bytes: Buffer }>>`
    SELECT bytes FROM content_part
    WHERE tenant_id = ${TENANT} AND name = ${request.query.name} ORDER BY number
  `
  return reply.type("application/pdf").send(Buffer.concat(parts.map(({ bytes }) => bytes)))
})

await app.listen({ host: "127.0.0.1", port: Number(PORT) })
process.on("SIGTERM", () => process.exit(0))
