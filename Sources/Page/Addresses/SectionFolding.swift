internal import HTTP
internal import Modeling
internal import Queries

/// Which sections of a table are folded, as an address says it.
///
///     folded="Chile"&folded="Japan"       all but these are opened
///     folded=all&opened="Chile"           all but this one are folded
///
/// Sections are named as predicates write their values.
struct SectionFolding: Equatable {
  var areFolded = false
  /// The sections that are not as the rest is.
  var exceptions: [String] = []

  private static let all = "all"

  init() {}

  init(_ query: [HTTPRequest.Field]) {
    let folded = query.filter { $0.name == "folded" }.map(\.value)
    areFolded = folded.contains(Self.all)
    exceptions = areFolded ? query.filter { $0.name == "opened" }.map(\.value) : folded
  }

  var fields: [HTTPRequest.Field] {
    (areFolded ? [.init("folded", Self.all)] : []) + exceptions.map { .init(areFolded ? "opened" : "folded", $0) }
  }

  /// Folds an opened section, or opens a folded one.
  mutating func toggle(_ name: String) {
    if exceptions.contains(name) { exceptions.removeAll { $0 == name } } else { exceptions.append(name) }
  }

  /// Folds all sections, or opens them.
  mutating func toggleAll() { (areFolded, exceptions) = (!areFolded, []) }

  /// The name of a section; nil for a value that predicates cannot write, such as data.
  static func name(of id: Value) -> String? {
    let name = Expression.constant(id).description
    return value(name)?.order(id) == 0 ? name : nil
  }

  /// The value that a name means.
  static func value(_ name: String) -> Value? {
    if case .constant(let value)? = try? Expression.parse(name) { value } else { nil }
  }
}
