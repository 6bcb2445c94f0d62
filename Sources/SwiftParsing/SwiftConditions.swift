/// Chooses between the parts of `#if ... #elseif ... #else ... #endif`, wherever they stand, as an app for iOS is built.
///
/// ```swift
/// #if os(macOS)
///   var window: String?
/// #else
///   var scene: String?        // this one
/// #endif
/// ```
///
/// Flags of a project, such as `DEBUG`, do not hold. The parts that are left out are recorded, because the author may build
/// it otherwise.
package struct SwiftConditions {
  /// A part that was left out: its condition as it is written, and where that stands.
  package struct LeftOut {
    package var condition: String
    package var place: Range<Int>
    /// Whether it declares something.
    package var declares: Bool
  }

  /// The tokens without the conditions and the parts that were not chosen.
  package private(set) var tokens: [SwiftToken] = []
  package private(set) var leftOut: [LeftOut] = []
  package private(set) var mistakes: [(fact: SwiftReadingError.Fact, place: Range<Int>)] = []
  private let bytes: [UInt8]

  /// One `#if` that has not ended.
  private struct Open {
    /// Where `#if` stands.
    package var place: Range<Int>
    /// Whether what stands around it is kept.
    var isOuterKept: Bool
    /// Whether a part of it was chosen already.
    var hasChosen: Bool
    /// Whether the part that is read is kept.
    var isKept: Bool
    /// The part that is left out, while it is read.
    package var part: LeftOut?
  }

  package init(_ all: [SwiftToken], _ bytes: [UInt8]) {
    self.bytes = bytes
    var open: [Open] = []
    var rest = all[...]
    while let token = rest.popFirst() {
      switch token.kind {
      case .pound("if"):
        let condition = Self.line(&rest)
        let isOuterKept = open.last?.isKept ?? true
        open.append(Open(place: token.range, isOuterKept: isOuterKept, hasChosen: false, isKept: false))
        choose(holds(condition), condition, token, &open)
      case .pound("elseif") where !open.isEmpty:
        let condition = Self.line(&rest)
        choose(holds(condition), condition, token, &open)
      case .pound("else") where !open.isEmpty: choose(true, [], token, &open)
      case .pound("endif") where !open.isEmpty: record(open.removeLast().part)
      case .end:
        for unclosed in open { mistakes.append((.unterminated("#if"), unclosed.place)) }
        tokens.append(token)
      default:
        if open.last?.isKept ?? true {
          tokens.append(token)
        } else if Self.declarations.contains(token.kind), !open.isEmpty {
          open[open.count - 1].part?.declares = true
        }
      }
    }
  }

  private static let declarations: Set<SwiftToken.Kind> = [
    .name("var"), .name("let"), .name("class"), .name("struct"), .name("enum"), .name("case"),
  ]

  /// Begins the next part of the innermost `#if`, which is kept if it is the first whose condition holds.
  private mutating func choose(_ holds: Bool, _ condition: [SwiftToken], _ token: SwiftToken, _ open: inout [Open]) {
    let last = open.count - 1
    record(open[last].part)
    open[last].part = nil
    open[last].isKept = open[last].isOuterKept && holds && !open[last].hasChosen
    open[last].hasChosen = open[last].hasChosen || holds
    if open[last].isOuterKept, !open[last].isKept {
      let end = condition.last?.range.upperBound ?? token.range.upperBound
      let text = String(decoding: bytes[token.range.lowerBound..<end], as: UTF8.self)
      open[last].part = LeftOut(condition: text, place: token.range.lowerBound..<end, declares: false)
    }
  }

  private mutating func record(_ part: LeftOut?) {
    if let part { leftOut.append(part) }
  }

  /// Takes the rest of a line.
  private static func line(_ rest: inout ArraySlice<SwiftToken>) -> [SwiftToken] {
    var line: [SwiftToken] = []
    while let next = rest.first, !next.beginsLine, next.kind != .end {
      line.append(next)
      rest.removeFirst()
    }
    return line
  }

  // MARK: Conditions

  private func holds(_ condition: [SwiftToken]) -> Bool {
    var rest = condition[...]
    let holds = disjunction(&rest, depth: 0)
    return holds && rest.isEmpty
  }

  private func disjunction(_ rest: inout ArraySlice<SwiftToken>, depth: Int) -> Bool {
    var holds = conjunction(&rest, depth: depth)
    while rest.first?.kind == .sign("||") {
      rest.removeFirst()
      let other = conjunction(&rest, depth: depth)
      holds = holds || other
    }
    return holds
  }

  private func conjunction(_ rest: inout ArraySlice<SwiftToken>, depth: Int) -> Bool {
    var holds = term(&rest, depth: depth)
    while rest.first?.kind == .sign("&&") {
      rest.removeFirst()
      let other = term(&rest, depth: depth)
      holds = holds && other
    }
    return holds
  }

  private func term(_ rest: inout ArraySlice<SwiftToken>, depth: Int) -> Bool {
    guard depth < 50, let token = rest.popFirst() else { return false }
    switch token.kind {
    case .sign("!"): return !term(&rest, depth: depth + 1)
    case .sign("("):
      let holds = disjunction(&rest, depth: depth + 1)
      if rest.first?.kind == .sign(")") { rest.removeFirst() }
      return holds
    case .name("true"): return true
    case .name(let name):
      guard rest.first?.kind == .sign("(") else { return false }
      rest.removeFirst()
      var argument: SwiftToken.Kind?
      while let inner = rest.popFirst(), inner.kind != .sign(")") { if argument == nil { argument = inner.kind } }
      switch name {
      case "canImport", "swift", "compiler", "hasFeature", "hasAttribute": return true
      case "os": return argument == .name("iOS")
      case "arch": return argument == .name("arm64")
      default: return false
      }
    default: return false
    }
  }
}
