internal import LuaRuntime
internal import Modeling
internal import Queries
internal import SwiftInterchange

extension BoundPredicate {
  static let swiftMembers: [Member<BoundPredicate>] = [
    .method(
      "swift", "predicate:swift([form] [, { entity = , name = , test = }]) -> string",
      "The predicate as Swift: \"nspredicate\", \"macro\", \"fetchRequest\", \"query\" or \"fetchDescriptor\"."
    ) { call, predicate in
      let form = try call.choice(1, SwiftForm.self)
      let options = try SwiftOptions(call, 2, ["entity"])
      let printer = SwiftPrinter(entity: options.entity?.entity, name: options.name)
      let chosen = form ?? (options.entity == nil ? .nspredicate : .macro)
      if let entity = options.entity { try predicate.predicate.check(in: entity.entity) }
      var source = try printer.source(of: predicate.predicate, as: chosen)
      if options.isTest {
        guard let entity = options.entity else { throw SwiftPrintingError(.needsEntity(chosen)) }
        source += "\n\n" + (try entity.request(predicate.predicate).swiftTest(call, chosen, options.name))
      }
      call.stack.push(source)
      return 1
    }
  ]
}

/// What can be said of a printed declaration.
struct SwiftOptions {
  /// Of what the predicate is.
  var entity: BoundEntity?
  /// What the declaration is called.
  var name: String?
  /// Whether a test follows it.
  var isTest = false

  init(_ call: Call, _ argument: Int32, _ more: [String] = []) throws {
    let options = try call.options(argument, ["name", "test"] + more)
    try call.refuseMore(than: argument)
    name = try options.string("name")
    isTest = try options.bool("test") ?? false
    entity = try options.entity("entity")
    if let name, !SwiftPrinter.isName(name) { throw call.fail("'\(name)' is no name in Swift") }
  }
}
