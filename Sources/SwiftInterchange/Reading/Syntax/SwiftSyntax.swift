internal import Modeling

/// A value of Swift source as it is written, with its place.
///
/// Only the shape is known here: what a name stands for, and whether a predicate may say it, is found out when it is
/// lowered.
struct SwiftSyntax {
  /// The forms of values.
  indirect enum Kind {
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

  var kind: Kind
  var range: Range<Int>

  /// The value in parentheses, without them.
  var unwrapped: SwiftSyntax {
    if case .tuple(let elements) = kind, elements.count == 1, elements[0].label == nil {
      return elements[0].value.unwrapped
    }
    return self
  }
}

/// A value with its label in a call.
struct SwiftArgument {
  var label: String?
  var value: SwiftSyntax
}

/// The name of a type with its generic arguments: `FetchedResults<Quake>`, `[Trip]`.
struct TypeSyntax {
  var name: String
  /// The generic arguments; for an array and a dictionary the types of their elements.
  var arguments: [TypeSyntax] = []
  /// Whether a question mark, or an exclamation mark, follows it.
  var isOptional = false
  var range: Range<Int>

  /// The names of the generic arguments.
  var generics: [String] { arguments.map(\.name) }

  /// The entity of a type: its last generic argument, the element of an array, or the type itself.
  var innermost: String { generics.last ?? name }
}

/// A closure, or the body of a function.
struct ClosureSyntax {
  /// The names of the parameters, with their types where they are written.
  var parameters: [(name: String, type: TypeSyntax?)]?
  var statements: [SwiftStatement]
  var range: Range<Int>
}

/// `if` with all its branches.
struct SwiftConditional {
  /// One condition of an `if`.
  enum Condition {
    case value(SwiftSyntax)
    /// `let name = value`, or `let name` alone.
    case binding(String, SwiftSyntax)
    /// `case .found(let quake) = result`, which is kept as text.
    case pattern(Range<Int>)
  }

  var conditions: [Condition]
  var then: ClosureSyntax
  var otherwise: ClosureSyntax?
  /// Whether it is a `guard`, which has nothing to do where the conditions hold.
  var isGuard = false
}

/// A statement or declaration.
struct SwiftStatement {
  indirect enum Kind {
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

  var kind: Kind
  var range: Range<Int>
  /// The names in a statement that is not looked into.
  var names: Set<String> = []
}

/// `@Query(sort: \.time) private var quakes: [Quake] = value`
struct SwiftDeclaration {
  var name: String
  var type: TypeSyntax?
  /// The attributes before it, as calls or names.
  var attributes: [SwiftSyntax] = []
  var value: SwiftSyntax?
  /// What stands in braces behind it.
  var body: [SwiftStatement] = []
  /// Whether the braces compute its value, rather than observe it.
  var isComputed = false
  /// Whether it belongs to the type and not to its values.
  var isStatic = false
  /// What a call writes before the value, where it is a parameter of the function around: a label, or `_` for none.
  var label: String?
}

/// `@Model final class Trip: Journey { ... }`
struct SwiftTypeDeclaration {
  /// `class`, `struct`, `enum`, `extension`, `actor` or `protocol`.
  var keyword: String
  var name: String
  /// Where the name stands.
  var place: Range<Int>
  var attributes: [SwiftSyntax]
  /// Its superclass and protocols.
  var inherited: [TypeSyntax]
  var statements: [SwiftStatement]
}
