public import Modeling

/// What makes sections of objects in memory: a function of the program, asked of each object.
///
/// The store cannot ask it, so only live results do. Two are equal if they are the same. A program calls it where it uses the
/// objects, on one thread.
public final class SectionFunction: Hashable, Sendable {
  /// What people call it.
  public let name: String
  /// The object that it was made from, by which its maker recognises it.
  nonisolated(unsafe) public let source: AnyObject?
  nonisolated(unsafe) private let body: (any PredicateSubject) throws -> Value

  /// Makes sections of objects for which `body` answers the same.
  public init(_ name: String, source: AnyObject? = nil, _ body: @escaping (any PredicateSubject) throws -> Value) {
    self.name = name
    self.source = source
    self.body = body
  }

  /// The section of an object.
  ///
  /// - Throws: what the function throws.
  public func section(of object: any PredicateSubject) throws -> Value { try body(object) }

  /// Whether both are the same.
  public static func == (left: SectionFunction, right: SectionFunction) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FetchRequest {
  /// Whether the objects come in sections.
  public var isSectioned: Bool { sectionIdentifier != nil || sectionFunction != nil }

  /// What makes the sections, in words; nil without sections.
  public var sectionName: String? { sectionIdentifier?.description ?? sectionFunction?.name }
}
