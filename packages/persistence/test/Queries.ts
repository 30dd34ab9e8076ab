/** Shapes of queries over books and lines. Each has a total order, so that answers compare. */
import type { SqlClient, Statement } from "effect/sql"

/** Where a query takes its books and lines from: the tables, or the rows of one tenant by name. */
export interface Sources {
  readonly book: Statement.Fragment
  readonly line: Statement.Fragment
}

type Shape = (sql: SqlClient.SqlClient, from: Sources) => Statement.Statement<object>

export const shapes: Record<string, Shape> = {
  list: (sql, { book }) => sql`SELECT id, amount FROM ${book} b ORDER BY amount DESC, id`,
  limit: (sql, { book }) => sql`SELECT id FROM ${book} b ORDER BY id LIMIT ${3} OFFSET ${1}`,
  "first rows": (sql, { book }) =>
    sql`SELECT id FROM ${book} b ORDER BY amount, id FETCH FIRST 2 ROWS ONLY`,
  "by key": (sql, { book }) => sql`SELECT * FROM ${book} b WHERE id = ${"b2"}`,
  "by list of keys": (sql, { book }) =>
    sql`SELECT id FROM ${book} b WHERE ${sql.in("id", ["b1", "b3", "zz"])} ORDER BY id`,
  "nothing found": (sql, { book }) => sql`SELECT * FROM ${book} b WHERE amount < 0`,
  count: (sql, { book }) =>
    sql`SELECT count(*)::int AS n, sum(amount)::int AS total FROM ${book} b`,
  "count of nothing": (sql, { line }) =>
    sql`SELECT count(*)::int AS n, max(number) AS most FROM ${line} l WHERE number > 1000`,
  groups: (sql, { line }) =>
    sql`SELECT book_id, count(*)::int AS n FROM ${line} l GROUP BY book_id HAVING count(*) > 1 ORDER BY book_id`,
  "grouping sets": (sql, { line }) =>
    sql`SELECT book_id, number, count(*)::int AS n FROM ${line} l GROUP BY ROLLUP (book_id, number) ORDER BY book_id NULLS FIRST, number NULLS FIRST`,
  distinct: (sql, { line }) =>
    sql`SELECT DISTINCT ON (book_id) book_id, number FROM ${line} l ORDER BY book_id, number DESC`,
  join: (sql, { book, line }) =>
    sql`SELECT b.id, l.number FROM ${book} b JOIN ${line} l ON l.tenant_id = b.tenant_id AND l.book_id = b.id ORDER BY b.id, l.number`,
  "join without the tenant": (sql, { book, line }) =>
    sql`SELECT b.id, b.amount, l.number FROM ${book} b JOIN ${line} l ON l.book_id = b.id ORDER BY b.id, l.number`,
  "left join": (sql, { book, line }) =>
    sql`SELECT b.id, l.number FROM ${book} b LEFT JOIN ${line} l ON l.book_id = b.id AND l.number > 1 ORDER BY b.id, l.number`,
  "full join": (sql, { book, line }) =>
    sql`SELECT b.id, l.book_id, l.number FROM (SELECT * FROM ${book} b WHERE amount > 20) b FULL JOIN ${line} l ON l.book_id = b.id ORDER BY l.book_id, l.number, b.id`,
  "cross join": (sql, { book }) =>
    sql`SELECT a.id AS one, b.id AS other FROM ${book} a CROSS JOIN ${book} b ORDER BY a.id, b.id LIMIT 20`,
  "self join": (sql, { book }) =>
    sql`SELECT a.id, count(b.id)::int AS below FROM ${book} a LEFT JOIN ${book} b ON b.amount < a.amount GROUP BY a.id ORDER BY a.id`,
  "scalar subselect": (sql, { book, line }) =>
    sql`SELECT id, (SELECT count(*)::int FROM ${line} l WHERE l.book_id = b.id) AS lines FROM ${book} b ORDER BY id`,
  "uncorrelated subselect": (sql, { book, line }) =>
    sql`SELECT id, (SELECT max(number) FROM ${line} l) AS most FROM ${book} b WHERE amount >= (SELECT avg(amount) FROM ${book} c) ORDER BY id`,
  exists: (sql, { book, line }) =>
    sql`SELECT id FROM ${book} b WHERE EXISTS (SELECT FROM ${line} l WHERE l.book_id = b.id AND number = 2) ORDER BY id`,
  "not exists": (sql, { book, line }) =>
    sql`SELECT id FROM ${book} b WHERE NOT EXISTS (SELECT FROM ${line} l WHERE l.book_id = b.id AND number = 2) ORDER BY id`,
  "in a subselect": (sql, { book, line }) =>
    sql`SELECT id FROM ${book} b WHERE id IN (SELECT book_id FROM ${line} l) ORDER BY id`,
  "not in a subselect": (sql, { book, line }) =>
    sql`SELECT id FROM ${book} b WHERE id NOT IN (SELECT book_id FROM ${line} l WHERE number > 1) ORDER BY id`,
  "array of a subselect": (sql, { book, line }) =>
    sql`SELECT id, ARRAY(SELECT number FROM ${line} l WHERE l.book_id = b.id ORDER BY number) AS numbers FROM ${book} b ORDER BY id`,
  lateral: (sql, { book, line }) =>
    sql`SELECT b.id, x.number FROM ${book} b CROSS JOIN LATERAL (SELECT number FROM ${line} l WHERE l.book_id = b.id ORDER BY number DESC LIMIT 1) x ORDER BY b.id`,
  "common table expression": (sql, { book, line }) =>
    sql`WITH rich AS (SELECT * FROM ${book} b WHERE amount > 20) SELECT r.id, count(l.*)::int AS lines FROM rich r LEFT JOIN ${line} l ON l.book_id = r.id GROUP BY r.id ORDER BY r.id`,
  "materialized expression": (sql, { book }) =>
    sql`WITH all_books AS MATERIALIZED (SELECT * FROM ${book} b) SELECT a.id, (SELECT count(*)::int FROM all_books) AS n FROM all_books a ORDER BY a.id`,
  "several expressions": (sql, { book, line }) =>
    sql`WITH s AS (SELECT id FROM ${book} b), x AS MATERIALIZED (SELECT book_id FROM ${line} l JOIN s ON s.id = l.book_id) SELECT book_id, count(*)::int AS n FROM x GROUP BY book_id ORDER BY book_id`,
  recursion: (sql, { book }) =>
    sql`WITH RECURSIVE walk AS (SELECT min(id) AS id, 1 AS depth FROM ${book} b UNION ALL SELECT (SELECT min(id) FROM ${book} b WHERE b.id > walk.id), depth + 1 FROM walk WHERE id IS NOT NULL) SELECT id, depth FROM walk WHERE id IS NOT NULL ORDER BY depth`,
  window: (sql, { book }) =>
    sql`SELECT id, rank() OVER (ORDER BY amount DESC, id)::int AS place, sum(amount) OVER (ORDER BY id)::int AS running, count(*) OVER ()::int AS n FROM ${book} b ORDER BY id`,
  union: (sql, { book, line }) =>
    sql`SELECT id AS key FROM ${book} b UNION ALL SELECT book_id FROM ${line} l ORDER BY key`,
  except: (sql, { book, line }) =>
    sql`SELECT id FROM ${book} b EXCEPT SELECT book_id FROM ${line} l WHERE number = 2 ORDER BY id`,
  "join with values": (sql, { book }) =>
    sql`SELECT v.id, b.amount FROM (VALUES (${"b1"}), (${"zz"})) v (id) LEFT JOIN ${book} b ON b.id = v.id ORDER BY v.id`,
  "document of rows": (sql, { book, line }) =>
    sql`SELECT jsonb_object_agg(id, lines ORDER BY id) AS books FROM (SELECT b.id, jsonb_agg(l.number ORDER BY l.number) AS lines FROM ${book} b JOIN ${line} l ON l.book_id = b.id GROUP BY b.id) x`,
  "page with total": (sql, { book }) =>
    sql`SELECT t.n, p.id FROM (SELECT count(*)::int AS n FROM ${book} b) t LEFT JOIN (SELECT id FROM ${book} b ORDER BY id LIMIT 2) p ON true ORDER BY p.id`,
  "row of another's book": (sql, { book }) =>
    sql`SELECT id FROM ${book} b WHERE tenant_id <> ${"none"} ORDER BY id`
}
