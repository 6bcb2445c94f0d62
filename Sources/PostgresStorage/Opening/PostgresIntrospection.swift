import Layouts
import Modeling
import Postgres
import Storage

struct PostgresIntrospection {
  let isEmpty = true
  init(_ pool: PostgresPool) throws {}
  func opened(as model: Model?) throws -> OpenedDatabase {
    OpenedDatabase(model: try Model([]), layouts: [:], tables: PostgresTables([:]), kind: .postgres)
  }
}
