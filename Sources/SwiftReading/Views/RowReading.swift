internal import SwiftParsing

/// The columns that were found while the views of a row are read.
struct RowReading {
  let results: String
  var columns: [SwiftScript.Column] = []
  var isSectioned = false
  /// The key paths that names stand for; empty for the row itself.
  var paths: [String: String] = [:]
  /// The names that may be sections.
  var sections: Set<String> = []

  init(results: String) { self.results = results }

  mutating func add(_ column: SwiftScript.Column) {
    if !columns.contains(column) { columns.append(column) }
  }

  /// The key path of a value from the row on; nil for anything else.
  func path(of syntax: SwiftSyntax) -> String? {
    switch syntax.unwrapped.kind {
    case .name(let name): return paths[name]
    case .member(let base?, let name):
      guard let owner = path(of: base) else { return nil }
      return owner.isEmpty ? name : owner + "." + name
    case .optionalChain(let base), .forced(let base), .cast(let base, _, _): return path(of: base)
    case .infix("??", let operands): return operands.first.flatMap { path(of: $0) }
    default: return nil
    }
  }

  /// Whether a value is what the heading of a section is here, too: `Text(section.id)`, `Text("\(section.id)")`.
  func isSectionID(_ syntax: SwiftSyntax) -> Bool {
    switch syntax.unwrapped.kind {
    case .call(_, _, let arguments): arguments.count == 1 && isSectionID(arguments[0].value)
    case .closure(let closure):
      if closure.statements.count == 1, case .value(let value) = closure.statements[0].kind {
        isSectionID(value)
      } else {
        false
      }
    case .member(let base?, "id"): base.root.map(sections.contains) ?? false
    case .string(let string): string.content == String(SwiftString.interpolated)
    default: false
    }
  }

  /// Whether a value has something of a section in it: `Text(section.id)`.
  func mentionsSection(_ syntax: SwiftSyntax) -> Bool {
    switch syntax.unwrapped.kind {
    case .call(_, _, let arguments): arguments.contains { mentionsSection($0.value) }
    case .member: syntax.root.map(sections.contains) ?? false
    case .string(let string): string.interpolation != nil
    default: false
    }
  }
}
