/** What the bearer routes are measured against: one route of Fastify that reads one row, and checks nothing. */
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

await app.listen({ host: "127.0.0.1", port: Number(PORT) })
process.on("SIGTERM", () => process.exit(0))
