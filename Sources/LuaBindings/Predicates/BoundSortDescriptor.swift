internal import Modeling
internal import Queries

/// A sort descriptor in Lua.
final class BoundSortDescriptor: Bound {
  static let luaName = "SortDescriptor"
  var place: String { "SortDescriptor" }

  let descriptor: Queries.SortDescriptor

  init(_ descriptor: Queries.SortDescriptor) { self.descriptor = descriptor }

  func summary() -> String {
    var text = "SortDescriptor(\(descriptor.expression.description.quotedForLua)"
    if !descriptor.isAscending { text += ", \"reverse\"" }
    if descriptor.comparator != .binary { text += ", { comparator = \"\(descriptor.comparator.rawValue)\" }" }
    return text + ")"
  }

  static let members: [Member<BoundSortDescriptor>] = [
    .property("keyPath", "descriptor.keyPath -> string", "The key path that is compared.", sandbox: .allowed) {
      call, bound in
      .text(bound.descriptor.expression.description)
    },
    .property("order", "descriptor.order -> \"forward\" or \"reverse\"", "The direction.", sandbox: .allowed) {
      call, bound in
      .text(bound.descriptor.isAscending ? "forward" : "reverse")
    },
    .property("comparator", "descriptor.comparator -> string", "How strings are compared.", sandbox: .allowed) {
      call, bound in
      .text(bound.descriptor.comparator.rawValue)
    },
  ]
}

/// Sort descriptors from the values of scripts.
enum SortDescriptorFunctions {
  private enum Order: String, CaseIterable {
    case forward
    case reverse
  }

  static let entries: [CatalogEntry] = [
    CatalogEntry(
      kind: .option, owner: "SortDescriptor", name: "comparator",
      signature: "comparator = \"binary\" | \"caseInsensitive\" | \"localized\" | \"standard\"",
      summary: "How strings are compared; binary by default.",
      example: #"Quake:sorted(SortDescriptor("place", "forward", { comparator = "localized" }))"#)
  ]

  /// Reads the arguments of `SortDescriptor(...)`.
  static func make(_ call: Call) throws -> Queries.SortDescriptor {
    var descriptor = try parse(try call.expressionText(1))
    var next: Int32 = 2
    if call.type(next) == .string {
      if let order = try call.choice(next, Order.self) { descriptor.isAscending = order == .forward }
      next += 1
    }
    let options = try call.options(next, ["comparator"])
    try call.refuseMore(than: next)
    if let comparator = try options.choice("comparator", Queries.SortDescriptor.StringComparator.self) {
      descriptor.comparator = comparator
    }
    return descriptor
  }

  /// Parses `time`, `-time` (descending) or an expression such as `year(time)`.
  static func parse(_ text: String) throws -> Queries.SortDescriptor {
    let isReversed = text.hasPrefix("-")
    let expression = try Queries.Expression.parse(isReversed ? String(text.dropFirst()) : text)
    return Queries.SortDescriptor(expression, ascending: !isReversed)
  }
}
