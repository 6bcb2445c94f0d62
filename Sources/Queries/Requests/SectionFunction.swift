public import Modeling

/// A function of the program that makes sections of objects in memory.
///
/// The store cannot call it, so only live results use it. Two functions are equal if they are identical. It is called
/// on the thread that uses the objects.
public final class SectionFunction: Hashable, Sendable {
  /// The name to show to users.
  public let name: String
  /// The object from which it was made, by which its creator recognizes it.
  nonisolated(unsafe) public let source: AnyObject?
  nonisolated(unsafe) private let body: (any PredicateSubject) throws -> Value

  /// Makes sections of objects for which `body` returns the same value.
  public init(_ name: String, source: AnyObject? = nil, _ body: @escaping (any PredicateSubject) throws -> Value) {
    self.name = name
    self.source = source
    self.body = body
  }

  /// Returns the section of an object.
  ///
  /// - Throws: an error of the function.
  public func section(of object: any PredicateSubject) throws -> Value { try body(object) }

  /// Whether both are identical.
  public static func == (left: SectionFunction, right: SectionFunction) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FetchRequest {
  /// Whether the request has sections.
  public var isSectioned: Bool { sectionIdentifier != nil || sectionFunction != nil }

  /// The section identifier or the function's name; nil without sections.
  public var sectionName: String? { sectionIdentifier?.description ?? sectionFunction?.name }
}
