package import Modeling

/// A value of Swift source as it is written, with its place.
///
/// Only the shape is known here: what a name stands for, and whether a predicate may say it, is found out when it is
/// lowered.
package struct SwiftSyntax {
  /// The forms of values.
  package indirect enum Kind {
    /// A literal of a number, a Boolean, or nil.
    case literal(Value)
    case string(SwiftString)
    case regularExpression(String)
    case name(String)
    case array([SwiftSyntax])
    case dictionary
    /// Values in parentheses; one without a label is that value.
    case tuple([SwiftArgument])
    /// `base.name`, or `.name` where the type is known.
    case member(SwiftSyntax?, String)
    case optionalChain(SwiftSyntax)
    case forced(SwiftSyntax)
    case call(SwiftSyntax, generics: [String], [SwiftArgument])
    case subscripted(SwiftSyntax, [SwiftArgument])
    case prefix(String, SwiftSyntax)
    case postfix(SwiftSyntax, String)
    /// Operands joined by one operator; several only for `&&` and `||`.
    case infix(String, [SwiftSyntax])
    case ternary(SwiftSyntax, SwiftSyntax, SwiftSyntax)
    /// `as`, `as?`, `as!` or `is` with a type.
    case cast(SwiftSyntax, String, TypeSyntax)
    case keyPath(TypeSyntax?, [String])
    case macro(String, generics: [String], [SwiftArgument])
    case closure(ClosureSyntax)
    case conditional(SwiftConditional)
    /// `[NSPredicate predicateWithFormat:...]`
    case message(String, [SwiftArgument])
    /// What could not be read; the mistake was reported.
    case unreadable
  }

  package var kind: Kind
  package var range: Range<Int>

  package init(kind: Kind, range: Range<Int>) { (self.kind, self.range) = (kind, range) }

  /// The value in parentheses, without them.
  package var unwrapped: SwiftSyntax {
    if case .tuple(let elements) = kind, elements.count == 1, elements[0].label == nil {
      return elements[0].value.unwrapped
    }
    return self
  }
}

/// A value with its label in a call.
package struct SwiftArgument {
  package var label: String?
  package var value: SwiftSyntax

  package init(label: String? = nil, value: SwiftSyntax) { (self.label, self.value) = (label, value) }
}

/// The name of a type with its generic arguments: `FetchedResults<Quake>`, `[Trip]`.
package struct TypeSyntax {
  package var name: String
  /// The generic arguments; for an array and a dictionary the types of their elements.
  package var arguments: [TypeSyntax] = []
  /// Whether a question mark, or an exclamation mark, follows it.
  package var isOptional = false
  package var range: Range<Int>

  package init(name: String, arguments: [TypeSyntax] = [], isOptional: Bool = false, range: Range<Int>) {
    (self.name, self.arguments, self.isOptional, self.range) = (name, arguments, isOptional, range)
  }

  /// The names of the generic arguments.
  package var generics: [String] { arguments.map(\.name) }

  /// The entity of a type: its last generic argument, the element of an array, or the type itself.
  package var innermost: String { generics.last ?? name }
}

/// A closure, or the body of a function.
package struct ClosureSyntax {
  /// The names of the parameters, with their types where they are written.
  package var parameters: [(name: String, type: TypeSyntax?)]?
  package var statements: [SwiftStatement]
  package var range: Range<Int>

  package init(parameters: [(name: String, type: TypeSyntax?)]?, statements: [SwiftStatement], range: Range<Int>) {
    (self.parameters, self.statements, self.range) = (parameters, statements, range)
  }
}

/// `if` with all its branches.
package struct SwiftConditional {
  /// One condition of an `if`.
  package enum Condition {
    case value(SwiftSyntax)
    /// `let name = value`, or `let name` alone.
    case binding(String, SwiftSyntax)
    /// `case .found(let quake) = result`, which is kept as text.
    case pattern(Range<Int>)
  }

  package var conditions: [Condition]
  package var then: ClosureSyntax
  package var otherwise: ClosureSyntax?
  /// Whether it is a `guard`, which has nothing to do where the conditions hold.
  package var isGuard = false
}

/// A statement or declaration.
package struct SwiftStatement {
  package indirect enum Kind {
    case value(SwiftSyntax)
    case returned(SwiftSyntax)
    case declaration(SwiftDeclaration)
    /// `request.fetchLimit = 10`
    case assignment(SwiftSyntax, SwiftSyntax)
    /// Functions and initialisers: their name, result type and body.
    case scope(String, TypeSyntax?, [SwiftStatement])
    case type(SwiftTypeDeclaration)
    /// A case of an enumeration: its name, its raw value, and whether it carries values of its own.
    case enumerationCase(String, SwiftSyntax?, carriesValues: Bool)
    /// A statement that means nothing to a reader of requests, by its first word.
    case other(String)
  }

  package var kind: Kind
  package var range: Range<Int>
  /// The names in a statement that is not looked into.
  package var names: Set<String> = []

  package init(kind: Kind, range: Range<Int>, names: Set<String> = []) {
    (self.kind, self.range, self.names) = (kind, range, names)
  }
}

/// `@Query(sort: \.time) private var quakes: [Quake] = value`
package struct SwiftDeclaration {
  package var name: String
  package var type: TypeSyntax?
  /// The attributes before it, as calls or names.
  package var attributes: [SwiftSyntax] = []
  package var value: SwiftSyntax?
  /// What stands in braces behind it.
  package var body: [SwiftStatement] = []
  /// Whether the braces compute its value, rather than observe it.
  package var isComputed = false
  /// Whether it belongs to the type and not to its values.
  package var isStatic = false
  /// What a call writes before the value, where it is a parameter of the function around: a label, or `_` for none.
  package var label: String?
}

/// `@Model final class Trip: Journey { ... }`
package struct SwiftTypeDeclaration {
  /// `class`, `struct`, `enum`, `extension`, `actor` or `protocol`.
  package var keyword: String
  package var name: String
  /// Where the name stands.
  package var place: Range<Int>
  package var attributes: [SwiftSyntax]
  /// Its superclass and protocols.
  package var inherited: [TypeSyntax]
  package var statements: [SwiftStatement]
}
