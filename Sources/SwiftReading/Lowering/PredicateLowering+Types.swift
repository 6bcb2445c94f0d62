internal import Modeling
internal import Queries
internal import SwiftParsing

// What Swift's compiler refuses because of types.
extension PredicateLowering {
  /// Reports an optional on either side of an operator that takes none.
  mutating func refuseOptional(
    _ one: Lowered, _ left: SwiftSyntax, _ other: Lowered, _ right: SwiftSyntax
  ) -> Bool {
    for (side, syntax) in [(one, left), (other, right)] where side.needsUnwrapping {
      issues.report(.needsUnwrapping(source(syntax)), at: syntax.range)
      return true
    }
    return false
  }

  /// Reports a comparison with nil of a value that is never nil.
  mutating func refuse(nilOf one: Lowered, _ syntax: SwiftSyntax, _ other: Lowered, at range: Range<Int>) -> Bool {
    guard other.isLiteral, other.constant == .null, !one.isChained, one.isOptional == false else { return false }
    issues.report(.neverNil(source(syntax)), at: range)
    return true
  }

  /// Reports values of two types, which Swift does not convert; `function` where they are computed with.
  mutating func refuse(
    mixing one: Lowered, _ other: Lowered, _ function: ExpressionFunction?, at range: Range<Int>
  ) -> Bool {
    if let left = NumberKind(one), let right = NumberKind(other), !left.fits(right) {
      issues.report(.mixedTypes(left.name, right.name), at: range)
      return true
    }
    guard let function, function == .modulus else { return false }
    for side in [one, other] where !side.isLiteral {
      if let kind = NumberKind(side), case .fraction = kind {
        issues.report(.swiftOperator("% of a \(kind.name)"), at: range)
        return true
      }
    }
    return false
  }

  /// Reports an element of another type than the list that it is looked for in.
  mutating func refuse(element: Lowered, _ syntax: SwiftSyntax, in list: Lowered) -> Bool {
    if element.needsUnwrapping {
      issues.report(.needsUnwrapping(source(syntax)), at: syntax.range)
      return true
    }
    // The type of a list from outside may be declared otherwise than its values look.
    guard case .collection(let type) = list.type, case .value(.constant) = list.meaning,
      let left = NumberKind(element)
    else { return false }
    var sample = Lowered.value(.constant(.null), type)
    sample.isLiteral = true
    guard let right = NumberKind(sample), !left.fits(right) else { return false }
    issues.report(.mixedTypes(left.name, right.name), at: syntax.range)
    return true
  }
}

/// What of numbers Swift keeps apart.
private enum NumberKind {
  /// A literal fits what can hold it.
  case literal(isFraction: Bool)
  case bool
  /// The width is known of attributes alone.
  case integer(AttributeType?)
  case fraction(AttributeType?)

  init?(_ lowered: Lowered) {
    guard case .value(let type) = lowered.type else { return nil }
    let isOfModel = lowered.attribute != nil
    switch type {
    case .boolean: self = .bool
    case .integer16, .integer32, .integer64:
      self = lowered.isLiteral ? .literal(isFraction: false) : .integer(isOfModel ? type : nil)
    case .double, .float, .decimal:
      self = lowered.isLiteral ? .literal(isFraction: true) : .fraction(isOfModel ? type : nil)
    default: return nil
    }
  }

  /// Whether the two are of one type.
  func fits(_ other: NumberKind) -> Bool {
    switch (self, other) {
    case (.literal, .literal), (.bool, .bool): true
    case (.literal(let isFraction), .integer), (.integer, .literal(let isFraction)): !isFraction
    case (.literal, .fraction), (.fraction, .literal): true
    case (.integer(let left), .integer(let right)), (.fraction(let left), .fraction(let right)):
      left == nil || right == nil || left == right
    // What a store of another program keeps as a number may be a Bool in the app.
    case (.bool, .literal), (.literal, .bool): false
    case (.bool, _), (_, .bool): true
    case (.integer, .fraction), (.fraction, .integer): false
    }
  }

  var name: String {
    switch self {
    case .literal(let isFraction): isFraction ? "Double" : "Int"
    case .bool: "Bool"
    case .integer(let type): type?.swiftName ?? "Int"
    case .fraction(let type): type?.swiftName ?? "Double"
    }
  }
}
