internal import LuaRuntime
internal import Modeling
internal import Queries
internal import SwiftPrinting

extension BoundPredicate {
  static let swiftMembers: [Member<BoundPredicate>] = [
    .method(
      "swift", "predicate:swift([form] [, { entity = , name = , test = , exact = }]) -> string",
      "The predicate as Swift: \"nspredicate\", \"macro\", \"fetchRequest\", \"query\" or \"fetchDescriptor\".",
      sandbox: .allowed, example: #"("nspredicate")"#
    ) { call, predicate in
      let form = try call.choice(1, SwiftForm.self)
      let options = try SwiftOptions(call, 2, ["entity"])
      let printer = SwiftPrinter(entity: options.entity?.entity, name: options.name)
      let chosen = form ?? (options.entity == nil ? .nspredicate : .macro)
      if let entity = options.entity { try predicate.predicate.check(in: entity.entity) }
      let printed = try options.settled(predicate.predicate, of: options.entity?.entity, as: chosen, call)
      var source = try printed.note + printer.source(of: printed.predicate, as: chosen)
      if options.isTest {
        guard let entity = options.entity else { throw SwiftPrintingError(.needsEntity(chosen)) }
        source += "\n\n" + (try entity.request(predicate.predicate).swiftTest(call, chosen, options.name))
      }
      return .text(source)
    }
  ]
}

/// The options of a printed declaration.
struct SwiftOptions {
  /// The entity of the predicate.
  var entity: BoundEntity?
  /// The name of the declaration.
  var name: String?
  /// Whether to add a test.
  var isTest = false
  /// Whether the macro selects the same objects as the store if something is nil.
  var isExact = false

  init(_ call: Call, _ argument: Int32, _ more: [String] = []) throws {
    let options = try call.options(argument, ["name", "test", "exact"] + more)
    try call.refuseMore(than: argument)
    name = try options.string("name")
    isTest = try options.bool("test") ?? false
    isExact = try options.bool("exact") ?? false
    entity = try options.entity("entity")
    if let name, !SwiftPrinter.isName(name) { throw call.fail("'\(name)' is not a name in Swift") }
  }

  /// Returns the predicate to print, with a comment to print before it.
  ///
  /// A macro compares with nil as Foundation does in memory: `!(depth > 100)` selects objects without a depth, the
  /// store does not. With `exact = true` the tests for nil are printed, so that both agree; otherwise a comment shows
  /// them.
  func settled(
    _ predicate: Queries.Predicate, of entity: Entity?, as form: SwiftForm, _ call: Call
  ) throws -> (predicate: Queries.Predicate, note: String) {
    guard form.isMacro, let entity else { return (predicate, "") }
    let decided = predicate.decided(in: entity)
    if isExact {
      guard let decided else {
        throw call.fail("exact: no macro selects just what the store selects of \(predicate), where something is nil")
      }
      return (decided, "")
    }
    guard decided != predicate else { return (predicate, "") }
    guard let decided else {
      return (
        predicate, predicate.hasNegation ? "// Where something is nil, this may select what the store does not.\n" : ""
      )
    }
    return (
      predicate,
      "// Where something is nil, this selects what the store does not; the same answers, by exact = true:\n// \(decided)\n"
    )
  }
}

extension SwiftForm {
  /// Whether its predicate is a `#Predicate`.
  fileprivate var isMacro: Bool {
    switch self {
    case .macro, .query, .fetchDescriptor, .resultsObserver: true
    case .nspredicate, .nsFetchRequest, .fetchRequest, .sectionedFetchRequest: false
    }
  }
}

extension Queries.Predicate {
  /// Whether it contains a NOT or a !=, which are true in memory if a value is nil.
  fileprivate var hasNegation: Bool {
    switch self {
    case .constant, .expression: false
    case .not: true
    case .and(let terms), .or(let terms): terms.contains(where: \.hasNegation)
    case .comparison(let comparison): comparison.comparator == .notEqual || comparison.modifier == .none
    }
  }
}
