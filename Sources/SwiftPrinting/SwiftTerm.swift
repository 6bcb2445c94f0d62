internal import SwiftParsing

/// A Swift expression with the facts that are needed to make it a part of another.
struct SwiftTerm {
  var code: SwiftCode
  var type: SwiftType
  var isOptional = false
  /// Whether a member of it is reached by `?.`: not so after `station?.name`, of which the name is no optional.
  var endsOptional = false
  /// Whether it is reached through something that may be nil.
  var isChain = false
  /// The optional through which it is reached, if it is itself no optional: `station` of `station?.elevation`.
  var chain: Chain?

  /// The last optional of a path, and what follows it.
  struct Chain {
    var owner: () -> SwiftTerm
    var members: String
  }
  /// The same path with `!` for `?`, and what must not be nil for it.
  var forced: Forced?

  /// A path that stops the program where `conditions` do not hold.
  struct Forced {
    var code: SwiftCode
    var conditions: [SwiftCode]
  }
  var level = Level.postfix
  /// The name of a parameter for it.
  var name = "value"
  /// The opposite of a condition, where it is as short as the condition.
  var opposite: SwiftCode?
  /// Its parts: a value that is not nil, and the unwrapping around it.
  var lifted: Lifted?

  /// A value within closures that unwrap its parts.
  struct Lifted {
    var value: () -> SwiftTerm
    var around: (SwiftCode) -> SwiftCode
  }

  /// How tightly the operators of Swift bind.
  enum Level: Int, Comparable {
    case conditional, or, and, comparison, nilCoalescing, additive, multiplicative, prefix, postfix

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The code as an operand of an operator of `level`.
  func operand(of level: Level) -> SwiftCode { self.level < level ? .parenthesized(code) : code }

  /// `term.text`, or `term?.text` where it may be nil.
  func member(_ text: String) -> SwiftCode {
    .sequence([operand(of: .postfix), .text((endsOptional ? "?." : ".") + text)])
  }

  /// The chain of a member of this term.
  func chain(to member: String) -> Chain? {
    if endsOptional { return Chain(owner: { self }, members: "." + member) }
    return chain.map { Chain(owner: $0.owner, members: $0.members + "." + member) }
  }

  /// A condition.
  static func condition(_ code: SwiftCode, _ level: Level = .postfix) -> SwiftTerm {
    SwiftTerm(code: code, type: .bool, level: level)
  }

  static func constant(_ flag: Bool) -> SwiftTerm { .condition(.text(String(flag))) }

  /// The condition's value, if it does not depend on the object.
  var constantFlag: Bool? {
    switch code {
    case .text("true"): true
    case .text("false"): false
    default: nil
    }
  }

  /// `left op right`
  static func comparison(_ left: SwiftTerm, _ symbol: String, _ right: SwiftTerm) -> SwiftTerm {
    func code(_ symbol: String) -> SwiftCode {
      .sequence([left.operand(of: .nilCoalescing), .text(" \(symbol) "), right.operand(of: .nilCoalescing)])
    }
    var term = condition(code(symbol), .comparison)
    if symbol == "==" { term.opposite = code("!=") }
    if symbol == "!=" { term.opposite = code("==") }
    return term
  }

  /// `!condition`
  static prefix func ! (term: SwiftTerm) -> SwiftTerm {
    if let flag = term.constantFlag { return .constant(!flag) }
    if let opposite = term.opposite {
      var result = condition(opposite, term.level)
      result.opposite = term.code
      return result
    }
    if term.level == .prefix, case .sequence(let parts) = term.code, case .text("!")? = parts.first, parts.count == 2 {
      return .condition(parts[1])
    }
    return .condition(.sequence([.text("!"), term.operand(of: .postfix)]), .prefix)
  }

  /// All of the conditions, or one of them.
  static func joined(_ terms: [SwiftTerm], _ symbol: String) -> SwiftTerm {
    let neutral = symbol == "&&"
    if terms.contains(where: { $0.constantFlag == !neutral }) { return .constant(!neutral) }
    let terms = terms.filter { $0.constantFlag == nil }
    guard terms.count > 1 else { return terms.first ?? .constant(neutral) }
    let level: Level = neutral ? .and : .or
    // `a ?? false` would need no parentheses; people want them.
    let operands = terms.map {
      $0.level == .nilCoalescing ? SwiftCode.parenthesized($0.code) : $0.operand(of: neutral ? .comparison : .and)
    }
    return .condition(.chain(symbol, operands), level)
  }
}
