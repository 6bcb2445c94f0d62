package import Modeling
package import Queries
package import SwiftParsing

/// A place of Swift source that says something about a model, in words that no compiler checks.
package struct SourceSite: Sendable {
  /// What stands there.
  package enum Subject: Sendable {
    /// `NSPredicate(format:)`
    case format(FormatSite)
    /// A key path as text: of a sort descriptor, of `forKeyPath:`, of `value(forKey:)`.
    case key(PlacedText)
    /// `\Item.place.name` of a sort descriptor, and where it stands.
    case keyPath([String], Range<Int>)
    /// `#Predicate` and `#Expression`.
    case macro(MacroSite)
    /// The text in `NSFetchRequest(entityName:)`.
    case entityName(PlacedText)
    /// A text that is put together where the program runs.
    case unread
  }

  /// What the keys are used for.
  package enum Use: Hashable, Sendable {
    case condition
    case order
    /// Any other: a column, a value that is read or set.
    case value
  }

  package var subject: Subject
  package var use: Use
  /// Where it stands, in bytes of the source.
  package var range: Range<Int>
  /// The name of the class or the entity whose objects are fetched with it; nil where that is not known.
  package var entity: String?
  /// Whether it is all of the condition, or all of the order, of the requests that it becomes a part of.
  package var isWhole = false
  /// Whether the entity is likely, not certain: it is that which a call names whose function is not known.
  package var isLikely = false
  /// The name by which other files may use the value, where its own does not say the entity.
  package var shared: SharedValue?

  /// A site of an entity that its destination says.
  init(
    _ subject: Subject, _ use: Use, _ range: Range<Int>, _ destination: EntityFlow.Destination, entity: String? = nil
  ) {
    (self.subject, self.use, self.range, self.entity) = (subject, use, range, entity ?? destination.entity)
    isWhole = destination.isWhole
    isLikely = entity == nil && destination.isLikely
    shared = entity == nil ? destination.shared : nil
  }

  /// A site of an entity that it says itself.
  init(subject: Subject, use: Use, range: Range<Int>, entity: String? = nil, isWhole: Bool = false) {
    (self.subject, self.use, self.range) = (subject, use, range)
    (self.entity, self.isWhole) = (entity, isWhole)
  }
}

/// `NSPredicate(format:)` with its arguments.
package struct FormatSite: Sendable {
  /// The format, with `%@` in the place of each value that is put into the text.
  package var format: PlacedText
  /// The arguments of all placeholders; nil where their number is not known.
  package var arguments: [SiteArgument]?
  /// The arguments, in a list of objects: a number among them is an object, too.
  package var isListOfObjects = false
  /// The values that are put into the text.
  package var inserted: [Insertion] = []

  /// A value that is put into the text of a predicate.
  package struct Insertion: Sendable {
    /// The value, as it is written.
    package var source: String
    package var range: Range<Int>
    /// Whether it is a key, rather than a value.
    package var isKey: Bool
  }
}

/// An argument of a format.
package struct SiteArgument: Sendable {
  /// What a placeholder has to be for it.
  package enum Kind: Hashable, Sendable {
    /// A number that is no object: `%d`, `%ld`.
    case integer
    /// `%f`
    case double
    /// `%@`
    case object
  }

  /// The argument, as it is written.
  package var source: String
  package var range: Range<Int>
  /// Its value, where the source says it.
  package var value: Value?
  /// Its kind, where the source says it.
  package var kind: Kind?
  /// The key path that it is, where the source says it.
  package var key: PlacedText?
  /// Whether the compiler checks the key: it may be called otherwise in the model.
  package var isCompiledKey = false
  /// Whether it was put into the text.
  package var isInserted = false
}

/// `#Predicate<Item> { ... }`, `#Expression<Item, Double> { ... }`
package struct MacroSite: Sendable {
  /// The name: `Predicate` or `Expression`.
  package var name: String
  /// The file, and the token of the macro.
  let file: SwiftSourceFile
  let index: Int

  /// The condition of `#Predicate` for objects of an entity, and what is wrong with it; nil where it cannot be read, and for
  /// `#Expression`.
  package func predicate(of entity: Entity, hasOptionals: Bool) -> (
    predicate: Predicate, issues: [SwiftReadingError.Issue]
  )? {
    guard name == "Predicate", let closure else { return nil }
    var lowering = self.lowering(of: closure.syntax, entity, hasOptionals)
    let predicate = lowering.predicate(of: closure.syntax)
    return (predicate, lowering.issues.found)
  }

  /// The value of `#Expression` for an object of an entity, and what is wrong with it, a result of another type than is declared
  /// among it; nil where it cannot be read, and for `#Predicate`.
  package func expression(of entity: Entity, hasOptionals: Bool) -> (
    expression: Expression, issues: [SwiftReadingError.Issue]
  )? {
    guard name == "Expression", let closure else { return nil }
    var lowering = self.lowering(of: closure.syntax, entity, hasOptionals)
    let declared = closure.generics.count > 1 ? closure.generics.last : nil
    // Inputs behind the object are variables.
    let others: [Entity?] = closure.generics.dropFirst().dropLast().map { _ in nil }
    let expression = lowering.expression(of: closure.syntax, [entity] + others)
    guard lowering.issues.found.isEmpty else { return (expression, lowering.issues.found) }
    do {
      if let other = try expression.otherResult(in: entity, than: declared) {
        lowering.issues.report(other, at: closure.syntax.range)
      }
    } catch { lowering.issues.report(error, at: closure.syntax.range) }
    return (expression, lowering.issues.found)
  }

  /// The closure, and the generic arguments of the macro.
  private var closure: (syntax: ClosureSyntax, generics: [String])? {
    guard let value = file.value(at: index),
      case .macro(_, let generics, let arguments) = value.kind, case .closure(let closure)? = arguments.last?.value.kind
    else { return nil }
    return (closure, generics)
  }

  private func lowering(of closure: ClosureSyntax, _ entity: Entity, _ hasOptionals: Bool) -> PredicateLowering {
    var lowering = PredicateLowering(
      closure, entity: entity, constants: SourceConstants(bytes: file.bytes), issues: SwiftIssues(file.text))
    lowering.knowsOptionals = hasOptionals
    return lowering
  }
}
