import Modeling
import Queries
import StorageTestSupport

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

extension Sample {
  /// The condition that a predicate becomes.
  func condition(_ name: String, _ format: String, _ arguments: PredicateArgument...) throws -> String {
    let compiler = SQLCompiler(store.schema)
    let place = compiler.place(entity(name))
    let condition = try compiler.condition(Predicate.parse(format, arguments: arguments), at: place)
    return condition.sql.displayText
  }

  /// The SELECT of keys that a predicate becomes.
  func sql(_ name: String, _ format: String, _ arguments: PredicateArgument...) throws -> String {
    var request = FetchRequest(entity(name))
    request.predicate = try Predicate.parse(format, arguments: arguments)
    return try RequestSQL(request, store.schema).keys().displayText
  }
}
