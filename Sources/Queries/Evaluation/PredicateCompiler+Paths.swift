public import Modeling

extension PredicateCompiler {
  /// The start of a path.
  enum Start {
    case subject
    /// An element of an enclosing SUBQUERY.
    case element(Int)

    func object(_ frame: Frame) -> (any PredicateSubject)? {
      switch self {
      case .subject: return frame.subject
      case .element(let index):
        if case .object(let object) = frame.elements[index] { return object }
        return nil
      }
    }
  }

  /// The value at the end of a path of to-one relationships.
  func value(of path: PropertyPath, from start: Start, in entity: Entity) throws(PredicateError) -> Evaluator {
    let resolved = try path.resolve(in: entity)
    let end = Self.end(of: resolved)
    let hops = resolved.attribute == nil ? Array(resolved.hops.dropLast()) : resolved.hops
    if hops.isEmpty {
      if case .subject = start { return { frame in try end(frame.subject) } }
      return { frame in try start.object(frame).map(end) ?? .null }
    }
    return { frame in
      guard var object = start.object(frame) else { return .null }
      for hop in hops {
        guard hop.starts(at: object.entity), let next = try object.toOne(at: hop.index) else { return .null }
        object = next
      }
      return try end(object)
    }
  }

  /// The object at the end of a path of to-one relationships; nil for any other path.
  func object(
    atEndOf path: PropertyPath, from start: Start, in entity: Entity
  ) throws(PredicateError) -> (Frame) throws -> (any PredicateSubject)? {
    let resolved = try path.resolve(in: entity)
    guard resolved.attribute == nil, !resolved.isToMany else { return { _ in nil } }
    return { frame in
      var object = start.object(frame)
      for hop in resolved.hops {
        guard let current = object, hop.starts(at: current.entity) else { return nil }
        object = try current.toOne(at: hop.index)
      }
      return object
    }
  }

  /// Returns a function that reads a path's end from its last object: an attribute, an element within it, or the ID
  /// that a to-one relationship holds.
  static func end(of path: ResolvedPath) -> (any PredicateSubject) throws -> Value {
    guard let attribute = path.attribute else {
      let hop = path.hops[path.hops.count - 1]
      return { object in
        hop.starts(at: object.entity) ? try object.reference(at: hop.index).map(Value.object) ?? .null : .null
      }
    }
    let (elements, element, entity) = (path.elements, path.finalElement, path.end)
    let read: (any PredicateSubject) throws -> Value =
      elements.isEmpty
      ? { try $0.attribute(at: attribute) } : { try $0.attribute(at: attribute).element(elements, as: element) }
    return path.endsInCast ? { $0.entity.isKind(of: entity) ? try read($0) : .null } : read
  }

  /// The elements at the end of a path through one or more to-many relationships, in order; nil for a path of to-one
  /// relationships.
  ///
  /// A to-one relationship that is nil contributes no elements before a to-many, and the value nil after the last one.
  /// So does an object of another entity than a cast in the path names.
  func elements(
    of path: PropertyPath, from start: Start, in entity: Entity
  ) throws(PredicateError) -> ElementsEvaluator? {
    let resolved = try path.resolve(in: entity)
    guard resolved.isToMany else { return nil }
    let walk = Self.walk(resolved)
    return { frame in
      guard let object = start.object(frame) else { return [] }
      var elements: [Element] = []
      try walk(object, &elements)
      return elements
    }
  }

  /// Appends the values at the end of a path from one object.
  static func walk(_ path: ResolvedPath) -> (any PredicateSubject, inout [Element]) throws -> Void {
    typealias Walk = (any PredicateSubject, inout [Element]) throws -> Void
    let hops = path.hops
    var walk: Walk = { object, elements in elements.append(.object(object)) }
    if path.attribute != nil {
      let end = end(of: path)
      walk = { object, elements in elements.append(.value(try end(object))) }
    }
    for (position, hop) in hops.enumerated().reversed() {
      let next = walk
      if hop.isToMany {
        walk = { object, elements in
          guard hop.starts(at: object.entity) else { return }
          for member in try object.toMany(at: hop.index) { try next(member, &elements) }
        }
      } else {
        let isAfterToMany =
          hops[..<position].contains(where: \.isToMany) && !hops[position...].contains(where: \.isToMany)
        walk = { object, elements in
          if hop.starts(at: object.entity), let member = try object.toOne(at: hop.index) {
            try next(member, &elements)
          } else if isAfterToMany {
            elements.append(.value(.null))
          }
        }
      }
    }
    return walk
  }
}

extension Value {
  /// The element of a composite or transformable value at `keys`, in its declared type; nil if there is none.
  func element(_ keys: [String], as element: Attribute?) -> Value {
    guard case .json(var json) = self else { return .null }
    for key in keys {
      guard case .object(let members) = json, let member = members[key] else { return .null }
      json = member
    }
    if let element, json != .null { return element.elementValue(json) }
    return Value(plain: json)
  }

  /// The value of JSON: its numbers, texts and Booleans as they are, the rest as JSON.
  public init(plain json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .array, .object: self = .json(json)
    }
  }
}
