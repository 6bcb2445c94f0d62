internal import Modeling
internal import ObjectGraph

extension ManagedObject {
  /// An attribute by its name in the model, for generated properties.
  ///
  ///     let place: String? = quake["place"]
  public final subscript<Value: AttributeValue>(name: String) -> Value {
    get {
      reading(name, or: Value.placeholder) { index in
        let value = try handle.attribute(at: index)
        if let typed = Value(attributeValue: value) { return typed }
        // A mandatory attribute may not have a value yet.
        if value.isNull { return Value.placeholder }
        throw PeriluneError(
          .unreadable(property: name, object: "\(objectID)", type: "\(Value.self)", found: value.displayText))
      }
    }
    set { writing(name) { try handle.setAttribute(at: $0, newValue.attributeValue) } }
  }

  /// A to-one relationship by its name in the model.
  public final subscript<Target: ManagedObject>(name: String) -> Target? {
    get {
      reading(name, or: nil) { index in
        try handle.related(at: index).map { try managedObjectContext.existing($0, as: Target.self) } ?? nil
      }
    }
    set { writing(name) { try handle.setRelated(at: $0, to: newValue?.handle) } }
  }

  /// The members of a to-many relationship by its name in the model, in its order; setting them replaces all.
  public final subscript<Target: ManagedObject>(name: String) -> [Target] {
    get {
      reading(name, or: []) { index in
        try handle.members(at: index).map { managedObjectContext.object($0, as: Target.self) }
      }
    }
    set { writing(name) { try handle.setMembers(at: $0, newValue.map(\.handle)) } }
  }

  /// The objects of a fetched property by its name in the model.
  public final subscript<Target: ManagedObject>(fetched name: String) -> [Target] {
    access()
    do {
      guard let index = handle.entity.fetchedProperties.firstIndex(where: { $0.name == name }) else {
        throw unknown(name)
      }
      return try handle.fetched(at: index).objectList().map { managedObjectContext.object($0, as: Target.self) }
    } catch {
      managedObjectContext.report(error)
      return []
    }
  }

  // MARK: Reading and writing

  private final func reading<Result>(_ name: String, or other: Result, _ body: (Int) throws -> Result) -> Result {
    if wasRejected { return other }
    access()
    do { return try body(index(of: name)) } catch {
      managedObjectContext.report(error)
      return other
    }
  }

  private final func writing(_ name: String, _ body: (Int) throws -> Void) {
    if wasRejected { return }
    managedObjectContext.opened.turn.joinTransaction()
    do { try body(index(of: name)) } catch { managedObjectContext.refuse(error) }
  }

  final func index(of name: String) throws -> Int {
    guard let index = handle.entity.index(of: name) else { throw unknown(name) }
    return index
  }

  private final func unknown(_ name: String) -> PeriluneError {
    let entity = handle.entity
    let nearest = nearestName(to: name, in: entity.properties.map(\.name))
    return PeriluneError(.unknownProperty(name, entity: entity.name, nearest: nearest))
  }
}

/// The members of an object that refer to its own class, so that key paths need no class name: `quake.count(of:
/// \.reports)`.
public protocol TypedObject: ManagedObject {}

extension ManagedObject: TypedObject {}

extension TypedObject {
  /// The identity; a class may have a property with this name instead.
  public var id: ObjectID { objectID }

  // MARK: To-manys, without reading their members

  /// Adds an object to a to-many relationship.
  ///
  /// - Throws: PeriluneError for a key path that is not a property; GraphError, StoreError.
  public func add<Target: ManagedObject>(_ object: Target, to keyPath: KeyPath<Self, [Target]>) throws {
    managedObjectContext.opened.turn.joinTransaction()
    try handle.setMember(at: index(of: Self.propertyName(of: keyPath)), object.handle, isMember: true)
  }

  /// Removes an object from a to-many relationship.
  ///
  /// - Throws: PeriluneError for a key path that is not a property; GraphError, StoreError.
  public func remove<Target: ManagedObject>(_ object: Target, from keyPath: KeyPath<Self, [Target]>) throws {
    managedObjectContext.opened.turn.joinTransaction()
    try handle.setMember(at: index(of: Self.propertyName(of: keyPath)), object.handle, isMember: false)
  }

  /// Returns the number of a to-many relationship's members.
  ///
  /// - Throws: PeriluneError for a key path that is not a property; GraphError, StoreError.
  public func count<Target: ManagedObject>(of keyPath: KeyPath<Self, [Target]>) throws -> Int {
    access()
    return try handle.memberCount(at: index(of: Self.propertyName(of: keyPath)))
  }
}
