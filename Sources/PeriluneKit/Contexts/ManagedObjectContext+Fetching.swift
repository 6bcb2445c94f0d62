public import Foundation
internal import ObjectGraph
internal import Queries

extension ManagedObjectContext {
  /// Returns the objects that a descriptor selects.
  ///
  /// - Throws: PeriluneError, PredicateError, StoreError.
  public func fetch<Object: ManagedObject>(_ descriptor: FetchDescriptor<Object>) throws -> [Object] {
    try base.fetch(request(descriptor)).objectList().map { object($0, as: Object.self) }
  }

  /// Returns the objects that a request selects.
  ///
  /// - Throws: PeriluneError, PredicateError, StoreError.
  public func fetch<Object: ManagedObject>(_ request: NSFetchRequest<Object>) throws -> [Object] {
    try base.fetch(request.engine(in: opened)).objectList().map { object($0, as: Object.self) }
  }

  /// Returns the number of objects that a request selects.
  ///
  /// - Throws: PeriluneError, PredicateError, StoreError.
  public func count<Object: ManagedObject>(for request: NSFetchRequest<Object>) throws -> Int {
    try base.count(request.engine(in: opened))
  }

  /// Returns the objects of a class: `try context.fetch(Quake.self, where: \.magnitude > 6)`.
  ///
  /// - Throws: PeriluneError, PredicateError, StoreError.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type = Object.self, where predicate: FetchPredicate<Object>? = nil,
    sortedBy sortDescriptors: [Foundation.SortDescriptor<Object>] = []
  ) throws -> [Object] {
    try fetch(FetchDescriptor(predicate: predicate, sortBy: sortDescriptors))
  }

  /// Returns the first object that a descriptor selects; nil if there is none.
  ///
  /// - Throws: PeriluneError, PredicateError, StoreError.
  public func first<Object: ManagedObject>(_ descriptor: FetchDescriptor<Object>) throws -> Object? {
    try base.first(request(descriptor)).map { object($0, as: Object.self) }
  }

  /// Returns the number of objects that a descriptor selects.
  ///
  /// - Throws: PeriluneError, PredicateError, StoreError.
  public func fetchCount<Object: ManagedObject>(_ descriptor: FetchDescriptor<Object>) throws -> Int {
    try base.count(request(descriptor))
  }

  /// Returns the number of objects of a class: `try context.count(Quake.self, where: \.magnitude > 6)`.
  ///
  /// - Throws: PeriluneError, PredicateError, StoreError.
  public func count<Object: ManagedObject>(
    _ type: Object.Type = Object.self, where predicate: FetchPredicate<Object>? = nil
  ) throws -> Int {
    try fetchCount(FetchDescriptor(predicate: predicate))
  }

  private func request<Object: ManagedObject>(_ descriptor: FetchDescriptor<Object>) throws -> Queries.FetchRequest {
    var request = Queries.FetchRequest(try opened.entity(of: Object.self))
    try descriptor.configuration.apply(to: &request)
    request.relationshipKeyPathsForPrefetching += try descriptor.relationshipKeyPathsForPrefetching.map {
      PropertyPath(dotted: try Object.propertyName(of: $0))
    }
    return request
  }
}
