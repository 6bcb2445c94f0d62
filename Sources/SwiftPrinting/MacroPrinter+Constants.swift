internal import Modeling
internal import Queries
internal import SwiftParsing

extension MacroPrinter {
  /// A constant as source: a literal if Swift has one, otherwise a constant before the predicate, named after the other
  /// side of its comparison.
  mutating func source(
    of value: Value, _ type: SwiftType, name: String?, beside: SwiftTerm
  ) throws(SwiftPrintingError) -> SwiftTerm {
    if case .object = value { return try object(value, name ?? objectName(beside)) }
    // The macro makes a call of a minus sign, which the compiler then looks for in Optional.
    let isSigned = Self.literal(value)?.hasPrefix("-") == true
    if name == nil, !isSpreadOut || type == .bool, !(isSigned && beside.isOptional), let literal = Self.literal(value) {
      weight += 1
      return SwiftTerm(code: .text(literal), type: type, level: isSigned ? .prefix : .postfix)
    }
    guard let initializer = Self.literal(value) ?? SwiftLiteral.initializer(value) else {
      throw error(.unwritableConstant(value.debugText))
    }
    let annotation: String? =
      switch value {
      // A literal alone would make an Int or a Double of it.
      case .int, .double: type == .integer ? nil : type.name()
      default: nil
      }
    let constant = captures.constant(
      name ?? beside.name, annotation: annotation == "Double" && initializer.contains(".") ? nil : annotation,
      initializer, comment: SwiftLiteral.comment(value))
    return SwiftTerm(code: .text(SwiftNames.identifier(constant)), type: type)
  }

  /// What can be written within the macro.
  static func literal(_ value: Value) -> String? {
    switch value {
    case .bool(let flag): String(flag)
    case .int(let number): number == .min ? nil : String(number)
    case .double(let number): number.isFinite ? "\(number)" : nil
    case .string(let text): SwiftLiteral.string(text)
    default: nil
    }
  }

  /// A variable without a value, as a parameter of the function around.
  mutating func parameter(_ name: String, _ type: SwiftType) throws(SwiftPrintingError) -> SwiftTerm {
    guard SwiftNames.isIdentifier(name) else { throw error(.notAnIdentifier(name)) }
    let isKnown = captures.constants.contains { $0.name == name }
    guard !isKnown, captures.parameter(name, type) else {
      let other = captures.parameters.first { $0.name == name }?.type ?? type
      throw error(.differentTypes(left: other.name(), right: type.name()))
    }
    return SwiftTerm(code: .text(SwiftNames.identifier(name)), type: type, name: name)
  }

  /// An operand that is no term, as an equal value of the type of `term`.
  mutating func exactly(_ operand: Operand, as term: SwiftTerm) throws(SwiftPrintingError) -> SwiftTerm {
    switch operand {
    case .term(let other): return other
    case .variable(let name): return try parameter(name, term.type)
    case .constant(let value, let name):
      guard let type = term.type.attributeType, case .compare(.less, let fitted) = ConstantFit(.less, value, to: type)
      else { throw error(.differentTypes(left: term.type.name(), right: value.kindName)) }
      return try source(of: fitted, term.type, name: name, beside: term)
    }
  }
}
